"""A V1 host in a process of its own, driven through the product's client and timed."""

import json
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

from codemode_host.client import HostClient
from codemode_host.errors import HostGone
from codemode_host.launch import launch
from codemode_host.wire import (
    CellBegun,
    CellClosed,
    CellContent,
    Execute,
    ExecuteRequest,
    Invocation,
    NotificationSend,
    OpenSession,
    Result,
    ToolDefinition,
    ToolName,
)
from msgspec import Raw

SESSION = "bench"
PATIENCE_MS = 60_000
ECHO = ToolDefinition(
    name="echo", tool_name=ToolName("echo"), description="Answers at once.", kind="function"
)


class Answering:
    """Answers each tool call at once and looks at nothing else."""

    async def call_tool(self, session_id: str, invocation: Invocation) -> Raw:
        return Raw(b'{"ok":true}')

    async def notify(self, session_id: str, notification: NotificationSend) -> None:
        pass

    def begun(self, begun: CellBegun) -> None:
        pass

    def content(self, content: CellContent) -> None:
        pass

    def closed(self, cell: CellClosed) -> None:
        pass

    def lost(self, error: HostGone) -> None:
        pass


class Host:
    def __init__(self, client: HostClient) -> None:
        self._client = client

    async def run(self, source: str) -> float:
        """Seconds from the request until the result of a cell that must complete."""
        request = ExecuteRequest(
            tool_call_id="call-1",
            enabled_tools=[ECHO],
            source=source,
            yield_time_ms=PATIENCE_MS,
        )
        begin = time.perf_counter()
        execution = await self._client.execute(Execute(SESSION, request))
        response = await execution.initial
        taken = time.perf_counter() - begin
        if not isinstance(response.body, Result) or response.body.error_text is not None:
            raise RuntimeError(f"a cell did not complete: {json.dumps(source)}: {response.body}")
        return taken


@asynccontextmanager
async def connected(command: Sequence[str]) -> AsyncIterator[Host]:
    """A fresh host with one open session, closed at the end."""
    client = await HostClient.connect(launch(command), Answering())
    try:
        await client.call(OpenSession(SESSION))
        yield Host(client)
    finally:
        await client.close()
