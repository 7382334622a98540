"""What Stop means. Sans-I/O: times come in as arguments, actions are callbacks.

Stop ends what is in the foreground: an exec cell, a Python cell, or a wait. A second Stop soon
after a wait was ended ends the cell that was waited for. With nothing in the foreground Stop ends
nothing. Stop travels on another channel than the cell it is meant for and may overtake it, so an
idle Stop is remembered for a moment and applied to a cell that was sent before it.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import TypeAlias

Action: TypeAlias = Callable[[], object]

SECOND_STOP_S = 2.0
"""How long a second Stop ends the awaited cell, in seconds."""

OVERTAKING_S = 5.0
"""How long an idle Stop is kept for a cell that it overtook, in seconds. By their dates the cell was
sent before it, so this bounds only how busy the kernel may have been."""


class Interrupts:
    """Decides what each Stop does."""

    def __init__(self, on_idle: Action) -> None:
        """`on_idle` tells the person what an idle Stop did not end."""
        self._on_idle = on_idle
        self._foreground: Action | None = None
        self._second: tuple[float, Action] | None = None
        self._idle: tuple[float, datetime] | None = None

    def enter(self, stop: Action) -> None:
        """From now on a Stop calls `stop`: something runs in the foreground."""
        self._foreground = stop
        self._second = None

    def leave(self) -> None:
        """Nothing runs in the foreground any more."""
        self._foreground = None

    def arm_second(self, now: float, action: Action) -> None:
        """A Stop within `SECOND_STOP_S` calls `action`, unless other work came between."""
        self._second = (now + SECOND_STOP_S, action)

    def arrive(self, now: float, sent: datetime | None) -> None:
        """A Stop arrived at `now` (monotonic seconds).

        `sent` is when it was sent; None for a signal, which does not say.
        """
        if self._second is not None and now <= self._second[0]:
            action = self._second[1]
            self._second = None
            action()
        elif self._foreground is not None:
            self._foreground()
        else:
            self._idle = (now, sent) if sent else None
            self._on_idle()

    def overtook(self, now: float, sent: datetime) -> bool:
        """Whether a Stop that came before the cell sent at `sent` was meant for it."""
        idle, self._idle = self._idle, None
        return idle is not None and now - idle[0] <= OVERTAKING_S and sent < idle[1]
