"""What a search may find and load, for one caller at one moment."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property

from toolbridge.tools import Tool


class Standing(StrEnum):
    """How a tool stands to a search."""

    LOADABLE = "loadable"
    ACTIVE = "active"
    """The model can call it already."""
    REFUSED = "refused"
    """It is there, and not for this caller."""


@dataclass(frozen=True)
class SearchScope:
    """The tools of one caller. Another person's own are not among them, so no answer tells them."""

    tools: Sequence[Tool]
    """What the caller can see, in order of registration."""
    deferred: frozenset[str]
    """Raw names that the policy deferred."""
    loaded: frozenset[str] = frozenset()
    """Raw names that were loaded since."""
    is_permitted: Callable[[Tool], bool] | None = None
    """Whether the caller may use a tool; None: whatever they see."""

    def standing(self, tool: Tool) -> Standing:
        """How one of `tools` stands."""
        if self.is_permitted and not self.is_permitted(tool):
            return Standing.REFUSED
        if tool.raw_name in self.deferred and tool.raw_name not in self.loaded:
            return Standing.LOADABLE
        return Standing.ACTIVE

    @cached_property
    def left_out(self) -> frozenset[str]:
        """Raw names that words cannot find: they are taken out before anything is ranked."""
        names = {tool.raw_name for tool in self.tools}
        out = names - self.deferred | self.loaded
        if self.is_permitted:
            out |= {tool.raw_name for tool in self.tools if not self.is_permitted(tool)}
        return frozenset(out)

    def named(self, name: str) -> Tool | None:
        """The tool with that raw name or, failing that, that identifier."""
        return self._by_raw_name.get(name) or self._by_identifier.get(name)

    @cached_property
    def _by_raw_name(self) -> dict[str, Tool]:
        return {tool.raw_name: tool for tool in self.tools}

    @cached_property
    def _by_identifier(self) -> dict[str, Tool]:
        return {tool.identifier: tool for tool in self.tools}
