"""The pipe to a command's stdin: bytes go in verbatim and in order, nothing waits for the reader."""

from __future__ import annotations

import asyncio
import os
from contextlib import suppress

MAX_WAITING = 262_144
"""Bytes that may wait for the command to read its stdin."""


class StdinOverloadError(Exception):
    """Too much waits already; nothing was sent."""


class StdinClosedError(Exception):
    """The command has closed its stdin; how much it read before is not known."""


class InputPipe:
    """The writing end. Owns the descriptor."""

    def __init__(self, descriptor: int) -> None:
        os.set_blocking(descriptor, False)
        self._descriptor = descriptor
        self._loop = asyncio.get_running_loop()
        self._waiting = bytearray()
        self._is_closed = False
        self._is_broken = False

    def write(self, data: bytes) -> None:
        """Send `data` after what waits already.

        Raises `StdinOverloadError`, and `StdinClosedError` once the command reads no more.
        """
        if self._is_closed:
            raise StdinClosedError
        if len(self._waiting) + len(data) > MAX_WAITING:
            raise StdinOverloadError
        self._waiting += data
        self._send()
        if self._is_broken:
            raise StdinClosedError

    def close(self) -> None:
        """Close the pipe; what waits is dropped."""
        if not self._is_closed:
            self._is_closed = True
            self._loop.remove_writer(self._descriptor)
            os.close(self._descriptor)
            self._waiting.clear()

    def _send(self) -> None:
        self._loop.remove_writer(self._descriptor)
        try:
            with suppress(BlockingIOError):
                while self._waiting:
                    sent = os.write(self._descriptor, self._waiting)
                    del self._waiting[:sent]
        except OSError:  # EPIPE: nobody reads any more
            self._is_broken = True
            self.close()
            return
        if self._waiting:
            self._loop.add_writer(self._descriptor, self._send)
