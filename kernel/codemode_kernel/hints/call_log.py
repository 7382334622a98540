"""What became of a cell's tool calls, as far as hints speak of it. Its size is bounded."""

from __future__ import annotations

from collections import Counter
from typing import Any

from codemode_kernel.session.calls import Call, CallOutcome

NAMES = 100
"""Tools of one cell that are told apart."""

LONGEST_ERROR = 200
"""Characters kept of what a call failed with."""

_EMPTY: tuple[Any, ...] = (None, "", {}, [])


class CallLog:
    """Told of each call as it starts and ends."""

    def __init__(self) -> None:
        self.returned: Counter[str] = Counter()
        """Calls that gave a result, by tool."""
        self.told_something = False
        """Whether a result was more than an empty value, such as the `{}` of a patch."""
        self.failed: dict[str, str] = {}
        """The first error of each tool that failed."""
        self._unfinished: Counter[str] = Counter()

    @property
    def stopped(self) -> Counter[str]:
        """Calls that the cell's end cut off, by tool; ask only after the cell has ended."""
        return +self._unfinished

    def started(self, call: Call) -> None:
        """A call came in."""
        if call.tool in self._unfinished or len(self._unfinished) < NAMES:
            self._unfinished[call.tool] += 1

    def ended(self, call: Call) -> None:
        """It has its outcome now."""
        if call.tool not in self._unfinished or call.outcome is CallOutcome.CANCELLED:
            return
        self._unfinished[call.tool] -= 1
        if call.outcome is CallOutcome.OK:
            self.returned[call.tool] += 1
            self.told_something |= call.result not in _EMPTY
        else:
            first_line = (call.error or "").split("\n", 1)[0]
            self.failed.setdefault(call.tool, first_line[:LONGEST_ERROR])
