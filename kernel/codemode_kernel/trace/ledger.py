"""The nested calls of one cell as its trace shows them: the open ones and the last that ended.

Sans-I/O. What is kept is bounded however many calls there are: of calls that ended long ago only
the count of each outcome remains.
"""

from __future__ import annotations

from collections import Counter, deque

from codemode_kernel.session.calls import Call
from codemode_kernel.session.fates import Fate, fate_of

LAST_ENDED = 6
"""Calls that ended last and are shown one by one."""

MOST_OPEN = 10
"""Open calls that are shown one by one; the oldest, which are what a cell waits for."""


class Ledger:
    """Told of each call as it starts and ends."""

    def __init__(self) -> None:
        self.ended_before: Counter[Fate] = Counter()
        """Calls that ended before those of `last_ended`."""
        self.last_ended: deque[Call] = deque()
        """The ones that ended last, in that order."""
        self._open: dict[str, Call] = {}

    def started(self, call: Call) -> None:
        """A call came in."""
        self._open[call.id] = call

    def ended(self, call: Call) -> None:
        """It has its outcome now."""
        self._open.pop(call.id, None)
        self.last_ended.append(call)
        if len(self.last_ended) > LAST_ENDED:
            self.ended_before[fate_of(self.last_ended.popleft())] += 1

    @property
    def open_count(self) -> int:
        """Calls that have not ended."""
        return len(self._open)

    @property
    def oldest_open(self) -> list[Call]:
        """The open calls that are shown, in the order of their start."""
        return [call for call, _ in zip(self._open.values(), range(MOST_OPEN), strict=False)]

    @property
    def fates(self) -> Counter[Fate]:
        """Of all calls, open ones included."""
        shown = Counter(map(fate_of, self.last_ended)) + Counter(map(fate_of, self._open.values()))
        return self.ended_before + shown
