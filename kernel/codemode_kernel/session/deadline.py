"""The deadline of an observation: when it yields though the cell goes on (contract 4.1)."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

FOREVER_MS = 2**53 - 1
"""A deadline that no cell lives to see; the largest number that every JSON reader keeps."""

GRACE_FROM_MS = 10_000
GRACE_MS = 1_000


def with_grace(yield_time_ms: int) -> int:
    """What a host makes of a requested time: a second more from ten seconds up."""
    return yield_time_ms + GRACE_MS if yield_time_ms >= GRACE_FROM_MS else yield_time_ms


class Deadline:
    """A timer that can stand still. It runs from `start`, and not while it is held."""

    def __init__(self, delay_ms: int, on_due: Callable[[], None]) -> None:
        self._left_s = delay_ms / 1000
        self._on_due = on_due
        self._loop = asyncio.get_running_loop()
        self._due = 0.0
        self._timer: asyncio.TimerHandle | None = None

    def start(self) -> None:
        """Run, or go on after `hold`."""
        if self._timer is None:
            self._due = self._loop.time() + self._left_s
            self._timer = self._loop.call_at(self._due, self._on_due)

    def hold(self) -> None:
        """Stand still; what is left is kept."""
        if self._timer is not None:
            self._left_s = max(0.0, self._due - self._loop.time())
            self.cancel()

    def cancel(self) -> None:
        """Never come due."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
