"""The workers of a host: a pool of warm spares over a launcher.

A spare is taken in no time, a fork takes 3 ms, and forking competes with the cell that was just
started for the processor. So there are enough spares that cells find one also back to back, and
the next are started at once only when none is left, otherwise a little later, when the cells that
took them have had their turn.
"""

from __future__ import annotations

import asyncio
import logging
import os
import sys
from collections import deque
from collections.abc import Mapping
from typing import Literal

from codemode_host.engine.forked import ForkLauncher
from codemode_host.engine.launcher import Launcher
from codemode_host.engine.link import Worker
from codemode_host.engine.report import EngineReport
from codemode_host.engine.spawned import SpawnLauncher
from codemode_host.engine.zygote import Zygote
from codemode_host.errors import EngineError

REFILL_DELAY_S = 0.01
REVIVE_DELAY_S = 1.0
"""How long after a spare died unused another is started: no loop of dying processes."""
CROWD = 64
"""From so many living workers on, `CROWD_SPARES` have to do: each takes 1.5 MiB of memory."""
CROWD_SPARES = 2
START_ATTEMPTS = 3
"""A worker may die before it is ready with no fault of its own, as when its zygote dies."""
READY_TIMEOUT_S = 20.0
CLOSE_TIMEOUT_S = 5.0

Mode = Literal["auto", "fork", "subprocess"]

logger = logging.getLogger(__name__)

__all__ = ["Mode", "Worker", "Workers"]


def make_launcher(mode: Mode = "auto", zygote: Zygote | None = None) -> Launcher:
    """The launcher for `mode`; "auto" forks where that is safe, on Linux with pidfds.

    `zygote` is one that was forked before the event loop started, if any.
    """
    if mode == "fork" or (mode == "auto" and _can_fork()):
        return ForkLauncher(zygote)
    return SpawnLauncher()


def _can_fork() -> bool:
    """Whether a fork is safe here and can be held by a pidfd (Linux 5.3)."""
    if sys.platform != "linux":
        return False
    try:
        os.close(os.pidfd_open(os.getpid()))
    except OSError:
        return False
    return True


class Workers:
    """Gives out workers that are ready for a cell."""

    def __init__(self, launcher: Launcher | None = None) -> None:
        self.layers: Mapping[str, str] = {}
        """Hardening report of the newest worker: "active" or the reason why not, by layer."""
        self._launcher = launcher or make_launcher()
        self._spares: deque[Worker] = deque()
        self._takers: deque[asyncio.Future[Worker]] = deque()
        self._starting: set[asyncio.Task[None]] = set()
        self._alive: set[Worker] = set()
        self._refill: asyncio.TimerHandle | None = None
        self._closed = False

    def report(self) -> EngineReport:
        """What runs the cells."""
        from importlib.metadata import version

        return EngineReport(f"QuickJS (quickjs-ng {version('quickjs-ng')})", self.layers)

    async def start(self) -> None:
        """Begin to warm the spares; does not wait for them."""
        self._top_up()

    async def take(self) -> Worker:
        """A ready worker, a warm one if there is one; raises `EngineError`."""
        if self._closed:
            raise EngineError("the engine is closed")
        if spare := self.take_spare():
            return spare
        taker: asyncio.Future[Worker] = asyncio.get_running_loop().create_future()
        self._takers.append(taker)
        self._plan_refill()
        return await taker

    def take_spare(self) -> Worker | None:
        """A warm worker at once, if there is one."""
        while self._spares:
            worker = self._spares.popleft()
            if worker.alive:
                self._plan_refill()
                return worker
        return None

    async def close(self) -> None:
        """Kill every worker and the zygote, and wait until they are gone."""
        self._closed = True
        if self._refill is not None:
            self._refill.cancel()
        for task in self._starting:
            task.cancel()
        await asyncio.gather(*self._starting, return_exceptions=True)
        for taker in self._takers:
            if not taker.done():
                taker.set_exception(EngineError("the engine is closed"))
        gone = [worker.gone for worker in self._alive]
        for worker in self._alive:
            worker.kill()
        if gone:
            await asyncio.wait(gone, timeout=CLOSE_TIMEOUT_S)
        await self._launcher.close()

    def _plan_refill(self) -> None:
        """Start what is missing: at once for those who wait and when nothing is left."""
        self._start_up_to(len(self._takers) + (0 if self._spares else 1))
        self._top_up_in(REFILL_DELAY_S)

    def _top_up_in(self, delay_s: float) -> None:
        if self._refill is None and not self._closed:
            self._refill = asyncio.get_running_loop().call_later(delay_s, self._top_up)

    def _top_up(self) -> None:
        self._refill = None
        spares = self._launcher.spares
        if len(self._alive) >= CROWD:
            spares = min(spares, CROWD_SPARES)
        self._start_up_to(len(self._takers) + spares - len(self._spares))

    def _start_up_to(self, count: int) -> None:
        for _ in range(count - len(self._starting)):
            task = asyncio.create_task(self._bring_up())
            self._starting.add(task)
            task.add_done_callback(self._starting.discard)

    async def _bring_up(self) -> None:
        """Start one worker for the first who waits, else for the shelf."""
        for attempt in range(START_ATTEMPTS):
            try:
                worker = await self._start_worker()
                break
            except EngineError as error:
                logger.warning("%s", error)
                if attempt < START_ATTEMPTS - 1:
                    continue
                if taker := self._next_taker():
                    taker.set_exception(error)
                return
        if taker := self._next_taker():
            taker.set_result(worker)
        else:
            self._spares.append(worker)

    async def _start_worker(self) -> Worker:
        child = await self._launcher.launch()
        worker = Worker(child)
        self._alive.add(worker)
        child.ended.add_done_callback(lambda ended: self._forget(worker))
        try:
            async with asyncio.timeout(READY_TIMEOUT_S):
                self.layers = await worker.ready
        except TimeoutError as error:
            worker.kill()
            raise EngineError(f"a worker was not ready after {READY_TIMEOUT_S:g} s") from error
        return worker

    def _next_taker(self) -> asyncio.Future[Worker] | None:
        while self._takers:
            taker = self._takers.popleft()
            if not taker.done():
                return taker
        return None

    def _forget(self, worker: Worker) -> None:
        self._alive.discard(worker)
        if worker in self._spares:
            self._spares.remove(worker)
            self._top_up_in(REVIVE_DELAY_S)
