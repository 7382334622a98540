"""The worker's end of its socket: frames out at once, frames in when the cell can take them."""

from __future__ import annotations

import os
import select

from codemode_host.engine.errors import HostClosed
from codemode_host.engine.frames import FrameReader, encode

_READ_BYTES = 64 * 1024
"""Below 128 KiB, from where on `malloc` maps and unmaps memory for each read: 20 times slower."""


_HELD_BYTES = 64 * 1024
"""Held frames of so many bytes in all are written at once."""


class Channel:
    """Blocking frames over one descriptor.

    A write blocks while the host does not read: a slow reader slows the cell and nothing grows.
    """

    def __init__(self, fd: int) -> None:
        self._fd = fd
        self._held: list[bytes] = []
        self._held_bytes = 0
        self._burst = 0
        self._reader = FrameReader()
        self._poll = select.poll()
        self._poll.register(fd, select.POLLIN)

    def send(self, kind: int, number: int = 0, payload: bytes = b"") -> None:
        """Write a frame, after those that are held."""
        self._held.append(encode(kind, number, payload))
        self._write_held()

    def send_in_burst(self, kind: int, number: int, payload: bytes) -> None:
        """Write a frame, or hold it for the next ones until `end_burst`.

        A script that starts many tool calls at once is spared most of their writes. It may go on
        to compute for seconds, though: so no more is held than half of what the burst has written,
        and nothing of the first three.
        """
        frame = encode(kind, number, payload)
        self._held.append(frame)
        self._held_bytes += len(frame)
        if len(self._held) * 2 >= self._burst or self._held_bytes > _HELD_BYTES:
            self._burst += len(self._held)
            self._write_held()

    def end_burst(self) -> None:
        """The script pauses: write what is held."""
        self._burst = 0
        if self._held:
            self._write_held()

    def receive(self, timeout_ms: int | None) -> list[tuple[int, int, bytes]]:
        """Every complete frame that is there, waiting at most `timeout_ms` (None: for ever).

        What is held is written first: the host cannot answer what it does not have. Raises
        `HostClosed` at the end of the stream.
        """
        self.end_burst()
        if not self._poll.poll(timeout_ms):
            return []
        data = os.read(self._fd, _READ_BYTES)
        if not data:
            raise HostClosed
        return list(self._reader.feed(data))

    def _write_held(self) -> None:
        data = memoryview(b"".join(self._held))
        self._held.clear()
        self._held_bytes = 0
        while data:
            data = data[os.write(self._fd, data) :]
