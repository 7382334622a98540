"""Resources of MCP servers: three tools for all servers together.

They read, so they run without asking. Which server is meant is an argument.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from toolbridge.calls import CallContext, ToolCall
from toolbridge.errors import OutcomeUnknownError, ToolError
from toolbridge.json_values import JsonValue
from toolbridge.sources.base import Source
from toolbridge.sources.mcp import McpSource
from toolbridge.tools import Annotations, Tool

if TYPE_CHECKING:
    from toolbridge.mcp.link import Link

SOURCE_ID = "mcp"

_SERVER = {"type": "string", "description": "Name of the server."}
_LIST_SCHEMA = {
    "type": "object",
    "properties": {
        "server": {**_SERVER, "description": "Name of the server; without one, all are asked."},
        "cursor": {"type": "string", "description": "Where an earlier answer of the server ended."},
    },
    "additionalProperties": False,
}
_READ_SCHEMA = {
    "type": "object",
    "properties": {
        "server": _SERVER,
        "uri": {"type": "string", "description": "URI of the resource, as listed."},
    },
    "required": ["server", "uri"],
    "additionalProperties": False,
}


def _tool(name: str, description: str, schema: Mapping[str, Any]) -> Tool:
    return Tool(
        name,
        SOURCE_ID,
        description=description,
        input_schema=schema,
        annotations=Annotations(read_only=True),
    )


LIST = _tool("list_mcp_resources", "Lists the resources that MCP servers offer.", _LIST_SCHEMA)
TEMPLATES = _tool(
    "list_mcp_resource_templates",
    "Lists the templates of resources that MCP servers offer.",
    _LIST_SCHEMA,
)
READ = _tool("read_mcp_resource", "Reads one resource of an MCP server.", _READ_SCHEMA)

Ask = Callable[["Link", str | None], Awaitable[dict[str, Any]]]


class McpResources(Source):
    """The tools are offered while a server in use has resources."""

    id = SOURCE_ID
    description = "Resources of MCP servers."

    def __init__(self, servers: Callable[[], Sequence[McpSource]]) -> None:
        """`servers` gives those in use now."""
        self._servers = servers

    def tools(self) -> Sequence[Tool]:
        """The three, or none."""
        return (LIST, TEMPLATES, READ) if self._with_resources() else ()

    async def call(
        self, call: ToolCall, admitted: dict[str, Any], context: CallContext
    ) -> JsonValue:
        """Ask the server. Raises `ToolError` in its own words."""
        server, cursor = admitted.get("server"), admitted.get("cursor")
        if call.tool.name == READ.name:
            return await self._read(self._named(server), admitted["uri"])
        if call.tool.name == LIST.name:
            return await self._list(server, cursor, "resources", _resources)
        return await self._list(server, cursor, "resourceTemplates", _templates)

    async def _read(self, source: McpSource, uri: str) -> JsonValue:
        answer = await _asked(source, lambda link, _: link.read_resource(uri), None)
        contents = answer.get("contents", [])
        return {"server": source.settings.name, "uri": uri, "contents": contents}

    async def _list(self, server: str | None, cursor: str | None, kind: str, ask: Ask) -> JsonValue:
        if server is not None:
            source = self._named(server)
            answer = await _asked(source, ask, cursor)
            page: dict[str, JsonValue] = {"server": server, kind: answer.get(kind, [])}
            next_cursor = answer.get("nextCursor")
            return page if next_cursor is None else page | {"nextCursor": next_cursor}
        if cursor is not None:
            raise ToolError("cursor can only be used when a server is specified")
        found: list[JsonValue] = []
        for source in self._with_resources():
            name = source.settings.name
            answer = await _asked(source, ask, None)
            found += [{"server": name, **item} for item in answer.get(kind, [])]
        return {kind: found}

    def _with_resources(self) -> Sequence[McpSource]:
        return [source for source in self._servers() if source.listing.has_resources]

    def _named(self, name: str | None) -> McpSource:
        sources = {source.settings.name: source for source in self._with_resources()}
        if name not in sources:
            raise ToolError(
                f"no MCP server `{name}` with resources; there are: {', '.join(sources)}"
            )
        return sources[name]


async def _asked(source: McpSource, ask: Ask, cursor: str | None) -> dict[str, Any]:
    from toolbridge.mcp.link import CallRejected, LinkLost, NoAnswer

    name = source.settings.name
    link = await source.connection.link()
    try:
        return await ask(link, cursor)
    except CallRejected as error:
        raise ToolError(f"MCP server `{name}` answered: {error.code}: {error}") from None
    except NoAnswer as error:
        raise ToolError(f"MCP server `{name}` gave no answer: what came is {error}") from None
    except LinkLost:
        source.connection.give_up(link)
        raise OutcomeUnknownError(f"MCP server `{name}` was lost while it was asked") from None


async def _resources(link: Link, cursor: str | None) -> dict[str, Any]:
    return await link.list_resources(cursor)


async def _templates(link: Link, cursor: str | None) -> dict[str, Any]:
    return await link.list_resource_templates(cursor)
