"""A session: cells that share stored values, on one host, for one principal.

No Jupyter in here. Every method is called on the event loop.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from codemode_host.client.process import HostProcess
from codemode_host.errors import HostGone
from codemode_host.launch import LaunchedHost, launch
from codemode_host.wire import HostDescription
from codemode_rules.budget import PROMPT_MAX_TOKENS
from toolbridge.media import MediaPreparation

from codemode_kernel.errors import (
    CellBusy,
    CellTerminating,
    HostUnavailable,
    SessionError,
    StaleCell,
)
from codemode_kernel.model_view.model_view import ModelView, prompt_text
from codemode_kernel.session.cells import Cell, CellState, Origin
from codemode_kernel.session.deadline import FOREVER_MS, Deadline, with_grace
from codemode_kernel.session.driver import NO_HOST_ADVICE, Driver
from codemode_kernel.session.events import (
    CellCollected,
    CellEnded,
    CellForgotten,
    CellStarted,
    HostLost,
    Notified,
    SessionEvent,
)
from codemode_kernel.session.generations import generation_of
from codemode_kernel.session.notifications import Pending
from codemode_kernel.session.observation import Notification, Observation, Sink, Status
from codemode_kernel.session.observer import Ending, Observer
from codemode_kernel.session.tool_calls import ToolCalls
from codemode_kernel.session.waiting import Allowance
from toolbridge import Asker, Catalog, Toolbox

VALUES_LOST = (
    "The code-mode host ended unexpectedly ({reason}). This cell runs on a new one; "
    "stored values were lost."
)


@dataclass(frozen=True)
class SessionSettings:
    """What a user can set about sessions."""

    host_command: Sequence[str]
    """Program and arguments of a host that speaks protocol V1 on its stdin and stdout."""
    exec_yield_time_ms: int = 10_000
    """Default deadline of an exec, milliseconds; one second of grace is added from 10 s up."""
    wait_yield_time_ms: int = 10_000
    """Default deadline of a wait, likewise."""
    max_output_tokens: int = 10_000
    """Default output budget of an exec and of a wait, in tokens of 4 bytes."""
    prompt_max_tokens: int = PROMPT_MAX_TOKENS
    """What any one output may take of the prompt, likewise."""
    max_uncollected_cells: int = 256
    """Ended cells that may wait to be collected; the session collects the oldest past that."""


class Session:
    """Starts cells, observes them and ends them."""

    def __init__(
        self,
        settings: SessionSettings,
        toolbox: Toolbox,
        *,
        on_event: Callable[[SessionEvent], None] = lambda event: None,
        principal: str | None = None,
        catalog: Callable[[], Catalog] | None = None,
        launched: LaunchedHost | None = None,
        media: MediaPreparation | None = None,
    ) -> None:
        """Nothing runs before `start` or the first cell.

        `catalog` gives the tools of a cell that starts; by default all that the principal sees.

        `media` prepares images and sounds for a model and is closed with the session; without it
        they stay as they were emitted.

        `launched` is a host that was started before the event loop was there; it is the first
        one used.
        """
        self._settings = settings
        self._toolbox = toolbox
        self._on_event = on_event
        self._launched = launched
        self._media = media
        self._tool_calls = ToolCalls(toolbox, principal, self._emit, catalog)
        self._driver: Driver | None = None
        self._bringing_up = asyncio.Lock()
        self._closed = False
        self._generation = 1
        self._cells: dict[int, Cell] = {}
        self._by_id: dict[str, Cell] = {}
        self._last_serial = 0
        self._allowance = Allowance()
        self._notifications = Pending()
        self._notices: list[str] = []
        self.engine = ""
        """Name and version of the engine, once `describe_host` has told it."""

    # Life

    async def start(self) -> None:
        """Bring the host up ahead of the first cell; `HostUnavailable` when it does not come up."""
        await self._live_driver()

    async def _live_driver(self) -> Driver:
        async with self._bringing_up:
            if self._driver is None or self._driver.gone:
                self._driver = await self._bring_up()
            return self._driver

    async def _bring_up(self) -> Driver:
        if self._closed:
            raise HostUnavailable("code mode session is shutting down")
        launched, self._launched = self._launched, None
        try:
            launched = launched or launch(self._settings.host_command)
        except HostGone as error:
            raise HostUnavailable(str(error), NO_HOST_ADVICE) from error
        return await Driver.open(launched, self._generation, self._tool_calls, self._emit)

    @property
    def host_pid(self) -> int | None:
        """Process id of the host in use; None before the first and after the end of one."""
        return None if self._driver is None or self._driver.gone else self._driver.host_pid

    async def close(self) -> None:
        """End every cell, the host and its process; returns when the process is reaped."""
        self._closed = True
        async with self._bringing_up:
            await self._take_down()
        if self._media is not None:
            await self._media.close()

    async def restart(self) -> None:
        """End every cell and start a new host: stored values are lost, cell ids get a generation."""
        async with self._bringing_up:
            await self._take_down()
            self._generation += 1
        await self.start()

    async def _take_down(self) -> None:
        if self._launched is not None:
            launched, self._launched = self._launched, None
            launched.connection.close()
            await HostProcess(launched).end()
        if self._driver is not None:
            await self._driver.close()
            self._driver = None
        self._forget_all()

    async def reset(self) -> None:
        """End all cells and shells, clear the stored values, number cells from 1 (`%reset`)."""
        async with self._bringing_up:
            if self._driver is not None and not self._driver.gone:
                await self._driver.restart_session()
            self._forget_all()
        await self._toolbox.reset()

    def _forget_all(self) -> None:
        forgotten = [cell for cell in self._cells.values() if cell.over and not cell.observed]
        for cell in forgotten:
            self._remove(cell)
            self._emit(CellForgotten(cell))
        self._notifications.take()

    def _emit(self, event: SessionEvent) -> None:
        match event:
            case CellStarted(cell) if cell.id is not None:
                self._by_id[cell.id] = cell
            case Notified(cell, text):
                cell.notification_count += 1
                as_prompted = prompt_text(text, self._settings.prompt_max_tokens)
                note = Notification(cell.tool_call_id, cell.id or "", as_prompted)
                self._notifications.add(note)
            case HostLost(reason):
                self._generation += 1
                self._notices.append(VALUES_LOST.format(reason=reason.split("\n", 1)[0]))
        self._on_event(event)
        if isinstance(event, CellEnded) and not event.cell.observed:
            self._collect_oldest()

    # Cells

    def new_cell(
        self,
        code: str,
        *,
        origin: Origin | None = None,
        tool_call_id: str | None = None,
        asker: Asker | None = None,
        late_sink: Sink | None = None,
    ) -> Cell:
        """A cell in state STARTING. Pass it to `run`; `stop` works on it from now on.

        `asker` is who its nested calls may ask; None: nobody.
        """
        self._last_serial += 1
        return Cell(
            self._last_serial,
            code,
            origin=origin,
            tool_call_id=tool_call_id or f"exec-{self._last_serial}",
            asker=asker,
            late_sink=late_sink,
            allowance=self._allowance,
        )

    async def run(
        self,
        cell: Cell,
        sink: Sink | None,
        *,
        yield_time_ms: int | None = None,
        max_output_tokens: int | None = None,
        hold: bool = False,
    ) -> Observation:
        """Start a new cell and observe it until it ends, yields or reaches the deadline.

        Without a sink only a model sees the items. None takes the settings' default; `hold` sets
        the default deadline aside (for clients that would drop late output), an explicit
        `yield_time_ms` holds all the same.

        Raises `HostUnavailable` when the host dies or cannot be started, `CellRefused` with the
        host's words when it did not start the cell, and what the sink raises; the cell goes on then.
        """
        if yield_time_ms is None:
            yield_time_ms = FOREVER_MS if hold else self._settings.exec_yield_time_ms
        await self._toolbox.prepare(cell.code)
        self._cells[cell.serial] = cell
        observer = self._attach(cell, sink, max_output_tokens, cell.origin.label)
        try:
            driver = await self._live_driver()
            if driver.keeps_time and yield_time_ms:
                observer.deadline = self._deadline(cell, observer, yield_time_ms)
            driver.start(cell, yield_time_ms)
        except (SessionError, asyncio.CancelledError):
            cell.observer = None
            self._remove(cell)
            raise
        notices, self._notices = self._notices, []
        return await self._observe(cell, observer, notices)

    async def wait(
        self,
        cell_id: str,
        sink: Sink | None,
        *,
        yield_time_ms: int | None = None,
        max_tokens: int | None = None,
        terminate: bool = False,
        collector: str = "",
    ) -> Observation:
        """Observe a yielded cell: what waits goes to `sink` at once, then what comes.

        `collector` labels the notebook cell that waits. An unknown cell is an observation with
        `missing` set (contract 3.2). Raises `CellBusy` when it is being observed already,
        `CellTerminating` for a second terminate, `StaleCell` for a cell of an earlier host, and
        `HostUnavailable` when the host dies meanwhile.
        """
        cell = self.find(cell_id)
        if cell is None:
            return self._missing(cell_id)
        if terminate and cell.end_wished and not cell.over:
            raise CellTerminating(f"exec cell {cell_id} is already terminating")
        if cell.observed and not terminate:
            raise CellBusy(f"exec cell {cell_id} already has an active observer")
        if cell.observer is not None:
            return await self._end_observed(cell, cell.observer)
        observer = self._attach(cell, sink, max_tokens, collector)
        if cell.outcome is not None:
            observer.finish(Ending(cell.outcome.status, cell.outcome.error_text))
        elif terminate:
            self.stop(cell)
        else:
            self._await_more(cell, observer, yield_time_ms)
        return await self._observe(cell, observer, [])

    def _await_more(self, cell: Cell, observer: Observer, yield_time_ms: int | None) -> None:
        if yield_time_ms is None:
            yield_time_ms = self._settings.wait_yield_time_ms
        driver = self._driver
        assert driver is not None  # it drives the cell
        if driver.keeps_time:
            observer.deadline = self._deadline(cell, observer, yield_time_ms)
            observer.start_deadline()
        driver.watch(cell, yield_time_ms)

    async def _end_observed(self, cell: Cell, observer: Observer) -> Observation:
        """Terminate a cell that somebody else observes, who gets its output (contract 3.2)."""
        bystander = Observer(cell, None, ModelView(), "")
        self.stop(cell)
        ending = await asyncio.shield(observer.ending)
        bystander.finish(ending)
        return bystander.observation(ending, [], [])

    def _attach(
        self, cell: Cell, sink: Sink | None, max_tokens: int | None, collector: str
    ) -> Observer:
        budget = self._settings.max_output_tokens if max_tokens is None else max_tokens
        media = self._media.begin() if self._media else None
        view = ModelView(budget, media, self._settings.prompt_max_tokens)
        cell.observer = Observer(cell, sink, view, collector, media)
        return cell.observer

    def _deadline(self, cell: Cell, observer: Observer, yield_time_ms: int) -> Deadline:
        def come_due() -> None:
            if cell.observer is observer:
                self.yield_now(cell)

        return Deadline(with_grace(yield_time_ms), come_due)

    async def _observe(self, cell: Cell, observer: Observer, notices: Sequence[str]) -> Observation:
        """Wait for the observation's end; a cell that has ended is collected by it."""
        try:
            ending = await observer.ending
            await observer.settle()
        except Exception:
            if cell.over:
                self._collect(cell, observer.collector)
            raise
        finally:
            observer.close()
            if cell.observer is observer:
                cell.observer = None
        observation = observer.observation(ending, self._notifications.take(), notices)
        if cell.over:
            self._collect(cell, observer.collector)
        return observation

    def _missing(self, cell_id: str) -> Observation:
        error_text = f"exec cell {cell_id} not found"
        view = ModelView()
        return Observation(
            status=Status.FAILED,
            cell_id=cell_id,
            error_text=error_text,
            wall_time_s=0.0,
            output=view.finish(Status.FAILED, cell_id, 0.0, error_text),
            size=view.size,
            item_count=0,
            notifications=(),
            missing=True,
        )

    def stop(self, cell: Cell) -> None:
        """Wish for the cell's end. Returns at once; the observation in progress then ends.

        While the cell is still starting the wish is kept and sent as soon as it has an id. A
        cell that has ended is left alone.
        """
        if not cell.over and not cell.end_wished:
            cell.end_wished = True
            if self._driver is not None:
                self._driver.terminate(cell)

    def yield_now(self, cell: Cell) -> bool:
        """End the observation in progress as RUNNING.

        False when nobody observes the cell, when it is still starting, or when the host cannot.
        """
        return cell.observed and self._driver is not None and self._driver.yield_now(cell)

    # What is there

    @property
    def cells(self) -> Sequence[Cell]:
        """Cells that start, run or wait to be collected, oldest first."""
        return list(self._cells.values())

    def collectable(self) -> Sequence[Cell]:
        """Cells that nobody observes, oldest first: what `%wait --all` collects."""
        return [cell for cell in self._cells.values() if cell.id and not cell.observed]

    def newest_collectable(self) -> Cell | None:
        """What a bare `%wait` waits for: the newest unobserved cell that has ended or has output
        waiting, else the newest that runs."""
        newest_first = self.collectable()[::-1]
        ready = (cell for cell in newest_first if cell.over or len(cell.waiting))
        return next(ready, None) or next(iter(newest_first), None)

    def find(self, cell_id: str) -> Cell | None:
        """The cell of that public id; raises `StaleCell` for an id of an earlier host."""
        cell = self._by_id.get(cell_id)
        if cell is None and generation_of(cell_id) < self._generation:
            raise StaleCell(f"cell {cell_id} belongs to a stale code-mode host generation")
        return cell

    def _collect(self, cell: Cell, collector: str | None) -> None:
        items = [] if collector is not None else cell.waiting.drain(len(cell.waiting))
        cell.collect()
        self._remove(cell)
        unseen = [entry.item for entry in items if not entry.shown]
        self._emit(CellCollected(cell, collector, unseen))

    def _collect_oldest(self) -> None:
        ended = [cell for cell in self._cells.values() if cell.state is CellState.ENDED]
        for cell in ended[: -self._settings.max_uncollected_cells or None]:
            if not cell.observed:
                self._collect(cell, None)

    def _remove(self, cell: Cell) -> None:
        self._cells.pop(cell.serial, None)
        if cell.id is not None and self._by_id.get(cell.id) is cell:
            del self._by_id[cell.id]

    # Stored values

    async def stored_values(self) -> Mapping[str, str]:
        """Key to JSON text of every committed value.

        Raises `NotOffered` where the host cannot list them, `HostUnavailable`.
        """
        return await (await self._live_driver()).stored_values()

    async def clear_stored_values(self, key: str | None = None) -> None:
        """Forget every committed value, or that of `key`; running cells keep what they see.

        Raises as `stored_values` does.
        """
        await (await self._live_driver()).clear_stored_values(key)

    # The host

    async def describe_host(self) -> HostDescription:
        """Engine and hardening of the host.

        Raises `NotOffered` where the host does not tell, `HostUnavailable`.
        """
        description = await (await self._live_driver()).describe_host()
        self.engine = description.engine
        return description

    @property
    def capabilities(self) -> frozenset[str]:
        """What the host in use offers of our protocol; empty where there is none."""
        return frozenset() if self._driver is None else self._driver.capabilities
