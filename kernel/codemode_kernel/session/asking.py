"""Time that passes while a person is being asked: it counts for nothing. Sans-I/O."""

from __future__ import annotations


class AskedTime:
    """Adds up the time during which at least one question is open. Times are monotonic seconds."""

    def __init__(self) -> None:
        self.open = 0
        """Questions that are open now."""
        self._since = 0.0
        self._total = 0.0

    def begin(self, now: float) -> bool:
        """A question was opened; True if it is the only one."""
        self.open += 1
        if self.open == 1:
            self._since = now
        return self.open == 1

    def end(self, now: float) -> bool:
        """A question was answered or withdrawn; True if none is left."""
        self.open -= 1
        if self.open == 0:
            self._total += now - self._since
        return self.open == 0

    def total(self, now: float) -> float:
        """Seconds so far, the open question included."""
        return self._total + (now - self._since if self.open else 0.0)
