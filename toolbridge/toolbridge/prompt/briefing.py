"""What one session's model is told about the tools: now, and when the session began.

A session begins with its first cell, or with the first look at its prompt. Everything here is made when somebody
asks for it; a cell that starts pays for its list of tools and no more.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from toolbridge.catalog import Catalog
from toolbridge.gate.gate import Decision
from toolbridge.search.activation import Activations
from toolbridge.toolbox import Toolbox
from toolbridge.tools import Tool

if TYPE_CHECKING:
    from toolbridge.prompt.composition import Composition, PromptSettings


@dataclass(frozen=True)
class _Beginning:
    """The tools as they were then."""

    catalog: Catalog
    everybodys: tuple[Tool, ...]
    loaded: tuple[str, ...]


class Briefing:
    """The view that one principal's model has of a toolbox."""

    def __init__(
        self,
        toolbox: Toolbox,
        settings: Callable[[], PromptSettings],
        principal: str | None = None,
        *,
        is_frozen: bool = False,
        activations: Activations | None = None,
    ) -> None:
        """`settings` is called when a prompt is first asked for, and after `reconsider`; `is_frozen` keeps the list of
        tools as it was when the session began."""
        self.principal = principal
        self.is_frozen = is_frozen
        self.activations = activations or Activations()
        self._toolbox = toolbox
        self._make_settings = settings
        self._settings: PromptSettings | None = None
        self._beginning: _Beginning | None = None
        self._composed: tuple[Catalog, Composition] | None = None

    @property
    def settings(self) -> PromptSettings:
        """How prompts are made."""
        if self._settings is None:
            self._settings = self._make_settings()
        return self._settings

    def catalog(self) -> Catalog:
        """The tools that a cell gets which starts now."""
        if self.is_frozen and self._beginning is not None:
            return self._beginning.catalog
        return self._toolbox.catalog(self.principal)

    def equip(self) -> Catalog:
        """The same, for a cell that does start: the first one begins the session."""
        self.begin()
        return self.catalog()

    def now(self) -> Composition:
        """What the model is told with its next request."""
        return self.decided().with_loaded(self._active())

    def decided(self) -> Composition:
        """The same without regard to what was loaded; its index of tools is kept as long as they
        are the same."""
        catalog = self.catalog()
        if self._composed is None or self._composed[0] is not catalog:
            from toolbridge.prompt.composition import compose

            self._composed = catalog, compose(catalog, self.settings, self._everybodys())
        return self._composed[1]

    def at_start(self) -> Composition:
        """What the model was told first."""
        from toolbridge.prompt.composition import compose

        beginning = self._begun()
        composition = compose(beginning.catalog, self.settings, beginning.everybodys)
        return composition.with_loaded(beginning.loaded)

    def changes(self) -> tuple[str, ...]:
        """What has happened to the tools since, one clause each."""
        from toolbridge.prompt.changes import changes

        return changes(self.at_start(), self.now())

    def has_changed(self) -> bool:
        """Whether a request says something else about the tools than at the start."""
        return self.at_start().told != self.now().told

    def is_permitted(self, tool: Tool) -> bool:
        """Whether a search may name and load `tool`: not if the gate denies every call of it."""
        verdict = self._toolbox.gate.decide(tool, tool.annotations, {}, self.principal)
        return verdict.decision is not Decision.DENY

    def forget(self) -> None:
        """The session begins anew (`%reset`), with nothing loaded."""
        self._beginning = None
        self._composed = None
        self.activations.clear()

    def reconsider(self) -> None:
        """The settings are others now, and the session begins anew."""
        self._settings = None
        self.forget()

    def begin(self) -> None:
        """The session begins now, unless it has begun."""
        self._begun()

    def _begun(self) -> _Beginning:
        if self._beginning is None:
            self._beginning = _Beginning(
                self._toolbox.catalog(self.principal),
                self._toolbox.everybodys_tools(),
                self.activations.names,
            )
        return self._beginning

    def _everybodys(self) -> tuple[Tool, ...]:
        if self.is_frozen and self._beginning is not None:
            return self._beginning.everybodys
        return self._toolbox.everybodys_tools()

    def _active(self) -> tuple[str, ...]:
        composition = self.decided()
        tools = {tool.raw_name: tool for tool in composition.deferred}
        return self.activations.active(tools, lambda name: self.is_permitted(tools[name]))
