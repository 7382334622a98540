"""What one caller's model is told about the tools, decided once for a session.

`compose` takes a catalog and settings and gives everything that a request, a person or a search
asks about: the decision about each tool with its layer, the texts, and what they cost.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import cached_property

from toolbridge.catalog import Catalog, prompt_order
from toolbridge.deferral.block import deferred_block
from toolbridge.deferral.policy import (
    CODEX,
    SEED,
    Deferral,
    DeferralSettings,
    Mode,
    is_loader,
    resolve_deferrals,
)
from toolbridge.deferral.preview import preview
from toolbridge.prompt.cost import SEARCH_CALL_TOKENS, PromptCost, text_tokens
from toolbridge.prompt.definitions import tool_definition
from toolbridge.prompt.exec_tool import ExecText, exec_description, tool_section
from toolbridge.prompt.wait_tool import WaitTool, wait_tool
from toolbridge.search.find_tools import FIND_TOOLS
from toolbridge.search.index import ToolIndex
from toolbridge.search.scope import SearchScope
from toolbridge.search.tool_search import TOOL_SEARCH
from toolbridge.tools import Tool


class Route(StrEnum):
    """How a model reaches tools."""

    CODE_MODE = "code mode"
    """Through exec: nested tools are declared in its description, and found in `ALL_TOOLS`."""
    LOCAL = "local"
    """Each by itself, in the request's list of tools; `ToolSearch` loads what is deferred."""


class Loader(StrEnum):
    """What brings deferred tools back."""

    TOOL_SEARCH = "ToolSearch"
    """On the local route; code mode has `ALL_TOOLS` for it."""
    FIND_TOOLS = "find_tools"
    """On every route."""


@dataclass(frozen=True)
class PromptSettings:
    """How a session's prompt is made; by default as the profile `codex` has it."""

    route: Route = Route.CODE_MODE
    deferral: DeferralSettings = CODEX
    exec_text: ExecText = field(default_factory=ExecText)
    loader: Loader = Loader.TOOL_SEARCH
    shared: bool = False
    """The prompt is seen by several people: no list in it names personal tools."""


SEED_PROMPT = PromptSettings(deferral=SEED, exec_text=ExecText(always_mcp_types=False))
"""The profile `seed`."""


@dataclass(frozen=True)
class ComposedTool:
    """One tool of a composition."""

    tool: Tool
    deferral: Deferral | None
    """None: deferral is no question for it."""
    declaration: str
    """What a prompt says when it declares the tool."""

    @property
    def is_deferred(self) -> bool:
        """Whether the prompt leaves it out."""
        return self.deferral is not None and self.deferral.mode is Mode.DEFERRED

    @property
    def deferred_preview(self) -> str | None:
        """The clipped description that stands for it; None: it is declared in full."""
        return preview(self.tool.description) if self.is_deferred else None

    @cached_property
    def tokens(self) -> int:
        """What its declaration costs."""
        return text_tokens(self.declaration)


