"""One cell at a time on real workers, with tools that echo their argument."""

import asyncio
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from codemode_host.engine.frames import Kind
from codemode_host.engine.workers import Worker, Workers

from tests.patience import PATIENCE_S

CELL_S = 3 * PATIENCE_S
"""Longest time for one cell: some fill a heap."""


@dataclass
class CellRun:
    """What a cell did, as its host sees it."""

    items: list[dict[str, Any]] = field(default_factory=list)
    calls: list[Any] = field(default_factory=list)
    """Arguments of the tool calls, in order."""
    stores: dict[str, str] = field(default_factory=dict)
    notifications: list[str] = field(default_factory=list)
    yields: int = 0
    error: str | None = None
    """The script's error text; None after success."""
    ended: str | None = None
    """Why the worker ended without an end of the cell; None after `DONE`."""

    @property
    def texts(self) -> list[str]:
        return [item["text"] for item in self.items if item["type"] == "input_text"]


class RunningCell:
    """A started cell: `run` grows until `end` is reached."""

    def __init__(self, worker: Worker) -> None:
        self.worker = worker
        self.run = CellRun()
        self.hold_calls = False
        """Leave tool calls without an answer."""
        self._changed = asyncio.Event()
        self._end: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        worker.attach(self._take, self._note_end)

    async def until(self, condition: Callable[[CellRun], bool]) -> None:
        """Wait until `condition` holds of what the cell did."""
        async with asyncio.timeout(CELL_S):
            while not condition(self.run):
                self._changed.clear()
                await self._changed.wait()

    async def end(self) -> CellRun:
        async with asyncio.timeout(CELL_S):
            await self._end
        return self.run

    def _take(self, kind: int, number: int, payload: bytes) -> None:
        run, value = self.run, json.loads(payload or b"null")
        if kind == Kind.ITEM:
            run.items.append(value)
        elif kind == Kind.CALL:
            run.calls.append(value[1])
            if not self.hold_calls:
                self.worker.send(Kind.RESULT, number, json.dumps(value[1]).encode())
        elif kind == Kind.STORE:
            run.stores[value[0]] = value[1]
        elif kind == Kind.NOTIFY:
            run.notifications.append(value)
        elif kind == Kind.YIELD:
            run.yields += 1
        elif kind == Kind.DONE:
            run.error = value
        self._changed.set()

    def _note_end(self, reason: str | None) -> None:
        self.run.ended = reason
        self._changed.set()
        if not self._end.done():  # given up by whoever waited too long
            self._end.set_result(None)


class Engine:
    """Workers, and cells to run on them."""

    def __init__(self, workers: Workers) -> None:
        self.workers = workers

    async def start(
        self,
        source: str,
        tools: Sequence[str] = ("echo",),
        stored: dict[str, str] | None = None,
        catchable_exit: bool = False,
        heap_bytes: int | None = None,
    ) -> RunningCell:
        cell = RunningCell(await self.workers.take())
        start = {
            "source": source,
            "tools": json.dumps([{"name": name, "description": f"does {name}"} for name in tools]),
            "stored": stored or {},
            "catchable_exit": catchable_exit,
        } | ({} if heap_bytes is None else {"heap_bytes": heap_bytes})
        cell.worker.send(Kind.START, 0, json.dumps(start).encode())
        return cell

    async def run(self, source: str, **options: Any) -> CellRun:
        cell = await self.start(source, **options)
        return await cell.end()
