"""What a command has printed and nobody has read yet. Sans-I/O.

Bytes are decoded as they come, each stream by itself, so a character that is split between two
reads stays whole, whatever the other stream prints in between. Between two reads at most `MAX_KEPT`
is kept, the beginning and the end of it; a line in between says how much was left out.
"""

from __future__ import annotations

import codecs
from collections import deque
from dataclasses import dataclass, field

from toolbridge.shell.sink import NoSink, OutputSink
from toolbridge.shell.streams import Stream

MAX_KEPT = 16 * 1024 * 1024
"""Bytes; control characters count six-fold, as JSON writes them. The wire takes 64 MiB a frame."""

SMALL_PIECE = 4096
"""Pieces are joined up to this many bytes."""

_CONTROLS = bytes(set(range(32)) - set(b"\t\n\r"))


@dataclass(frozen=True, slots=True)
class Printed:
    """What was printed between two reads."""

    text: str
    size: int
    """Bytes of it, those left out included."""


@dataclass(slots=True)
class _Pieces:
    """Text in pieces, with what they weigh."""

    pieces: deque[tuple[str, int, int]] = field(default_factory=deque)
    """Text, its bytes, its cost."""
    cost: int = 0

    def add(self, text: str, size: int, cost: int) -> None:
        self.cost += cost
        if self.pieces and self.pieces[-1][1] + size <= SMALL_PIECE:
            before = self.pieces.pop()  # a piece a character would take more room than the text
            text, size, cost = before[0] + text, before[1] + size, before[2] + cost
        self.pieces.append((text, size, cost))

    def drop_first(self) -> int:
        """Drop a piece and give its bytes."""
        _, size, cost = self.pieces.popleft()
        self.cost -= cost
        return size

    def joined(self) -> str:
        return "".join(text for text, _, _ in self.pieces)


class ShellOutput:
    """Takes the bytes of both streams in any pieces, gives one text in the order they came."""

    def __init__(self, max_kept: int = MAX_KEPT, sink: OutputSink | None = None) -> None:
        """`sink` is given all of it, whatever is left out here."""
        self.sink = sink or NoSink()
        new_decoder = codecs.getincrementaldecoder("utf-8")
        self._decoders = {stream: new_decoder("replace") for stream in Stream}
        self._half = max_kept // 2
        self._clear()

    @property
    def is_overflowing(self) -> bool:
        """Whether more was printed than is kept: reading on only moves the gap."""
        return self._left_out > 0

    def feed(self, data: bytes, stream: Stream) -> None:
        """Take what was read."""
        self._keep(self._decoders[stream].decode(data), stream)

    def end(self, stream: Stream) -> None:
        """A stream has closed: a character that is incomplete now stays so."""
        self._keep(self._decoders[stream].decode(b"", final=True), stream)

    def finish(self) -> None:
        """Every stream has ended."""
        self.sink.finish()

    def take(self) -> Printed:
        """Give what has come since the last time, and forget it."""
        gap = (
            f"\n[... {self._left_out} bytes of output left out: "
            f"at most {2 * self._half} are kept between two reads ...]\n"
            if self._left_out
            else ""
        )
        printed = Printed(self._head.joined() + gap + self._tail.joined(), self._size)
        self._clear()
        return printed

    def _clear(self) -> None:
        self._head = _Pieces()
        self._tail = _Pieces()
        self._size = 0
        self._left_out = 0

    def _keep(self, text: str, stream: Stream) -> None:
        if not text:
            return
        self.sink.take(text, stream)
        data = text.encode()
        cost = len(data) + 5 * (len(data) - len(data.translate(None, _CONTROLS)))
        self._size += len(data)
        if not self._tail.pieces and self._head.cost + cost <= self._half:
            self._head.add(text, len(data), cost)
            return
        self._tail.add(text, len(data), cost)
        while self._tail.cost > self._half and len(self._tail.pieces) > 1:
            self._left_out += self._tail.drop_first()
            self.sink.shorten()
