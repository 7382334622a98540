"""The host's end of a worker's socket on the event loop."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Callable

READ_BYTES = 64 * 1024
"""Below 128 KiB, from where on `malloc` maps and unmaps memory for each read: 20 times slower."""


class Stream:
    """A connected stream socket, read and written as the loop finds it ready.

    Unlike an asyncio transport it does not close when a write fails: a worker that has ended
    takes no more, but what it sent before is still to be read.
    """

    def __init__(
        self,
        connection: socket.socket,
        on_data: Callable[[bytes], None],
        on_closed: Callable[[], None],
    ) -> None:
        self._loop = asyncio.get_running_loop()
        self._connection = connection
        self._on_data = on_data
        self._on_closed = on_closed
        self._backlog = bytearray()
        self._reading = False
        self.closed = False
        self.resume_reading()

    def write(self, data: bytes) -> None:
        """Send now what the socket takes, the rest when it takes more."""
        if self.closed:
            return
        if not self._backlog:
            sent = self._send(data)
            if sent == len(data):
                return
            self._loop.add_writer(self._connection, self._write_backlog)
            data = data[sent:]
        self._backlog += data

    def pause_reading(self) -> None:
        """Read no more: the worker comes to wait once the socket's buffers are full."""
        if self._reading:
            self._reading = False
            self._loop.remove_reader(self._connection)

    def resume_reading(self) -> None:
        """Undo `pause_reading`."""
        if not self._reading and not self.closed:
            self._reading = True
            self._loop.add_reader(self._connection, self._read)

    def close(self) -> None:
        """Let go of the socket; `on_closed` is called, unless it was."""
        if self.closed:
            return
        self.pause_reading()
        self.closed = True
        self._loop.remove_writer(self._connection)
        self._connection.close()
        self._backlog.clear()
        self._on_closed()

    def _read(self) -> None:
        try:
            data = self._connection.recv(READ_BYTES)
        except BlockingIOError:
            return
        except ConnectionError:
            data = b""
        if data:
            self._on_data(data)
        else:
            self.close()

    def _write_backlog(self) -> None:
        del self._backlog[: self._send(self._backlog)]
        if not self._backlog and not self.closed:
            self._loop.remove_writer(self._connection)

    def _send(self, data: bytes | bytearray) -> int:
        """How many bytes are dealt with: all of them when the worker takes no more."""
        try:
            return self._connection.send(data)
        except BlockingIOError:
            return 0
        except ConnectionError:
            return len(data)
