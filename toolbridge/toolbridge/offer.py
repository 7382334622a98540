"""What the sources offer at one moment, with one owner for every raw name."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from toolbridge.calls import CallContext, ToolCall
from toolbridge.catalog import Catalog, Clash, settle
from toolbridge.errors import ToolUnavailableError
from toolbridge.principals import belongs_to
from toolbridge.sources.base import Source
from toolbridge.tools import Exposure, Tool

RESERVED = {name: Tool(name, source="code mode itself") for name in ("exec", "wait")}
"""The names of the cell tools, which no script may call (contract 8.2)."""


class Offer:
    """The tools of `sources`, in order of registration. The first that offers a name owns it."""

    def __init__(self, sources: Iterable[Source]) -> None:
        self._owned: dict[str, Tool] = {}
        self._clashes: list[Clash] = []
        self._catalogs: dict[str | None, Catalog] = {}
        for source in sources:
            self._take(source)

    @property
    def tools(self) -> tuple[Tool, ...]:
        """Everybody's tools, in order of registration."""
        return tuple(self._owned.values())

    def catalog(self, principal: str | None) -> Catalog:
        """What `principal` sees of it."""
        catalog = self._catalogs.get(principal)
        if catalog is None:
            seen = [tool for tool in self._owned.values() if belongs_to(tool, principal)]
            clashes = [clash for clash in self._clashes if belongs_to(clash.tool, principal)]
            catalog = self._catalogs[principal] = settle(seen, clashes)
        return catalog

    def find(self, call: ToolCall, context: CallContext) -> Tool:
        """The tool that `call` means, as it is offered now, by the name that its caller knows.

        Raises `ToolUnavailableError`: it is gone, or not this caller's. Another person's tool is
        answered like one that does not exist.
        """
        tool = self._owned.get(call.tool.raw_name)
        nested = call.cell_id is not None
        if (
            tool is None
            or tool.source != call.tool.source
            or not belongs_to(tool, context.principal)
            or (nested and tool.exposure is not Exposure.NESTED)
        ):
            raise ToolUnavailableError(f"tool `{call.tool.identifier}` is not available")
        if tool.identifier == call.tool.identifier:
            return tool
        return replace(tool, identifier=call.tool.identifier)

    def _take(self, source: Source) -> None:
        tools = source.tools()
        taken = {tool.raw_name: holder for tool in tools if (holder := self._holder(tool))}
        spoiled = {tool.group: tool for tool in tools if tool.group and tool.raw_name in taken}
        for tool in tools:
            spoiler = spoiled.get(tool.group, tool) if tool.group else tool
            holder = taken.get(spoiler.raw_name)
            if holder is None:
                self._owned[tool.raw_name] = tool
            else:
                self._clashes.append(Clash(tool, holder, None))

    def _holder(self, tool: Tool) -> Tool | None:
        return RESERVED.get(tool.raw_name) or self._owned.get(tool.raw_name)
