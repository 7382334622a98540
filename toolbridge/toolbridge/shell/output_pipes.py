"""The pipes that a command's stdout and stderr come through, or the terminal for both.

Each wake of the loop reads both pipes, so pieces are put in order as well as that can be known. Of
what was written to both between two wakes, that comes first which goes on with an unfinished line,
then stdout.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Mapping

from toolbridge.shell.output import ShellOutput
from toolbridge.shell.streams import Stream

READ_BYTES = 64 * 1024

LAST_READS = 16
"""Reads that empty the largest pipe that a system gives (1 MiB)."""

FLOOD_PAUSE_S = 0.002
"""Between two reads once more has come than is kept, so that a flood does not fill the loop."""


class OutputPipes:
    """Reads into a `ShellOutput` as it comes. Owns the descriptors."""

    def __init__(
        self, descriptors: Mapping[Stream, int], output: ShellOutput, on_end: Callable[[], None]
    ) -> None:
        """`on_end` is called once, when nothing can come any more."""
        for descriptor in descriptors.values():
            os.set_blocking(descriptor, False)
        self._open = {stream: descriptors[stream] for stream in Stream if stream in descriptors}
        self._output = output
        self._on_end = on_end
        self._loop = asyncio.get_running_loop()
        self._pause: asyncio.TimerHandle | None = None
        self._unfinished: Stream | None = None
        """The stream that was read last, when that was no whole line."""
        self._listen()

    @property
    def is_closed(self) -> bool:
        """Whether nothing can come any more."""
        return not self._open

    def close(self) -> None:
        """Read no more; what was printed up to now is kept."""
        for stream, descriptor in self._in_turn():
            self._read_rest(stream, descriptor)
            self._end(stream)

    def _listen(self) -> None:
        self._pause = None
        for descriptor in self._open.values():
            self._loop.add_reader(descriptor, self._read)

    def _read(self) -> None:
        for stream, descriptor in self._in_turn():
            data = _received(descriptor)
            if data:
                self._take(data, stream)
            elif data is not None:
                self._end(stream)
        if self._open and self._output.is_overflowing:
            for descriptor in self._open.values():
                self._loop.remove_reader(descriptor)
            self._pause = self._loop.call_later(FLOOD_PAUSE_S, self._listen)

    def _in_turn(self) -> list[tuple[Stream, int]]:
        """What is open, in the order in which it is to be read."""
        return sorted(self._open.items(), key=lambda entry: entry[0] is not self._unfinished)

    def _take(self, data: bytes, stream: Stream) -> None:
        self._output.feed(data, stream)
        self._unfinished = None if data.endswith(b"\n") else stream

    def _read_rest(self, stream: Stream, descriptor: int) -> None:
        """Take what waits in a pipe, whoever still has its other end."""
        for _ in range(LAST_READS):
            data = _received(descriptor)
            if not data:
                return
            self._take(data, stream)

    def _end(self, stream: Stream) -> None:
        """Nobody has the other end any more, or it does not matter who has it."""
        descriptor = self._open.pop(stream)
        self._loop.remove_reader(descriptor)
        os.close(descriptor)
        self._output.end(stream)
        if self._open:
            return
        if self._pause is not None:
            self._pause.cancel()
        self._output.finish()
        self._on_end()


def _received(descriptor: int) -> bytes | None:
    """What has come; empty at the end, None when nothing waits."""
    try:
        return os.read(descriptor, READ_BYTES)
    except BlockingIOError:
        return None
    except OSError:  # EIO: nobody has the terminal any more
        return b""
