"""The worker's end of its socket: frames out at once, frames in when the cell can take them."""

from __future__ import annotations

import os
import select

from codemode_host.engine.errors import HostClosed
from codemode_host.engine.frames import FrameReader, encode

_READ_BYTES = 64 * 1024
"""Below 128 KiB, from where on `malloc` maps and unmaps memory for each read: 20 times slower."""


class Channel:
    """Blocking frames over one descriptor.

    A write blocks while the host does not read: a slow reader slows the cell and nothing grows.
    """

    def __init__(self, fd: int) -> None:
        self._fd = fd
        self._reader = FrameReader()
        self._poll = select.poll()
        self._poll.register(fd, select.POLLIN)

    def send(self, kind: int, number: int = 0, payload: bytes = b"") -> None:
        data = memoryview(encode(kind, number, payload))
        while data:
            data = data[os.write(self._fd, data) :]

    def receive(self, timeout_ms: int | None) -> list[tuple[int, int, bytes]]:
        """Every complete frame that is there, waiting at most `timeout_ms` (None: for ever).

        Raises `HostClosed` at the end of the stream.
        """
        if not self._poll.poll(timeout_ms):
            return []
        data = os.read(self._fd, _READ_BYTES)
        if not data:
            raise HostClosed
        return list(self._reader.feed(data))
