"""The process's end of the channel.

Three threads, so that nothing waits for a cell that runs: one reads requests, one runs the calls
(`calls`), one sends (`outbox`). When the other side is gone nobody can reach the process any more,
and `on_gone` has to end it.
"""

from __future__ import annotations

import os
import socket
import threading
from collections.abc import Callable, Iterable
from typing import Any, Protocol

from toolbridge.child.calls import Calls, current_call
from toolbridge.child.messages import (
    Call,
    Cancel,
    Definition,
    Displayed,
    Failure,
    MessageReader,
    Ready,
    Stream,
    Sync,
    Synced,
    Tools,
    ToProcess,
)
from toolbridge.child.outbox import Outbox
from toolbridge.tools import Tool

READ_BYTES = 256 * 1024


class ServedTool(Protocol):
    """A tool as the server needs it."""

    @property
    def tool(self) -> Tool:
        """What is offered. The source in it is of no interest."""

    async def call(self, arguments: bytes) -> bytes:
        """Call it with JSON; gives the result as JSON. Raises `ToolError`."""


class Server:
    """Announces tools, runs calls and reports what they print."""

    def __init__(self, channel: socket.socket, on_gone: Callable[[], None]) -> None:
        self._channel = channel
        self._on_gone = on_gone
        self._outbox = Outbox(channel)
        self._calls = Calls(self._outbox.send)
        self._tools: dict[str, ServedTool] = {}
        self._pid = os.getpid()

    def start(self) -> None:
        """Start the threads and say that the process can be used."""
        os.register_at_fork(after_in_child=self._channel.close)
        self._outbox.start()
        self._calls.start()
        threading.Thread(target=self._read, name="tool requests", daemon=True).start()
        self._outbox.send(Ready(pid=self._pid))

    def announce(self, tools: Iterable[ServedTool]) -> None:
        """From now on these are the tools, in this order."""
        before, self._tools = self._tools, {served.tool.raw_name: served for served in tools}
        if list(before.values()) != list(self._tools.values()):
            offered = tuple(Definition.of(served.tool) for served in self._tools.values())
            self._outbox.send(Tools(tools=offered))

    @property
    def in_call(self) -> bool:
        """Whether the running code belongs to a call."""
        return self._running_call() is not None

    def printed(self, stream: Stream, text: str) -> bool:
        """Report `text` if a call prints it; False if it is no call's."""
        call = self._running_call()
        if call is None:
            return False
        self._outbox.print(call, stream, text)
        return True

    def displayed(self, content: dict[str, Any], update: bool) -> bool:
        """Report a displayed MIME bundle if a call displays it; False if it is no call's."""
        call = self._running_call()
        if call is None:
            return False
        self._outbox.send(Displayed(id=call, update=update, content=content))
        return True

    def _running_call(self) -> int | None:
        return current_call.get() if os.getpid() == self._pid else None  # None in a forked copy

    def _read(self) -> None:
        reader = MessageReader(ToProcess)
        try:
            while data := self._channel.recv(READ_BYTES):
                for message in reader.feed(data):
                    self._handle(message)
        except OSError:
            pass  # a reset is an end like any other
        self._on_gone()

    def _handle(self, message: ToProcess) -> None:
        if isinstance(message, Sync):
            self._outbox.send(Synced(number=message.number))
        elif isinstance(message, Cancel):
            self._calls.cancel(message.id)
        else:
            self._call(message)

    def _call(self, message: Call) -> None:
        served = self._tools.get(message.tool)
        if served is None:
            gone = f"tool `{message.tool}` is not defined any more"
            self._outbox.send(Failure(id=message.id, message=gone, refused=True))
        else:
            arguments = bytes(message.arguments)
            self._calls.begin(message.id, lambda: served.call(arguments))
