"""The two ends of the client's stream, as file descriptors on the event loop.

asyncio's own pipe transports cannot be used: a client may hand over one socket as both stdin and
stdout, which its write transport takes for a closed pipe, or a regular file, which it refuses.
"""

from __future__ import annotations

import asyncio
import os
from collections import deque
from collections.abc import Callable, Sequence

_READ_BYTES = 64 * 1024
"""Below 128 KiB, from where on `malloc` maps and unmaps memory for each read: 20 times slower."""

HIGH_WATER_BYTES = 1024 * 1024
"""So much unsent output makes the sources of output stop, until less than `LOW_WATER_BYTES`."""
LOW_WATER_BYTES = 256 * 1024


class Inlet:
    """Reads a descriptor and hands on what comes; `on_end` is called once, at its end."""

    def __init__(
        self, fd: int, on_data: Callable[[bytes], None], on_end: Callable[[], None]
    ) -> None:
        self._fd = fd
        self._on_data = on_data
        self._on_end = on_end
        self._loop = asyncio.get_running_loop()
        self._polled = True
        self._reading = False
        os.set_blocking(fd, False)

    def resume(self) -> None:
        if self._reading:
            return
        self._reading = True
        try:
            self._loop.add_reader(self._fd, self._read)
        except PermissionError:  # a regular file or /dev/null: always readable, never polled
            self._polled = False
            self._loop.call_soon(self._read)

    def pause(self) -> None:
        if self._reading:
            self._reading = False
            if self._polled:
                self._loop.remove_reader(self._fd)

    def _read(self) -> None:
        if not self._reading:
            return
        try:
            data = os.read(self._fd, _READ_BYTES)
        except (BlockingIOError, InterruptedError):
            return
        except OSError:  # the peer is gone without a goodbye
            data = b""
        if not data:
            self.pause()
            self._on_end()
            return
        self._on_data(data)
        if not self._polled:
            self._loop.call_soon(self._read)


class Outlet:
    """Writes to a descriptor without ever blocking, and says when its reader is slow."""

    def __init__(
        self, fd: int, on_pressure: Callable[[bool], None], on_broken: Callable[[], None]
    ) -> None:
        self._fd = fd
        self._on_pressure = on_pressure
        self._on_broken = on_broken
        self._loop = asyncio.get_running_loop()
        self._unsent: deque[memoryview] = deque()
        self._unsent_bytes = 0
        self._pressed = False
        self._closed = False
        self._empty = asyncio.Event()
        self._empty.set()
        os.set_blocking(fd, False)

    @property
    def unsent_bytes(self) -> int:
        return self._unsent_bytes

    def write(self, chunks: Sequence[bytes]) -> None:
        """Send `chunks` in one write if the reader keeps up, else as soon as it does."""
        if self._closed or not chunks:
            return
        data = memoryview(chunks[0] if len(chunks) == 1 else b"".join(chunks))
        if not self._unsent:
            data = data[self._send(data) :]
        if data and not self._closed:
            self._keep(data)

    async def flush(self) -> None:
        """Wait until everything is sent, or cannot be any more."""
        await self._empty.wait()

    def close(self) -> None:
        """Write nothing more; what is unsent is dropped."""
        self._closed = True
        self._loop.remove_writer(self._fd)
        self._empty.set()

    def _keep(self, data: memoryview) -> None:
        if not self._unsent:
            self._empty.clear()
            self._loop.add_writer(self._fd, self._write)
        self._unsent.append(data)
        self._unsent_bytes += len(data)
        if not self._pressed and self._unsent_bytes > HIGH_WATER_BYTES:
            self._pressed = True
            self._on_pressure(True)

    def _write(self) -> None:
        while self._unsent:
            data = self._unsent.popleft()
            sent = self._send(data)
            self._unsent_bytes -= sent
            if sent < len(data):
                self._unsent.appendleft(data[sent:])
                break
        if self._pressed and self._unsent_bytes <= LOW_WATER_BYTES:
            self._pressed = False
            self._on_pressure(False)
        if not self._unsent:
            self._loop.remove_writer(self._fd)
            self._empty.set()

    def _send(self, data: memoryview) -> int:
        """Bytes that the descriptor took."""
        try:
            return os.write(self._fd, data)
        except (BlockingIOError, InterruptedError):
            return 0
        except OSError:
            self.close()
            self._on_broken()
            return 0
