"""One thread that writes, and a bound to what may wait for it."""

from __future__ import annotations

import asyncio
import queue
import threading
from collections.abc import Callable
from contextlib import suppress

MAX_PENDING = 64 * 1024 * 1024
"""Characters that may wait to be written, of all cells together."""


class Writer:
    """Performs jobs one after the other. The thread starts with the first one.

    It is a daemon: a disk that hangs does not keep the kernel from ending.
    """

    def __init__(self, max_pending: int = MAX_PENDING) -> None:
        self._max_pending = max_pending
        self._pending = 0
        self._lock = threading.Lock()
        self._jobs: queue.SimpleQueue[tuple[int, Callable[[], None]] | None] = queue.SimpleQueue()
        self._thread: threading.Thread | None = None

    def offer(self, size: int, job: Callable[[], None]) -> bool:
        """Perform `job`, which holds `size` characters, later; False when too much waits."""
        with self._lock:
            if size and self._pending + size > self._max_pending:
                return False
            self._pending += size
        if self._thread is None:
            self._thread = threading.Thread(target=self._serve, name="captures", daemon=True)
            self._thread.start()
        self._jobs.put((size, job))
        return True

    async def drained(self, timeout_s: float) -> bool:
        """Wait until everything that was offered so far is done; False when it takes too long."""
        if self._thread is None:
            return True
        loop = asyncio.get_running_loop()
        done: asyncio.Future[None] = loop.create_future()

        def note() -> None:
            if not done.done():
                done.set_result(None)

        def tell() -> None:
            with suppress(RuntimeError):  # nobody waits any more: the loop is closed
                loop.call_soon_threadsafe(note)

        self.offer(0, tell)
        try:
            await asyncio.wait_for(done, timeout_s)
        except TimeoutError:
            return False
        return True

    def close(self) -> None:
        """Let the thread end once it has done what was offered."""
        self._jobs.put(None)

    def _serve(self) -> None:
        while (entry := self._jobs.get()) is not None:
            size, job = entry
            try:
                job()
            finally:
                with self._lock:
                    self._pending -= size
