"""The captures of a command's two streams, read as one text.

Nothing is kept twice: only where the one stream took turns with the other is noted.
"""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from toolbridge.shell.streams import Stream

from codemode_kernel.captures.capture import Capture, Snapshot
from codemode_kernel.record import CaptureState

MOST_TURNS = 1024 * 1024
"""That are noted, in eight bytes each. What comes after so many is found in its stream alone."""

_FAULTS = (CaptureState.PARTIAL, CaptureState.UNAVAILABLE)


class _Turn(NamedTuple):
    """A piece of one stream that nothing of the other one interrupts."""

    which: int
    """0 for stdout, 1 for stderr."""
    begin: int
    """First byte of it in its stream."""
    size: int


class Merged:
    """Reads like a `Capture`, up to the first piece that its stream has lost."""

    def __init__(self, captures: Mapping[Stream, Capture], most_turns: int = MOST_TURNS) -> None:
        self._captures = captures[Stream.STDOUT], captures[Stream.STDERR]
        self._most_turns = most_turns
        self._ends = array("Q", [0, 0, 0])
        """Where each turn ends in its own stream: stdout, stderr, stdout, ... Two empty ones come
        first, so that each has one of its own stream before it. Neighbours add up to where the
        later one ends in the merged text."""
        self._is_cut = False

    def note(self, stream: Stream, size: int) -> None:
        """A stream got so many bytes."""
        if self._is_cut:
            return
        which = int(stream is Stream.STDERR)
        is_other = which != (len(self._ends) - 1) % 2
        if is_other and len(self._ends) - 2 > self._most_turns:
            self._is_cut = True
            return
        if is_other:
            self._ends.append(self._ends[-2])
        self._ends[-1] += size

    @property
    def printed(self) -> Mapping[Stream, Capture]:
        """The streams that got anything."""
        both = zip(Stream, self._captures, strict=True)
        return {stream: capture for stream, capture in both if capture.snapshot().bytes}

    def snapshot(self) -> Snapshot:
        """How it stands with both; each has a file of its own."""
        snapshots = [capture.snapshot() for capture in self._captures]
        captured = sum(snapshot.captured_bytes for snapshot in snapshots)
        states = {snapshot.state for snapshot in snapshots}
        if self._is_cut or not states.isdisjoint(_FAULTS):
            state = CaptureState.PARTIAL if captured else CaptureState.UNAVAILABLE
        elif CaptureState.CAPTURING in states:
            state = CaptureState.CAPTURING
        else:
            state = CaptureState.COMPLETE
        return Snapshot(state, sum(snapshot.bytes for snapshot in snapshots), captured, None)

    async def settled(self, timeout_s: float) -> None:
        """Wait for what is being written; what takes too long counts as a fault."""
        for capture in self._captures:
            await capture.settled(timeout_s)

    def read(self, offset: int, limit: int) -> bytes:
        """Up to `limit` bytes of the text from `offset`; blocks, raises `OSError`."""
        if self.snapshot().state is CaptureState.UNAVAILABLE:
            raise FileNotFoundError("nothing was captured")
        turns = list(self._turns(offset, limit))
        texts = [
            _read(capture, [turn for turn in turns if turn.which == which])
            for which, capture in enumerate(self._captures)
        ]
        return _woven(texts, turns)

    def _turns(self, offset: int, limit: int) -> Iterator[_Turn]:
        """The turns that make up a part of the text."""
        ends = self._ends[:]  # the event loop goes on adding to it
        at = bisect_right(range(len(ends)), offset, lo=2, key=lambda at: ends[at - 1] + ends[at])
        skipped = offset - ends[at - 2] - ends[at - 1]
        while limit and at < len(ends):
            begin = ends[at - 2] + skipped
            turn = _Turn(at % 2, begin, min(limit, ends[at] - begin))
            yield turn
            skipped = 0
            limit -= turn.size
            at += 1


Readable = Capture | Merged
"""A text that was captured."""


def _read(capture: Capture, turns: Sequence[_Turn]) -> bytes:
    """All of a stream that the turns are made of; empty when it is lost."""
    if not turns or capture.snapshot().state is CaptureState.UNAVAILABLE:
        return b""
    return capture.read(turns[0].begin, sum(turn.size for turn in turns))


def _woven(texts: Sequence[bytes], turns: Sequence[_Turn]) -> bytes:
    """Two texts as one, up to where one of them ends too early."""
    woven = bytearray()
    used = [0, 0]
    for which, _, size in turns:
        piece = texts[which][used[which] : used[which] + size]
        woven += piece
        used[which] += size
        if len(piece) < size:
            break
    return bytes(woven)
