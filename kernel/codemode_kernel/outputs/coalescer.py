"""Gathers small pieces of text into few stream messages.

The Jupyter server cuts a kernel off at 1,000 messages a second, and a message costs far more
than a line. So the first piece after a pause goes out at once (a person sees it without delay),
and what follows within `INTERVAL_S` waits for the rest of that interval or for `SIZE` characters,
whichever comes first.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable

INTERVAL_S = 0.02
"""Longest time a piece is held back, in seconds."""

SIZE = 64 * 1024
"""Held back characters that are sent without waiting for the interval."""


class Coalescer:
    """One stream of one cell. `flush` before any other message of that cell and at its end."""

    def __init__(self, publish: Callable[[str], None], loop: asyncio.AbstractEventLoop) -> None:
        self._publish = publish
        self._loop = loop
        self._pieces: list[str] = []
        self._size = 0
        self._last = float("-inf")
        self._timer: asyncio.TimerHandle | None = None

    def write(self, text: str) -> None:
        """Take `text` over; it is published now or at most `INTERVAL_S` later."""
        self._pieces.append(text)
        self._size += len(text)
        if self._size >= SIZE or self._loop.time() - self._last >= INTERVAL_S:
            self.flush()
        elif self._timer is None:
            self._timer = self._loop.call_at(self._last + INTERVAL_S, self.flush)

    def flush(self) -> None:
        """Publish what is held back."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if not self._pieces:
            return
        text = "".join(self._pieces)
        self._pieces.clear()
        self._size = 0
        self._last = self._loop.time()
        self._publish(text)
