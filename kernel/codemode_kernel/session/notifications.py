"""Notifications that no model has got yet. Sans-I/O."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence

from codemode_kernel.session.observation import Notification

MOST = 10_000
"""Notifications that are kept for the next observation; the oldest make room."""

MOST_CHARACTERS = 32 * 1024 * 1024
"""Their texts together, but that the newest is kept whatever its length. A cell in the background
may notify for as long as nobody looks."""


class Pending:
    """Keeps what cells of a session notify until an observation takes it."""

    def __init__(self) -> None:
        self._kept: deque[Notification] = deque()
        self._characters = 0

    def add(self, notification: Notification) -> None:
        """One more came."""
        self._kept.append(notification)
        self._characters += len(notification.text)
        while len(self._kept) > 1 and self._is_too_much():
            self._characters -= len(self._kept.popleft().text)

    def _is_too_much(self) -> bool:
        return len(self._kept) > MOST or self._characters > MOST_CHARACTERS

    def take(self) -> Sequence[Notification]:
        """All of them, in order of arrival; none is kept any longer."""
        taken, self._kept = tuple(self._kept), deque()
        self._characters = 0
        return taken
