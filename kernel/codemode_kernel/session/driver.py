"""Drives cells on one host: sends what they need and applies what the host answers.

Theory of operation. The host holds a cell's result back until somebody observes it, and does not
say that a cell has ended. So the driver observes every running cell itself, always: the first
observation is the execute, and when that yields, a wait without a deadline takes its place at
once (`cell.watch`). An exec or a wait of the user is an `Observer` attached to the cell; its
deadline is a timer here, which makes the host end the watch with `operation/yield`. So time can
stand still while a person is being asked, the end of a cell is known when it happens, and no
ended cell occupies the host. A yield that comes while nobody observes is dropped, as the contract
wants it (4.2).

A host without `yield-observation` gets real deadlines, and is asked about a cell only when a user
waits for it. A host without `content-stream-v1` gives items with each answer. Both kinds answer a
terminate twice, to the watch and to itself, with the same items: the first of the two counts.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Sequence
from functools import partial

from codemode_host.client import HostClient
from codemode_host.errors import (
    DelegateError,
    FrameTooLong,
    HostError,
    HostGone,
    ProtocolError,
    RequestRefused,
)
from codemode_host.handshake import (
    CELL_BEGUN,
    HOST_DESCRIPTION,
    STORED_VALUES,
    YIELD_OBSERVATION,
)
from codemode_host.launch import LaunchedHost
from codemode_host.wire import (
    CellBegun,
    CellClosed,
    CellContent,
    ClearStored,
    ContentItem,
    DescribeHost,
    Execute,
    ExecuteRequest,
    ExecutionStarted,
    HostDescription,
    Invocation,
    ListStored,
    NotificationSend,
    OpenSession,
    OperationValue,
    Result,
    RuntimeResponse,
    ShutdownSession,
    StoredValues,
    Terminate,
    Terminated,
    Wait,
    WaitCompleted,
    WaitRequest,
)
from msgspec import UNSET, Raw

from codemode_kernel.errors import CellRefused, HostUnavailable, NotOffered
from codemode_kernel.fault_log import fault_of
from codemode_kernel.session.cells import Cell, Outcome
from codemode_kernel.session.deadline import FOREVER_MS
from codemode_kernel.session.events import (
    CellEnded,
    CellStarted,
    CellYielded,
    HostLost,
    Notified,
    OutputWaiting,
    SessionEvent,
)
from codemode_kernel.session.generations import public_id
from codemode_kernel.session.observation import Status
from codemode_kernel.session.observer import Ending
from codemode_kernel.session.tool_calls import ToolCalls

log = logging.getLogger(__name__)

TERMINATE_S = 10.0
"""How long a host may take to end a cell before it is given up and killed, in seconds."""

SHUTDOWN_S = 10.0
"""How long a host may take to shut a session down, in seconds."""

LOST_ADVICE = (
    "The cell is lost. The next cell starts a new host; the stored values went with the old one."
)
REFUSED_ADVICE = {
    "code-mode host has too many active cells": (
        "%cells lists the cells that still run; %terminate ends one, %reset all of them."
    )
}
NO_HOST_ADVICE = "CodeModeKernel.host_command names the program that is started."

REWATCH_S = 0.05
"""Pause before a cell that yielded unobserved is observed again, in seconds."""


class Driver:
    """One connection to a host, with one open session at a time. A `HostListener`."""

    _client: HostClient

    def __init__(
        self, generation: int, tool_calls: ToolCalls, emit: Callable[[SessionEvent], None]
    ) -> None:
        self._generation = generation
        self._tool_calls = tool_calls
        self._emit = emit
        self._session_number = 0
        self._cells: dict[str, Cell] = {}
        self._terminating: set[Cell] = set()

    @classmethod
    async def open(
        cls,
        launched: LaunchedHost,
        generation: int,
        tool_calls: ToolCalls,
        emit: Callable[[SessionEvent], None],
    ) -> Driver:
        """Connect to a launched host and open a session; raises `HostUnavailable`."""
        driver = cls(generation, tool_calls, emit)
        try:
            driver._client = await HostClient.connect(launched, driver)
            try:
                await driver._open_session()
            except HostError:
                await driver._client.close()
                raise
        except HostError as error:
            raise HostUnavailable(str(error), NO_HOST_ADVICE) from error
        return driver

    async def _open_session(self) -> None:
        self._session_number += 1
        await self._client.call(OpenSession(self._session_id))

    @property
    def _session_id(self) -> str:
        return f"notebook-{self._session_number}"

    @property
    def gone(self) -> bool:
        """Whether the host is there no more."""
        return self._client.gone

    @property
    def keeps_time(self) -> bool:
        """Whether deadlines are timers of ours: the host can be told to yield."""
        return YIELD_OBSERVATION in self._client.capabilities

    @property
    def host_pid(self) -> int:
        """Process id of the host."""
        return self._client.pid

    # What cells need

    def start(self, cell: Cell, yield_time_ms: int) -> None:
        """Ask for a new cell; raises `CellRefused` and `HostUnavailable`.

        `yield_time_ms` is the observation's deadline, without grace.
        """
        request = ExecuteRequest(
            tool_call_id=cell.tool_call_id,
            enabled_tools=self._tool_calls.equip(cell),
            source=cell.code,
            yield_time_ms=FOREVER_MS if self.keeps_time and yield_time_ms else yield_time_ms,
        )
        try:
            cell.watch = self._client.submit(
                Execute(self._session_id, request),
                partial(self._on_started, cell),
                partial(self._on_initial, cell),
            )
        except FrameTooLong as error:
            raise CellRefused(f"code-mode request exceeds the IPC frame limit: {error}") from error
        except HostGone as error:
            raise HostUnavailable(str(error), LOST_ADVICE) from error

    def watch(self, cell: Cell, yield_time_ms: int = FOREVER_MS) -> None:
        """Observe a running cell, unless it is being observed."""
        if cell.watch is not None or cell.host_id is None or cell.over or self.gone:
            return
        request = WaitRequest(cell.host_id, FOREVER_MS if self.keeps_time else yield_time_ms)
        cell.watch = self._client.submit(
            Wait(self._session_id, request), partial(self._on_waited, cell)
        )

    def yield_now(self, cell: Cell) -> bool:
        """End the cell's observation; False where the host cannot."""
        if cell.watch is None or cell.host_id is None or not self.keeps_time:
            return False
        self._client.yield_now(cell.watch)
        return True

    def terminate(self, cell: Cell) -> None:
        """End the cell, now or as soon as it has an id. A host that does not do it is killed."""
        if cell.host_id is None or self.gone:
            return
        self._client.submit(
            Terminate(self._session_id, cell.host_id), partial(self._on_terminated, cell)
        )
        self._terminating.add(cell)
        asyncio.get_running_loop().call_later(TERMINATE_S, self._lose_patience, cell)

    def _lose_patience(self, cell: Cell) -> None:
        if not cell.over:
            self._client.kill(f"code-mode host did not end cell {cell.id} within {TERMINATE_S:g} s")

    async def stored_values(self) -> dict[str, str]:
        """Key to JSON text; raises `NotOffered`, `HostUnavailable`."""
        value = await self._ask_about_stored(ListStored(self._session_id))
        assert isinstance(value, StoredValues)
        return {key: bytes(json).decode() for key, json in value.values.items()}

    async def clear_stored_values(self, key: str | None) -> None:
        """Running cells keep what they see; raises `NotOffered`, `HostUnavailable`."""
        await self._ask_about_stored(ClearStored(self._session_id, key))

    async def describe_host(self) -> HostDescription:
        """Engine and hardening; raises `NotOffered`, `HostUnavailable`."""
        if HOST_DESCRIPTION not in self._client.capabilities:
            raise NotOffered("The host in use does not describe itself.")
        value = await self._ask(DescribeHost(self._session_id))
        assert isinstance(value, HostDescription)
        return value

    @property
    def capabilities(self) -> frozenset[str]:
        """What the host offers of what a session can use."""
        return self._client.capabilities

    async def _ask_about_stored(self, request: ListStored | ClearStored) -> OperationValue:
        if STORED_VALUES not in self._client.capabilities:
            raise NotOffered("The host in use cannot tell what is stored.")
        return await self._ask(request)

    async def _ask(self, request: ListStored | ClearStored | DescribeHost) -> OperationValue:
        try:
            return await self._client.call(request)
        except RequestRefused as error:
            raise NotOffered(str(error)) from error
        except HostGone as error:
            raise HostUnavailable(str(error), LOST_ADVICE) from error

    # What the host answers

    def _on_started(self, cell: Cell, answer: OperationValue | HostError) -> None:
        if isinstance(answer, HostError):
            cell.watch = None
            gone = isinstance(answer, HostGone)
            cell.end(Outcome(Status.FAILED, str(answer), lost=gone))
            if cell.observer is not None:
                refused = CellRefused(str(answer), REFUSED_ADVICE.get(str(answer), ""))
                cell.observer.fail(HostUnavailable(str(answer), LOST_ADVICE) if gone else refused)
            return
        assert isinstance(answer, ExecutionStarted)
        if answer.cell_id in self._cells:
            raise ProtocolError(f"code-mode host reused cell ID {answer.cell_id}")
        cell.start(answer.cell_id, public_id(answer.cell_id, self._generation))
        self._cells[answer.cell_id] = cell
        self._emit(CellStarted(cell))
        if cell.end_wished:
            self.terminate(cell)
        elif cell.observer is not None and CELL_BEGUN not in self._client.capabilities:
            cell.observer.start_deadline()

    def _on_initial(self, cell: Cell, answer: RuntimeResponse | HostError) -> None:
        if isinstance(answer, RuntimeResponse):
            self._apply(cell, answer, initial=True)
        elif not isinstance(answer, HostGone):  # `lost` tells of that
            self._fail(cell, answer)

    def _on_waited(self, cell: Cell, answer: OperationValue | HostError) -> None:
        if isinstance(answer, WaitCompleted):
            if not self._apply_live(cell, answer) and not cell.over:
                self._vanish(cell)
        elif isinstance(answer, HostError) and not isinstance(answer, HostGone):
            self._fail(cell, answer)

    def _on_terminated(self, cell: Cell, answer: OperationValue | HostError) -> None:
        self._terminating.discard(cell)
        # A refusal means that the cell is ending already: the watch tells how.
        if (
            isinstance(answer, WaitCompleted)
            and not self._apply_live(cell, answer)
            and cell.watch is None
            and not cell.over
        ):
            self._vanish(cell)

    def _apply_live(self, cell: Cell, answer: WaitCompleted) -> bool:
        """Apply what is said of a cell that the host knows; False when it does not."""
        response = answer.outcome.live_cell
        if not isinstance(response, RuntimeResponse):
            return False
        self._apply(cell, response)
        return True

    def _vanish(self, cell: Cell) -> None:
        """The host knows the cell no more, though nobody collected its result.

        A wait that reaches the Codex host while it ends a cell is answered so; the terminate's
        own answer has the output then.
        """
        cell.watch = None
        if cell in self._terminating:
            return
        error_text = None if cell.end_wished else f"exec cell {cell.host_id} not found"
        status = Status.TERMINATED if cell.end_wished else Status.FAILED
        self._end(cell, Outcome(status, error_text), None)

    def _apply(self, cell: Cell, response: RuntimeResponse, *, initial: bool = False) -> None:
        """An observation by the host ended."""
        body = response.body
        if body.cell_id != cell.host_id:
            raise ProtocolError(
                f"code-mode host answered for cell {body.cell_id} instead of {cell.host_id}"
            )
        if cell.over:
            return  # the second answer to a terminate
        if body.content_seq not in (UNSET, cell.item_count):
            raise ProtocolError(
                f"code-mode host counts {body.content_seq} items of cell {cell.host_id}, "
                f"not the {cell.item_count} it sent"
            )
        self._take(cell, body.content_items)
        duration_s = body.code_mode_host_duration_ns / 1e9 if initial else None
        if isinstance(body, Result):
            said = body.error_text
            status = Status.COMPLETED if said is None else Status.FAILED
            error_text = None if said is None else cell.secrets.left_out_of(said)
            self._end(cell, Outcome(status, error_text), duration_s)
        elif isinstance(body, Terminated):
            self._end(cell, Outcome(Status.TERMINATED), None)
        else:
            self._yield(cell, duration_s)

    def _end(self, cell: Cell, outcome: Outcome, duration_s: float | None) -> None:
        cell.end(outcome)
        if cell.observer is not None:
            cell.observer.finish(Ending(outcome.status, outcome.error_text, duration_s))
        self._emit(CellEnded(cell))

    def _yield(self, cell: Cell, duration_s: float | None) -> None:
        cell.watch = None
        observer = cell.observer
        if observer is not None:
            observer.finish(Ending(Status.RUNNING, host_duration_s=duration_s))
            cell.observer = None
            self._emit(CellYielded(cell))
        if not self.keeps_time:
            return
        if observer is not None:
            self.watch(cell)
        else:
            # A script may yield in a loop; nobody watches, so there is no hurry.
            asyncio.get_running_loop().call_later(REWATCH_S, self.watch, cell)

    def _take(self, cell: Cell, items: Sequence[ContentItem]) -> None:
        if not items:
            return
        try:
            cell.take(items)
        except Exception as error:  # noqa: BLE001 - logged without its text
            # What a sink does wrong costs the observation it belongs to, not the host.
            log.error("The outputs of cell %s could not be shown: %s", cell.id, fault_of(error))
            if cell.observer is not None:
                cell.observer.fail(error)
        if not cell.observed:
            self._emit(OutputWaiting(cell))

    def _fail(self, cell: Cell, error: HostError) -> None:
        """The host refused an observation; the cell goes on as far as is known."""
        cell.watch = None
        if cell.observer is not None:
            cell.observer.fail(CellRefused(str(error)))
            cell.observer = None

    # HostListener

    def begun(self, begun: CellBegun) -> None:
        """The time of the cell's first observation begins to run."""
        cell = self._cells.get(begun.cell_id)
        if cell is None:
            raise ProtocolError(f"code-mode host began unknown cell {begun.cell_id}")
        if cell.observer is not None:
            cell.observer.start_deadline()

    def content(self, content: CellContent) -> None:
        """Items of a cell, as it emits them."""
        cell = self._cells.get(content.cell_id)
        if cell is None or content.seq != cell.item_count + 1:
            raise ProtocolError(f"code-mode host sent content of cell {content.cell_id} astray")
        self._take(cell, content.items)

    def closed(self, cell: CellClosed) -> None:
        """The host has forgotten the cell; no call of it is in progress any more."""
        if self._cells.pop(cell.cell_id, None) is None:
            raise ProtocolError(f"code-mode host closed unknown cell {cell.cell_id}")

    def lost(self, error: HostGone) -> None:
        """The host is gone: every cell of it has ended, whether somebody observes it or not."""
        self._end_all(Outcome(Status.FAILED, str(error), lost=True))
        self._emit(HostLost(str(error)))

    async def call_tool(self, session_id: str, invocation: Invocation) -> Raw:
        """Run a nested call of a cell."""
        return await self._tool_calls.run(self._running(invocation.cell_id), invocation)

    def notify(self, session_id: str, notification: NotificationSend) -> None:
        """Pass a notification on."""
        self._emit(Notified(self._running(notification.cell_id), notification.text))

    def _running(self, host_id: str) -> Cell:
        try:
            return self._cells[host_id]
        except KeyError:
            raise DelegateError(f"exec cell {host_id} not found") from None

    # The end

    async def restart_session(self) -> None:
        """End all cells and clear the stored values; the host numbers cells from 1 again.

        Raises `HostUnavailable` when the host fails at it; it is killed then.
        """
        for cell in self._cells.values():
            cell.end_wished = True
        try:
            async with asyncio.timeout(SHUTDOWN_S):
                await self._client.call(ShutdownSession(self._session_id))
                await self._open_session()
        except TimeoutError:
            self._client.kill(f"code-mode host did not shut down within {SHUTDOWN_S:g} s")
        except HostError as error:
            raise HostUnavailable(str(error)) from error
        self._end_all(Outcome(Status.TERMINATED))

    async def close(self) -> None:
        """End all cells and the host; returns when its process is reaped."""
        await self._client.close()
        self._end_all(Outcome(Status.TERMINATED))

    def _end_all(self, outcome: Outcome) -> None:
        cells, self._cells = list(self._cells.values()), {}
        for cell in cells:
            if cell.over:
                continue
            if outcome.lost and cell.observer is not None:
                cell.observer.fail(HostUnavailable(outcome.error_text or "", LOST_ADVICE))
            self._end(cell, outcome, None)
