"""The pipe, or the terminal, that a command's stdout and stderr come through."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable

from toolbridge.shell.output import ShellOutput

READ_BYTES = 64 * 1024

LAST_READS = 16
"""Reads that empty the largest pipe that a system gives (1 MiB)."""

FLOOD_PAUSE_S = 0.002
"""Between two reads once more has come than is kept, so that a flood does not fill the loop."""


class OutputPipe:
    """Reads into a `ShellOutput` as it comes. Owns the descriptor."""

    def __init__(self, descriptor: int, output: ShellOutput, on_end: Callable[[], None]) -> None:
        os.set_blocking(descriptor, False)
        self._descriptor = descriptor
        self._output = output
        self._on_end = on_end
        self._loop = asyncio.get_running_loop()
        self._pause: asyncio.TimerHandle | None = None
        self.is_closed = False
        self._listen()

    def close(self) -> None:
        """Read no more; what was printed up to now is kept."""
        if self.is_closed:
            return
        self._read_rest()
        self.is_closed = True
        if self._pause is not None:
            self._pause.cancel()
        self._loop.remove_reader(self._descriptor)
        os.close(self._descriptor)
        self._output.finish()
        self._on_end()

    def _listen(self) -> None:
        self._pause = None
        self._loop.add_reader(self._descriptor, self._read)

    def _read_rest(self) -> None:
        """Take what waits in the pipe, whoever still has its other end."""
        for _ in range(LAST_READS):
            data = self._received()
            if not data:
                return
            self._output.feed(data)

    def _received(self) -> bytes | None:
        """What has come; empty at the end, None when nothing waits."""
        try:
            return os.read(self._descriptor, READ_BYTES)
        except BlockingIOError:
            return None
        except OSError:  # EIO: nobody has the terminal any more
            return b""

    def _read(self) -> None:
        data = self._received()
        if data is None:
            return
        if not data:
            self.close()
            return
        self._output.feed(data)
        if self._output.is_overflowing:
            self._loop.remove_reader(self._descriptor)
            self._pause = self._loop.call_later(FLOOD_PAUSE_S, self._listen)
