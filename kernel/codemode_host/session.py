"""Sessions: cells that share stored values (contract 5, 11.3). Sans-I/O."""

from __future__ import annotations

from collections.abc import Collection

import msgspec
from codemode_rules.identifiers import normalise

from codemode_host.cell import Cell, CellSpec
from codemode_host.delegates import Delegates
from codemode_host.effects import Effect, Send
from codemode_host.handshake import CELL_BEGUN, CONTENT_STREAM
from codemode_host.observation import Observer
from codemode_host.output import BufferedOutput, StreamedOutput
from codemode_host.requests import Requests
from codemode_host.stored import Stored
from codemode_host.wire import CellClosed, CellExecutionLimits, ExecuteRequest, SessionClosed
from codemode_host.worker_payloads import Start, ToolFace

MAX_OPEN_CELLS = 2048
"""Cells of a connection that are not closed, uncollected results included (contract 11.7)."""

TOO_MANY_CELLS = "code-mode host has too many active cells"


class CellPermits:
    """Counts the open cells of a connection, over all its sessions."""

    def __init__(self) -> None:
        self._taken = 0

    def take(self) -> bool:
        """Whether one more may be opened; it then counts."""
        if self._taken >= MAX_OPEN_CELLS:
            return False
        self._taken += 1
        return True

    def release(self) -> None:
        self._taken -= 1


class Session:
    """Numbers cells from 1, keeps what they store, and closes when its last cell has."""

    def __init__(
        self,
        session_id: str,
        limits: CellExecutionLimits,
        capabilities: Collection[str],
        catchable_exit: bool,
        requests: Requests,
        delegates: Delegates,
        permits: CellPermits,
        effects: list[Effect],
    ) -> None:
        self.id = session_id
        self._cap_ms = limits.max_yield_time_ms
        self._heap_bytes = limits.max_heap_size_bytes
        self._capabilities = capabilities
        self._catchable_exit = catchable_exit
        self._requests = requests
        self._delegates = delegates
        self._permits = permits
        self._effects = effects
        self._last_cell = 0
        self._cells: dict[str, Cell] = {}
        self._stored = Stored()
        self._shutdown_id: int | None = None

    def execute(self, observer: Observer, request: ExecuteRequest, now: int) -> None:
        """A new cell, for which a worker is asked."""
        if not self._permits.take():
            self._requests.refuse(observer.request_id, TOO_MANY_CELLS)
            return
        self._last_cell += 1
        cell_id = str(self._last_cell)
        spec = CellSpec(
            self.id,
            cell_id,
            request.tool_call_id,
            request.enabled_tools,
            request.source,
            request.yield_time_ms,
            self._cap_ms,
            CELL_BEGUN in self._capabilities,
        )
        output = (
            StreamedOutput(self.id, cell_id, self._effects)
            if CONTENT_STREAM in self._capabilities
            else BufferedOutput()
        )
        cell = Cell(spec, self, output, self._requests, self._delegates, self._effects)
        self._cells[cell_id] = cell
        cell.begin(observer, now)

    def wait(self, observer: Observer, cell_id: str, yield_time_ms: int, now: int) -> None:
        cell = self._cells.get(cell_id)
        if cell is None:
            self._requests.missing(observer, cell_id, now)
        else:
            cell.observe(observer, yield_time_ms, now)

    def terminate(self, observer: Observer, cell_id: str, now: int) -> None:
        cell = self._cells.get(cell_id)
        if cell is None:
            self._requests.missing(observer, cell_id, now)
        else:
            cell.terminate(observer, now)

    def shut_down(self, request_id: int, now: int) -> None:
        """Terminate every cell; answered once they are closed."""
        cells = list(self._cells.values())
        self._shutdown_id = request_id
        for cell in cells:
            cell.terminate(None, now)
        if not cells:
            self._close_if_empty()

    def stored_values(self) -> dict[str, msgspec.Raw]:
        """The committed values, in the order in which their keys were first stored."""
        return self._stored.raws()

    def clear_stored_values(self, key: str | None) -> None:
        """Forget all, or that of `key`; running cells keep the snapshot they started with."""
        if key is None:
            self._stored.clear()
        else:
            self._stored.remove(key)

    # What a cell wants of its session

    def start_payload(self, cell: Cell) -> bytes:
        """The cell sees the values that are stored now."""
        faces = [ToolFace(normalise(tool.name), tool.description) for tool in cell.spec.tools]
        start = Start(
            source=cell.spec.source,
            tools=msgspec.json.encode(faces).decode(),
            stored=self._stored.texts(),
            catchable_exit=self._catchable_exit,
            heap_bytes=self._heap_bytes,
        )
        return msgspec.json.encode(start)

    def commit(self, writes: Stored) -> bool:
        """Last committer wins, key by key (contract 5)."""
        return self._stored.merge(writes)

    def closed(self, cell: Cell) -> None:
        del self._cells[cell.id]
        self._permits.release()
        self._effects.append(Send(CellClosed(self.id, cell.id)))
        self._close_if_empty()

    def _close_if_empty(self) -> None:
        if self._shutdown_id is not None and not self._cells:
            self._requests.respond(self._shutdown_id, SessionClosed(self.id))
            self._shutdown_id = None