@dataclass(frozen=True)
class Composition:
    """The tools of one caller, as their model is told about them."""

    settings: PromptSettings
    tools: tuple[ComposedTool, ...]
    """In order of registration."""
    loaded: frozenset[str] = frozenset()
    """Raw names of deferred tools that were loaded since; the next request declares them."""

    @cached_property
    def deferred(self) -> tuple[Tool, ...]:
        """What is left out, in order of registration."""
        return tuple(composed.tool for composed in self.tools if composed.is_deferred)

    @cached_property
    def deferred_names(self) -> frozenset[str]:
        """Their raw names."""
        return frozenset(tool.raw_name for tool in self.deferred)

    def with_loaded(self, names: Iterable[str]) -> Composition:
        """The same, after those of `names` that are deferred were loaded."""
        return replace(self, loaded=self.deferred_names.intersection(names))

    @property
    def left_out(self) -> frozenset[str]:
        """Raw names of what the prompt does not declare now."""
        return self.deferred_names - self.loaded

    @cached_property
    def declared(self) -> list[Tool]:
        """What is declared, in the order of a prompt."""
        tools = (composed.tool for composed in self.tools)
        return prompt_order(tool for tool in tools if tool.raw_name not in self.left_out)

    @cached_property
    def exec_description(self) -> str:
        """Of the tool `exec`."""
        tools = (composed.tool for composed in self.tools)
        return exec_description(tools, self.left_out, self.settings.exec_text)

    @cached_property
    def wait_tool(self) -> WaitTool:
        """The tool `wait`."""
        return wait_tool(self.settings.exec_text.messages)

    @cached_property
    def told(self) -> str:
        """What a request says about the tools: the description of exec, or the definitions."""
        if self.settings.route is Route.CODE_MODE:
            return self.exec_description
        return "\n".join(definition_text(tool) for tool in self.declared)

    @property
    def loader(self) -> Tool | None:
        """The tool that loads deferred ones; None: nothing is deferred, or nothing loads it."""
        return loader_of(self.settings) if self.deferred else None

    @cached_property
    def block(self) -> str | None:
        """The block that names what `ToolSearch` can load; None: nothing, or it is not there."""
        if self.loader is not TOOL_SEARCH:
            return None
        return deferred_block(self.deferred, personal=not self.settings.shared)

    @cached_property
    def cost(self) -> PromptCost:
        """What the tools cost in each request."""
        left_out = [one.tokens for one in self.tools if one.tool.raw_name in self.left_out]
        mean = round(sum(left_out) / len(left_out)) if left_out else 0
        return PromptCost(
            all_declared=self._declared_tokens(lambda composed: True),
            declared=self._declared_tokens(lambda one: one.tool.raw_name not in self.left_out),
            loader=text_tokens(definition_text(self.loader)) if self.loader else 0,
            block=text_tokens(self.block) if self.block else 0,
            search=SEARCH_CALL_TOKENS + mean if left_out else 0,
        )

    def scope(
        self, loaded: Iterable[str] = (), is_permitted: Callable[[Tool], bool] | None = None
    ) -> SearchScope:
        """What a search may load now."""
        tools = [composed.tool for composed in self.tools]
        return SearchScope(tools, self.deferred_names, frozenset(loaded), is_permitted)

    @cached_property
    def index(self) -> ToolIndex:
        """For searches in any of its scopes."""
        return ToolIndex([composed.tool for composed in self.tools])

    def _declared_tokens(self, is_declared: Callable[[ComposedTool], bool]) -> int:
        if self.settings.route is Route.LOCAL:
            return sum(composed.tokens for composed in self.tools if is_declared(composed))
        left_out = {composed.tool.raw_name for composed in self.tools if not is_declared(composed)}
        tools = (composed.tool for composed in self.tools)
        return text_tokens(exec_description(tools, left_out, self.settings.exec_text))


def loader_of(settings: PromptSettings) -> Tool | None:
    """The loader of a session that has deferred tools; None: it does without."""
    if settings.loader is Loader.FIND_TOOLS:
        return FIND_TOOLS
    return TOOL_SEARCH if settings.route is Route.LOCAL else None


def compose(
    catalog: Catalog,
    settings: PromptSettings | None = None,
    everybodys: Sequence[Tool] | None = None,
) -> Composition:
    """What the caller who sees `catalog` gets.

    `everybodys` are the tools of all principals, on which a shared session decides; by default the
    caller's. A loader is no part of the tools: its own cost is told beside theirs.
    """
    settings = settings or PromptSettings()
    decided = resolve_deferrals(
        catalog.registered if everybodys is None else everybodys, settings.deferral
    )
    deferrals = {deferral.tool.raw_name: deferral for deferral in decided}
    nested = {tool.raw_name for tool in catalog.tools}
    return Composition(
        settings,
        tuple(
            ComposedTool(tool, deferrals.get(tool.raw_name), _declaration(tool, settings))
            for tool in catalog.registered
            if (settings.route is Route.LOCAL or tool.raw_name in nested) and not is_loader(tool)
        ),
    )


def definition_text(tool: Tool) -> str:
    """The definition of a tool that a model calls directly, as compact JSON."""
    definition = tool_definition(tool)
    return json.dumps(definition, ensure_ascii=False, separators=(",", ":"), default=str)


def _declaration(tool: Tool, settings: PromptSettings) -> str:
    if settings.route is Route.LOCAL:
        return definition_text(tool)
    return tool_section(tool, settings.exec_text)
