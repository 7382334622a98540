"""The last of what a server writes to its stderr."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import TextIO

KEPT_BYTES = 64 * 1024
"""Of a flood, the end is kept."""


class StderrTail:
    """Kept across restarts of its server. A server that floods it is never held up."""

    def __init__(self) -> None:
        self._kept = bytearray()

    @property
    def text(self) -> str:
        """What is kept."""
        return self._kept.decode("utf-8", "replace")

    @property
    def last_line(self) -> str:
        """The last line that says something."""
        return next((line for line in reversed(self.text.split("\n")) if line.strip()), "")

    def add(self, data: bytes) -> None:
        """Keep `data` and forget what is too long ago."""
        self._kept += data
        del self._kept[:-KEPT_BYTES]

    def note(self, line: str) -> None:
        """Keep a line of our own among the server's."""
        if self._kept and not self._kept.endswith(b"\n"):
            self.add(b"\n")
        self.add(f"{line}\n".encode("utf-8", "replace"))

    @asynccontextmanager
    async def piped(self) -> AsyncIterator[TextIO]:
        """A file for a process to write to; what it writes until the end of the block is kept.

        The caller closes the file as soon as the process has it, or the pipe would never end.
        """
        reading, writing = os.pipe()
        loop = asyncio.get_running_loop()
        with os.fdopen(reading, "rb", buffering=0) as end, os.fdopen(writing, "w") as file:
            transport, _ = await loop.connect_read_pipe(lambda: _Keeper(self), end)
            try:
                yield file
            finally:
                transport.close()


class _Keeper(asyncio.Protocol):
    def __init__(self, tail: StderrTail) -> None:
        self._tail = tail

    def data_received(self, data: bytes) -> None:
        self._tail.add(data)
