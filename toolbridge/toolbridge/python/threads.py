"""Runs sync functions in threads, so that the event loop goes on.

The threads are daemons: a function that never returns does not keep the kernel from ending, which
the standard library's pool would. A thread that is free is used again.
"""

from __future__ import annotations

import asyncio
import contextvars
import queue
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import Any

MAX_THREADS = 128
"""Functions that run side by side; further ones wait their turn."""


class PythonThreads:
    """Daemon threads that grow with the demand, up to `MAX_THREADS`."""

    def __init__(self, max_threads: int = MAX_THREADS) -> None:
        self._max_threads = max_threads
        self._work: queue.SimpleQueue[_Work | None] = queue.SimpleQueue()
        self._threads = 0
        self._free = 0
        self._lock = threading.Lock()

    async def run(self, function: Callable[[], Any]) -> Any:
        """Call `function` in a thread, in the caller's context, and give what it gives.

        Raises what it raises, `SystemExit` and its kin included. On cancellation the caller is
        free at once; the function cannot be stopped and goes on.
        """
        work = _Work(function, asyncio.get_running_loop())
        with self._lock:
            grow = not self._free and self._threads < self._max_threads
            if grow:
                self._threads += 1
            elif self._free:
                self._free -= 1
        self._work.put(work)
        if grow:
            threading.Thread(target=self._serve, name="python tool", daemon=True).start()
        value, error = await work.outcome
        if error is not None:
            raise error
        return value

    def close(self) -> None:
        """Let the threads end as they become free; nothing may be run after that."""
        with self._lock:
            for _ in range(self._threads):
                self._work.put(None)

    def _serve(self) -> None:
        while (work := self._work.get()) is not None:
            work.do()
            with self._lock:
                self._free += 1  # before anybody hears of it and comes with more
            work.tell()
            del work  # or the last arguments and result would live on with a free thread


class _Work:
    """One function and the future of its outcome, a (value, error) pair."""

    def __init__(self, function: Callable[[], Any], loop: asyncio.AbstractEventLoop) -> None:
        self._function = function
        self._loop = loop
        self._context = contextvars.copy_context()
        self._settled: tuple[Any, BaseException | None] = (None, None)
        self.outcome: asyncio.Future[tuple[Any, BaseException | None]] = loop.create_future()

    def do(self) -> None:
        try:
            self._settled = (self._context.run(self._function), None)
        except BaseException as error:  # noqa: BLE001 - whatever it is, the caller gets it
            self._settled = (None, error)

    def tell(self) -> None:
        with suppress(RuntimeError):  # the loop has closed: nobody waits any more
            self._loop.call_soon_threadsafe(self._settle)

    def _settle(self) -> None:
        if not self.outcome.done():
            self.outcome.set_result(self._settled)
