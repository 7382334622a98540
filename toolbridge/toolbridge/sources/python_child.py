"""Tools that a person defines in `%%python` cells. They live in the session's own Python process.

The source outlives the processes: `connect` gives it a new one, and it has no tools while there
is none.
"""

from __future__ import annotations

import json
import socket
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from toolbridge.calls import CallContext, ToolCall
from toolbridge.errors import ToolUnavailableError
from toolbridge.sources.base import Source
from toolbridge.tools import Tool

if TYPE_CHECKING:
    from toolbridge.child.link import Link
    from toolbridge.child.messages import Definition
    from toolbridge.child.output import ChildMessage

OnCallOutput = Callable[[ToolCall, "ChildMessage"], None]


def drop_output(call: ToolCall, message: ChildMessage) -> None:
    """Nobody shows what calls print."""


class PythonChildSource(Source):
    """Offers what the connected process defines. Rules know it as source `python`."""

    id = "python"
    description = "tools defined in %%python cells"

    def __init__(self, on_output: OnCallOutput = drop_output) -> None:
        """`on_output` gets what a call prints or displays, for the cell that made the call."""
        self._on_output = on_output
        self._tools: tuple[Tool, ...] = ()
        self._link: Link | None = None

    async def connect(self, channel: socket.socket) -> Link:
        """Follow the process at the other end of `channel` from now on, and no other."""
        from toolbridge.child.link import Link

        if self._link is not None:
            self._link.close("another one took its place")
        link = Link(self._offer)
        await link.open(channel)
        self._link = link
        return link

    def tools(self) -> Sequence[Tool]:
        """The tools of the process, in the order in which it defined them."""
        return self._tools

    async def call(self, call: ToolCall, admitted: Any, context: CallContext) -> Any:
        """Run the tool in the process. A cancelled call is cancelled there, too."""
        if self._link is None:
            raise ToolUnavailableError("the Python process is not running any more")
        arguments = json.dumps(admitted, ensure_ascii=False).encode()
        result = await self._link.call(
            call.tool.raw_name,
            arguments,
            lambda message: self._on_output(call, message),
            context.on_progress,
        )
        return json.loads(result)

    async def close(self) -> None:
        """Give up the process."""
        if self._link is not None:
            self._link.abandon("the session ended")

    def _offer(self, definitions: Sequence[Definition]) -> None:
        self._tools = tuple(definition.tool(self.id) for definition in definitions)
        self.changed()
