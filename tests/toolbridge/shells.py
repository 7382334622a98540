"""Shell commands as a cell runs them, and a look at the processes they are."""

import asyncio
import os
import select
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from toolbridge.shell.sink import OutputSink
from toolbridge.sources.shell import ShellSource

from tests.patience import PATIENCE_S
from tests.toolbridge.boxes import ALLOW_ALL, call
from toolbridge import CallContext, Toolbox, ToolCall

LONG_MS = round(PATIENCE_S * 1000)
"""A wait that ends before its time, in milliseconds."""


class Shell:
    """The two tools, and the toolbox they are in."""

    def __init__(
        self, folder: Path, new_sink: Callable[[str, str | None], OutputSink] | None = None
    ) -> None:
        self.toolbox = Toolbox(ALLOW_ALL)
        self.source = ShellSource(folder, new_sink)
        self.toolbox.add(self.source)
        self._printed: dict[int, str] = {}

    async def run(self, cmd: str, **arguments: Any) -> dict[str, Any]:
        result: dict[str, Any] = await call(self.toolbox, "exec_command", {"cmd": cmd, **arguments})
        return result

    async def write(self, session_id: int, chars: str = "", **arguments: Any) -> dict[str, Any]:
        written = {"session_id": session_id, "chars": chars, **arguments}
        result: dict[str, Any] = await call(self.toolbox, "write_stdin", written)
        return result

    async def call_directly(self, tool: str, arguments: dict[str, Any]) -> Any:
        """Call a tool as `%call` does, in no cell."""
        found = self.toolbox.catalog().called(tool)
        assert found is not None
        return await self.toolbox.invoke(ToolCall(found, arguments), CallContext())

    async def session(self, cmd: str, **arguments: Any) -> int:
        """Start a command that keeps running, and give its session id."""
        result = await self.run(cmd, yield_time_ms=0, **arguments)
        session_id: int = result["session_id"]
        self._printed[session_id] = result["output"]
        return session_id

    async def say(self, session_id: int, chars: str, *, until: str) -> str:
        """Write, and poll until the command has answered `until`; everything it printed."""
        result = await self.write(session_id, chars, yield_time_ms=0)
        self._printed[session_id] = result["output"]
        return await self.read_until(session_id, until)

    async def read_until(self, session_id: int, text: str) -> str:
        """Poll until the command has printed `text`; everything it printed up to there."""
        seen = self._printed.pop(session_id, "")
        async with asyncio.timeout(PATIENCE_S):
            while text not in seen:
                seen += (await self.write(session_id, yield_time_ms=50))["output"]
        return seen


@asynccontextmanager
async def shell_in(
    folder: Path, new_sink: Callable[[str, str | None], OutputSink] | None = None
) -> AsyncIterator[Shell]:
    shell = Shell(folder, new_sink)
    try:
        yield shell
    finally:
        await shell.toolbox.close()


def has_ended(pid: int, within_s: float = PATIENCE_S) -> bool:
    """Wait for the end of a process that need not be a child of this one."""
    try:
        descriptor = os.pidfd_open(pid)
    except ProcessLookupError:
        return True
    try:
        return bool(select.select([descriptor], [], [], within_s)[0])
    finally:
        os.close(descriptor)


async def all_ended(pids: list[int]) -> bool:
    return all([await asyncio.to_thread(has_ended, pid) for pid in pids])
