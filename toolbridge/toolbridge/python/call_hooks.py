"""What a Python tool can say and learn while it runs: `progress(...)` and `cancelled()`."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextvars import ContextVar

from toolbridge.calls import Progress

PERIOD_S = 0.05
"""Progress that comes sooner after the last is passed over, in seconds; the end never is."""


class CallHooks:
    """Of one call. Any thread of the call may use them."""

    def __init__(self, on_progress: Callable[[Progress], None]) -> None:
        self.is_cancelled = False
        """Set when nobody waits for the result any more."""
        self._on_progress = on_progress
        self._last = 0.0

    def tell(self, progress: Progress) -> None:
        """Pass on how far the call is, in its turn."""
        now = time.monotonic()
        if now - self._last >= PERIOD_S or progress.done == progress.total:
            self._last = now
            self._on_progress(progress)


current_hooks: ContextVar[CallHooks | None] = ContextVar("current_hooks", default=None)
"""Of the call that the running code belongs to; tasks and `asyncio.to_thread` inherit it."""


def progress(done: float, total: float | None = None, message: str | None = None) -> None:
    """Say how far the tool is, in any unit; the person sees a bar. Outside a call nothing happens,
    and neither where `done` is no finite number."""
    hooks = current_hooks.get()
    told = Progress.told(done, total, message)
    if hooks is not None and told is not None:
        hooks.tell(told)


def cancelled() -> bool:
    """Whether nobody waits for the result any more.

    An async tool is cancelled by itself; a sync one that runs long looks here and ends.
    """
    hooks = current_hooks.get()
    return hooks is not None and hooks.is_cancelled
