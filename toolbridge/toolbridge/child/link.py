"""This side's end of the channel: calls and their settlement, on an event loop.

A call is written once. Calls whose process is lost end as unknown, with the words of whoever
learns what became of it (`abandon`): it may or may not have done what was asked.
"""

from __future__ import annotations

import asyncio
import itertools
import socket
from collections.abc import Callable
from dataclasses import dataclass
from typing import cast

from toolbridge.calls import Progress
from toolbridge.child.messages import (
    Call,
    Cancel,
    ChannelError,
    Definition,
    Displayed,
    Failure,
    FromProcess,
    MessageReader,
    Printed,
    Progressed,
    Result,
    Sync,
    Synced,
    Tools,
    encode,
    raw,
)
from toolbridge.child.output import ChildMessage
from toolbridge.errors import (
    ArgumentsRefusedError,
    OutcomeUnknownError,
    ToolError,
    ToolUnavailableError,
)

OnOutput = Callable[[ChildMessage], None]
OnProgress = Callable[[Progress], None]


def _ignore(progress: Progress) -> None:
    """Nobody watches."""


@dataclass(frozen=True, slots=True)
class _CallUnderWay:
    tool: str
    outcome: asyncio.Future[bytes]
    on_output: OnOutput
    on_progress: OnProgress


class Link(asyncio.Protocol):
    """One connection to one process, from its start to its end."""

    def __init__(self, on_tools: Callable[[tuple[Definition, ...]], None]) -> None:
        loop = asyncio.get_running_loop()
        self.ready: asyncio.Future[int] = loop.create_future()
        """The process id, once the process can be used."""
        self.lost: asyncio.Future[str] = loop.create_future()
        """Why nothing can be said to the process any more. Someone has to `abandon` it then."""
        self._on_tools = on_tools
        self._reader = MessageReader(FromProcess)
        self._numbers = itertools.count(1)
        self._calls: dict[int, _CallUnderWay] = {}
        self._syncs: dict[int, asyncio.Future[None]] = {}
        self._transport: asyncio.Transport | None = None
        self._batch: list[bytes] = []

    async def open(self, channel: socket.socket) -> None:
        """Take over the connected socket `channel`."""
        await asyncio.get_running_loop().create_connection(lambda: self, sock=channel)

    async def call(
        self, tool: str, arguments: bytes, on_output: OnOutput, on_progress: OnProgress = _ignore
    ) -> bytes:
        """Call `tool` with JSON text and give the result as JSON text.

        `on_output` gets what the call prints, also after a cancellation, `on_progress` how far it
        is. Raises `ToolError` with
        the process's words and `OutcomeUnknownError` when the process is lost meanwhile.
        """
        number = next(self._numbers)
        self._write(Call(id=number, tool=tool, arguments=raw(arguments)))
        outcome = asyncio.get_running_loop().create_future()
        self._calls[number] = _CallUnderWay(tool, outcome, on_output, on_progress)
        try:
            return cast(bytes, await outcome)
        except asyncio.CancelledError:
            if number in self._calls:
                self._write(Cancel(id=number))
            raise

    async def sync(self) -> None:
        """Wait until everything that the process said until now has arrived, or it is abandoned."""
        if self.lost.done():
            return
        number = next(self._numbers)
        self._write(Sync(number=number))
        self._syncs[number] = asyncio.get_running_loop().create_future()
        await self._syncs[number]

    def abandon(self, reason: str) -> None:
        """Give the process up, with its tools; calls under way end as unknown, because of `reason`.

        The channel stays open: closing it ends the process at once.
        """
        self._lose(reason)
        for call in self._calls.values():
            if not call.outcome.done():
                call.outcome.set_exception(OutcomeUnknownError(_unknown(call.tool, reason)))
        self._calls.clear()
        for sync in self._syncs.values():
            if not sync.done():
                sync.set_result(None)
        self._syncs.clear()
        self._on_tools(())

    def close(self, reason: str) -> None:
        """Abandon the process and close the channel."""
        self.abandon(reason)
        if self._transport is not None:
            self._transport.abort()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Of `asyncio.Protocol`."""
        self._transport = cast(asyncio.Transport, transport)

    def connection_lost(self, exc: Exception | None) -> None:
        """Of `asyncio.Protocol`."""
        self._lose("it closed its tool channel")

    def data_received(self, data: bytes) -> None:
        """Of `asyncio.Protocol`."""
        try:
            for message in self._reader.feed(data):
                self._handle(message)
        except ChannelError as error:
            self._lose(f"it broke the protocol of its tool channel: {error}")
            cast(asyncio.Transport, self._transport).abort()

    def _lose(self, reason: str) -> None:
        if not self.lost.done():
            self.lost.set_result(reason)

    def _write(self, message: Call | Cancel | Sync) -> None:
        if self.lost.done() or self._transport is None:
            raise ToolUnavailableError("the Python process is not running any more")
        try:
            data = encode(message)
        except ChannelError as error:
            raise ArgumentsRefusedError(f"the arguments are too large: {error}") from None
        if not self._batch:
            asyncio.get_running_loop().call_soon(self._flush)
        self._batch.append(data)

    def _flush(self) -> None:
        """Write what one turn of the loop had to say: scripts make calls by the hundred."""
        batch, self._batch = self._batch, []
        if self._transport is not None:
            self._transport.write(b"".join(batch))

    def _handle(self, message: FromProcess) -> None:
        if isinstance(message, Printed | Displayed):
            self._show(message)
        elif isinstance(message, Progressed):
            self._tell(message)
        elif isinstance(message, Result | Failure):
            self._settle(message)
        elif isinstance(message, Tools):
            if not self.lost.done():
                self._on_tools(message.tools)
        elif isinstance(message, Synced):
            waiting = self._syncs.pop(message.number, None)
            if waiting is not None and not waiting.done():
                waiting.set_result(None)
        elif not self.ready.done():
            self.ready.set_result(message.pid)

    def _show(self, message: Printed | Displayed) -> None:
        call = self._calls.get(message.id)
        if call is not None:
            call.on_output(_shown(message))

    def _tell(self, message: Progressed) -> None:
        call = self._calls.get(message.id)
        if call is not None and not call.outcome.done():
            call.on_progress(Progress(message.done, message.total, message.message))

    def _settle(self, message: Result | Failure) -> None:
        call = self._calls.pop(message.id, None)
        if call is None or call.outcome.done():
            return  # cancelled here: nobody waits
        if isinstance(message, Result):
            call.outcome.set_result(bytes(message.value))
        else:
            kind = ArgumentsRefusedError if message.refused else ToolError
            call.outcome.set_exception(kind(message.message))


def _shown(message: Printed | Displayed) -> ChildMessage:
    if isinstance(message, Printed):
        return ChildMessage("stream", {"name": message.stream, "text": message.text})
    kind = "update_display_data" if message.update else "display_data"
    return ChildMessage(kind, message.content)


def _unknown(tool: str, reason: str) -> str:
    return (
        f"Python was lost while tool `{tool}` ran: {reason}. "
        "Whether the call had its effect is not known; it is not sent again"
    )
