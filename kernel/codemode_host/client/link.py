"""The client's end of a connection: frames out in batches, messages in, back-pressure both ways."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Callable, Iterable, Iterator

from codemode_host.errors import ProtocolError
from codemode_host.framing import FrameReader, frame
from codemode_host.wire import (
    CellContent,
    ClientMessage,
    HostMessage,
    decode_host_message,
    encode,
)

_LONE_SURROGATE = re.compile("[\ud800-\udfff]")


READ_BYTES = 256 * 1024


class Link(asyncio.BufferedProtocol):
    """Calls `on_message` for each message, then `on_end` once, with the error if there was one.

    Reading stops by itself while the loop is busy, so a flooding host is slowed by its socket.
    """

    def __init__(
        self,
        on_message: Callable[[HostMessage], None],
        on_end: Callable[[Exception | None], None],
    ) -> None:
        self._on_message = on_message
        self._on_end = on_end
        self._reader = FrameReader()
        # A buffer of our own: asyncio's would cost a memory mapping for each read.
        self._input = memoryview(bytearray(READ_BYTES))
        self._transport: asyncio.Transport | None = None
        self._batch: list[bytes] = []
        self._error: Exception | None = None
        self._writable = asyncio.Event()
        self._writable.set()

    # Out

    def send(self, message: ClientMessage) -> None:
        """Queue one message; all of one turn of the loop leave in one write.

        Raises `FrameTooLong`. Nothing happens after the end: whoever waits for an answer was told.
        """
        data = frame(encode(message))
        if not self._batch:
            asyncio.get_running_loop().call_soon(self.flush)
        self._batch.append(data)

    def flush(self) -> None:
        """Write what is queued."""
        batch, self._batch = self._batch, []
        if self._transport is not None and not self._transport.is_closing():
            self._transport.write(b"".join(batch))

    async def writable(self) -> None:
        """Wait until the host has read enough of what was sent."""
        await self._writable.wait()

    def close(self, error: Exception | None = None) -> None:
        """Close the connection; `error` is what `on_end` is told."""
        self._error = self._error or error
        if self._transport is not None:
            self.flush()
            self._transport.close()

    def abort(self, error: Exception) -> None:
        """Close without sending what is queued: nobody reads it."""
        self._error = self._error or error
        if self._transport is not None:
            self._transport.abort()

    # asyncio.BufferedProtocol

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport

    def get_buffer(self, sizehint: int) -> memoryview:
        return self._input

    def buffer_updated(self, nbytes: int) -> None:
        try:
            for message in _gathered(self._reader.feed(self._input[:nbytes])):
                self._on_message(message)
        except ProtocolError as error:
            self.abort(error)

    def eof_received(self) -> None:
        try:
            self._reader.end()
        except ProtocolError as error:
            self._error = self._error or error

    def connection_lost(self, exc: Exception | None) -> None:
        self._writable.set()
        self._on_end(self._error or exc)

    def pause_writing(self) -> None:
        self._writable.clear()

    def resume_writing(self) -> None:
        self._writable.set()


def _gathered(payloads: Iterable[bytes]) -> Iterator[HostMessage]:
    """The messages of one read, with content of a cell that follows content of it joined to it.

    A script that prints much is read in many small messages, and each costs its readers far more
    than its items do.
    """
    content: CellContent | None = None
    try:
        for payload in payloads:
            message = _decode(payload)
            if isinstance(message, CellContent) and content and _continues(message, content):
                content.items.extend(message.items)
                continue
            if content is not None:
                yield content
            content = message if isinstance(message, CellContent) else None
            if content is None:
                yield message
    except ProtocolError:
        if content is not None:
            yield content
        raise
    if content is not None:
        yield content


def _continues(message: CellContent, content: CellContent) -> bool:
    return (
        message.seq == content.seq + len(content.items)
        and message.cell_id == content.cell_id
        and message.session_id == content.session_id
    )


def _decode(payload: bytes) -> HostMessage:
    r"""Decode a message; a lone surrogate, escaped as `\ud800`, becomes U+FFFD.

    The strict decoder refuses those, but hosts written in JavaScript send them.
    """
    try:
        return decode_host_message(payload)
    except ProtocolError:
        if b"\\ud" not in payload.lower():
            raise
        return decode_host_message(_without_lone_surrogates(payload))


def _without_lone_surrogates(payload: bytes) -> bytes:
    try:
        text = json.dumps(json.loads(payload), ensure_ascii=False)
    except (ValueError, RecursionError) as error:
        raise ProtocolError(f"failed to decode code-mode IPC frame: {error}") from error
    return _LONE_SURROGATE.sub("\ufffd", text).encode()
