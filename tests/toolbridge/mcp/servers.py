"""A toolbox with scripted MCP servers."""

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

from toolbridge.mcp.settings import ServerSettings
from toolbridge.sources.mcp import McpSource

from tests.mcp_servers import heard, scripted_settings
from tests.patience import PATIENCE_S
from toolbridge import (
    CallContext,
    Gate,
    Toolbox,
    ToolCall,
    parse_rules,
)

Spec = dict[str, Any]

ALLOW = Gate(parse_rules([{"decision": "allow"}]))
ANYTHING = CallContext()


def behaves(name: str, behaviour: Spec | None = None, **fields: Any) -> Spec:
    """One tool of a scripted server."""
    return {"name": name, "behaviour": behaviour or {}, **fields}


class Servers:
    """A toolbox with scripted servers in a folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.toolbox = Toolbox(ALLOW)

    def add(self, spec: Spec, name: str = "s", **options: Any) -> McpSource:
        return self.add_settings(scripted_settings(name, spec, self.folder, **options))

    def add_settings(self, settings: ServerSettings) -> McpSource:
        source = McpSource(settings, str(self.folder))
        self.toolbox.add(source)
        return source

    async def call(self, name: str, arguments: Any = None, context: CallContext = ANYTHING) -> Any:
        """Call `mcp__NAME`, as a cell that names it does."""
        await asyncio.wait_for(self.toolbox.prepare(f"mcp__{name}"), PATIENCE_S)
        tool = self.toolbox.catalog().called(f"mcp__{name}")
        assert tool is not None, f"{name} is not offered"
        call = ToolCall(tool, arguments, "tool-1", "1")
        return await asyncio.wait_for(self.toolbox.invoke(call, context), PATIENCE_S)

    def heard(self, method: str, name: str = "s") -> list[Spec]:
        return heard(name, self.folder, method)


async def until(condition: Callable[[], bool]) -> None:
    """Let the loop run until `condition` holds."""
    async with asyncio.timeout(PATIENCE_S):
        while not condition():  # noqa: ASYNC110 - of another process
            await asyncio.sleep(0.01)


def text_of(result: Any) -> str:
    return str(result["content"][0]["text"])
