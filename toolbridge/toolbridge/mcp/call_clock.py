"""The time limit of one call. It stands still while a person is asked."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager


class CallClock:
    """Around one call: `async with clock: ...` raises `TimeoutError` when the time has run out."""

    def __init__(self, limit_s: float) -> None:
        self._limit_s = limit_s
        self._questions = 0
        self._timeout = asyncio.timeout(limit_s)
        self._is_running = False

    async def __aenter__(self) -> CallClock:
        await self._timeout.__aenter__()
        self._is_running = True
        return self

    async def __aexit__(self, kind: object, error: object, traceback: object) -> None:
        self._is_running = False
        await self._timeout.__aexit__(kind, error, traceback)  # type: ignore[arg-type]

    @property
    def has_run_out(self) -> bool:
        """Whether a `TimeoutError` is this clock's own."""
        return self._timeout.expired()

    def start_anew(self) -> None:
        """The tool has shown that it is at work."""
        if self._is_running and not self._questions and not self.has_run_out:
            self._timeout.reschedule(asyncio.get_running_loop().time() + self._limit_s)

    @contextmanager
    def stopped(self) -> Iterator[None]:
        """Count nothing in this block; after it the call has its whole time again."""
        self._questions += 1
        if self._is_running and not self.has_run_out:
            self._timeout.reschedule(None)
        try:
            yield
        finally:
            self._questions -= 1
            self.start_anew()
