"""The loaders, tools that bring deferred ones back: `ToolSearch`, or `find_tools`.

A loader is there only while something is deferred. It says what it has loaded, and the next request
declares it; what was loaded is the briefing's to remember.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from typing import Any

from toolbridge.calls import CallContext, ToolCall
from toolbridge.deferral.policy import LOADERS_SOURCE, deferred_tools, resolve_deferrals
from toolbridge.errors import SearchError, ToolError
from toolbridge.prompt.briefing import Briefing
from toolbridge.sources.base import Source
from toolbridge.toolbox import Toolbox
from toolbridge.tools import Tool


def _ignore() -> None:
    """Nothing is kept."""


class Loaders(Source):
    """Offers the loader that the settings of `briefing` name."""

    id = LOADERS_SOURCE
    description = "finds deferred tools and loads them"

    def __init__(
        self,
        toolbox: Toolbox,
        briefing: Briefing,
        *,
        atomic: Collection[str] = (),
        on_load: Callable[[], None] = _ignore,
    ) -> None:
        """`atomic` are groups that `find_tools` loads whole; `on_load` is called when other tools
        are loaded than before."""
        self._toolbox = toolbox
        self._briefing = briefing
        self._atomic = atomic
        self._on_load = on_load

    def tools(self) -> Sequence[Tool]:
        from toolbridge.prompt.composition import loader_of

        loader = loader_of(self._briefing.settings)
        if loader is None or not self._is_something_deferred():
            return ()
        return (replace(loader, source=self.id),)

    async def call(self, call: ToolCall, admitted: Any, context: CallContext) -> Any:
        """Search and load. Raises `ToolError` for a query that makes no sense."""
        from toolbridge.prompt.composition import Loader

        by_name = self._briefing.settings.loader is Loader.FIND_TOOLS
        try:
            return self._find(admitted) if by_name else self._search(admitted)
        except SearchError as error:
            raise ToolError(str(error)) from None

    async def reset(self) -> None:
        """Nothing is loaded any more."""
        self._briefing.forget()
        self._on_load()

    def _search(self, arguments: Any) -> Any:
        from toolbridge.search.tool_search import search_tools

        composition = self._briefing.now()
        scope = composition.scope(composition.loaded, self._briefing.is_permitted)
        index = self._briefing.decided().index
        found = search_tools(arguments["query"], scope, index, arguments.get("limit"))
        self._load([tool.raw_name for tool in found.loaded], keep=True)
        return {"content": [{"type": "text", "text": found.text}], "details": found.details}

    def _find(self, arguments: Any) -> Any:
        from toolbridge.search.find_tools import Finder

        composition = self._briefing.now()
        managed = [tool.raw_name for tool in composition.deferred]
        scope = composition.scope(composition.loaded, self._briefing.is_permitted)
        finder = Finder(managed, scope, self._atomic)
        found = finder.find(arguments.get("query"), arguments.get("load"))
        self._load(found.loaded, keep=False)
        return found.value

    def _load(self, names: Sequence[str], *, keep: bool) -> None:
        if names:
            self._briefing.activations.load(names, keep=keep)
            self._on_load()

    def _is_something_deferred(self) -> bool:
        """Looks past the toolbox: its list of tools is being made just now."""
        others = [
            tool
            for source in self._toolbox.sources
            if source is not self
            for tool in source.tools()
        ]
        decided = resolve_deferrals(others, self._briefing.settings.deferral)
        return bool(deferred_tools(decided))
