"""Shows the record of each exec and wait, and brings those of yielded cells up to date."""

from __future__ import annotations

import asyncio
import dataclasses
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING
from uuid import uuid4

import msgspec
from msgspec.structs import replace

from codemode_kernel.captures.calls import WholeCalls
from codemode_kernel.errors import ModelCallRefused
from codemode_kernel.model_view.model_view import prompt_text
from codemode_kernel.model_view.views import Views
from codemode_kernel.outputs.bundles import Bundle, quiet_bundle
from codemode_kernel.outputs.outputs import CellOutputs
from codemode_kernel.outputs.shortened import shortened
from codemode_kernel.pace import PERIOD_S
from codemode_kernel.record import MIME, VERSION, CallRecord, Record, RecordKind
from codemode_kernel.recording.calls import Detail, RecordedCalls
from codemode_kernel.recording.capture_facts import captured
from codemode_kernel.recording.faults import harmless
from codemode_kernel.recording.fitting import Gathered, fitted, with_calls
from codemode_kernel.recording.moments import moment
from codemode_kernel.recording.quiet_line import quiet_line
from codemode_kernel.session.fates import Fate
from codemode_kernel.session.observation import Observation, OutputSize, Status

if TYPE_CHECKING:
    from codemode_kernel.notebook.runs import CellRun
    from codemode_kernel.session.cells import Cell


LONGEST_ID = 100
"""Characters of a cell id. Ours are short; a wait may name anything."""


@dataclass(frozen=True)
class Circumstances:
    """What is the same for every record of a kernel."""

    detail: Detail
    """The trait `record_calls`."""
    profile: str
    host: str
    """Name of the program that runs the cells."""
    engine: Callable[[], str]
    """Gives the engine's name and version; empty while it is not known."""


@dataclass(frozen=True)
class _Shown:
    """The record of a cell that goes on, or of whose calls one does."""

    record: Record
    cell_run: CellRun
    has_hint: bool
    display_id: str = field(default_factory=lambda: f"codemode-{uuid4()}")


class Records:
    """All records of one kernel."""

    def __init__(self, circumstances: Circumstances, views: Views) -> None:
        """`views` is told what a model got whenever a record is made of it."""
        self._circumstances = circumstances
        self._views = views
        self._shown: dict[int, _Shown] = {}
        self._due: dict[int, asyncio.TimerHandle] = {}

    def begin(self, whole: WholeCalls) -> RecordedCalls:
        """What the calls of a new cell are gathered in.

        `whole` takes those of which a part is recorded, or nothing for want of room.
        """
        return RecordedCalls(self._circumstances.detail, whole)

    # At the end of a notebook cell

    @harmless
    def show_exec(self, cell_run: CellRun, observation: Observation, *, has_hint: bool) -> None:
        """Show the record of an exec below everything else that its notebook cell shows."""
        cell, outputs = cell_run.cell, cell_run.run.outputs
        recorded = cell_run.recorded
        record = self._record(
            RecordKind.EXEC,
            observation,
            cell.created,
            recorded.records(cell_is_over=cell.over),
            recorded.left_out(cell_is_over=cell.over),
            cell=cell,
            call_id=cell.tool_call_id,
        )
        recorded.is_written = True
        recorded.fitted(record)
        if observation.status is Status.RUNNING and cell.over:
            # It ended after all, on the way here.
            record = _final(record, cell_run)
        if cell.over and not (cell.open_calls and cell_run.run.takes_input):
            outputs.display(_bundle(record, has_hint=has_hint))
        else:
            shown = self._shown[cell.serial] = _Shown(record, cell_run, has_hint)
            outputs.display(_bundle(record, has_hint=has_hint), shown.display_id)

    @harmless
    def show_wait(
        self,
        observation: Observation,
        started: float,
        cell: Cell | None,
        outputs: CellOutputs,
        *,
        has_hint: bool,
    ) -> None:
        """Show the record of a wait for `cell`; `started` is in seconds since the epoch.

        The calls of the cell are in the record of its exec.
        """
        record = self._record(RecordKind.WAIT, observation, started, cell=cell)
        outputs.display(_bundle(record, has_hint=has_hint))

    @harmless
    def show_refused(self, error: ModelCallRefused, outputs: CellOutputs) -> None:
        """Show the record of what was refused before there was a cell."""
        kind = RecordKind.WAIT if error.is_wait else RecordKind.EXEC
        record = self._record(kind, refused(str(error), ""), time.time(), call_id="")
        outputs.display(_bundle(record, has_hint=True))

    def _record(
        self,
        kind: RecordKind,
        observation: Observation,
        started: float,
        calls: Sequence[CallRecord] = (),
        calls_left_out: Counter[Fate] | None = None,
        *,
        cell: Cell | None = None,
        call_id: str | None = None,
    ) -> Record:
        self._views.remember(kind, observation, call_id)
        size, about = observation.size, self._circumstances
        first_line = Record(
            version=VERSION,
            cell_id=shortened(observation.cell_id, LONGEST_ID),
            kind=kind,
            status=observation.status,
            started=moment(started),
            wall_time_s=round(observation.wall_time_s, 3),
            tokens=size.shown,
            truncated=size.truncated,
            emitted_tokens=size.emitted if size.truncated else msgspec.UNSET,
            capture=captured(cell),
            engine=about.engine(),
            host=about.host,
            profile=about.profile,
        )
        gathered = Gathered(
            observation.output,
            observation.notifications,
            calls,
            calls_left_out or Counter(),
            observation.media,
        )
        return fitted(first_line, gathered)

    # What comes later

    @harmless
    def call_ended(self, cell_run: CellRun) -> None:
        """Bring a record up to date: at once when the last call of a cell that is over has settled,
        else with others that settle soon."""
        cell = cell_run.cell
        if cell.serial not in self._shown or not cell_run.run.takes_input:
            return
        if cell.over and not cell.open_calls:
            self._settle(cell)
        elif not cell.over and cell.serial not in self._due:
            self._due[cell.serial] = asyncio.get_running_loop().call_later(
                PERIOD_S, self._refresh, cell
            )

    @harmless
    def _refresh(self, cell: Cell) -> None:
        """Tell of the calls that have settled in a cell that goes on."""
        self._due.pop(cell.serial, None)
        shown = self._shown.get(cell.serial)
        if shown is not None and not cell.over:
            recorded = shown.cell_run.recorded
            calls = recorded.records(cell_is_over=False)
            left_out = recorded.left_out(cell_is_over=False)
            record = with_calls(shown.record, calls, left_out)
            bundle = _bundle(record, has_hint=shown.has_hint)
            shown.cell_run.run.outputs.update(bundle, shown.display_id)

    def _settle(self, cell: Cell) -> None:
        """Every call of an ended cell has settled: its record changes if one did not as it said."""
        shown = self._shown.pop(cell.serial)
        recorded = shown.cell_run.recorded
        calls = recorded.records(cell_is_over=True)
        record = with_calls(shown.record, calls, recorded.left_out(cell_is_over=True))
        recorded.fitted(record)
        if [call.outcome for call in record.calls] != [call.outcome for call in shown.record.calls]:
            bundle = _bundle(record, has_hint=shown.has_hint)
            shown.cell_run.run.outputs.update(bundle, shown.display_id)

    def ended(self, cell: Cell) -> None:
        """Bring the record up to date, unless its client would drop what comes late."""
        shown = self._shown.get(cell.serial)
        if shown is not None and shown.cell_run.run.takes_input:
            self.collected(cell, None)

    @harmless
    def collected(self, cell: Cell, collector: CellOutputs | None) -> None:
        """Bring the record up to date with the request of the `collector`, if it still has to be.

        Without one it belongs to the cell itself.
        """
        shown = self._shown.get(cell.serial)
        if shown is None or shown.record.status is not Status.RUNNING:
            return
        record = _final(shown.record, shown.cell_run)
        if cell.open_calls and shown.cell_run.run.takes_input:
            self._shown[cell.serial] = dataclasses.replace(shown, record=record)
        else:
            del self._shown[cell.serial]
        outputs = collector or shown.cell_run.run.outputs
        outputs.update(_bundle(record, has_hint=False), shown.display_id)


def refused(text: str, cell_id: str) -> Observation:
    """What a model gets of an exec or wait that was refused, or lost with its host."""
    return Observation(
        status=Status.FAILED,
        cell_id=cell_id,
        error_text=None,
        wall_time_s=0.0,
        output=prompt_text(text),
        size=OutputSize(0, 0, truncated=False),
        item_count=0,
        notifications=(),
    )


def _final(record: Record, cell_run: CellRun) -> Record:
    """The record of an exec whose cell is over: how it ended, and all its calls."""
    cell, recorded = cell_run.cell, cell_run.recorded
    status = cell.outcome.status if cell.outcome else Status.TERMINATED
    asked_s = cell.asked.total(asyncio.get_running_loop().time())
    wall_time_s = round(max(0.0, cell.age_s - asked_s), 3)
    record = replace(record, status=status, wall_time_s=wall_time_s, capture=captured(cell))
    left_out = recorded.left_out(cell_is_over=True)
    record = with_calls(record, recorded.records(cell_is_over=True), left_out)
    recorded.fitted(record)
    return record


def _bundle(record: Record, *, has_hint: bool) -> Bundle:
    """The record, and below it the line for those who do not draw it."""
    line = quiet_line(record, has_hint=has_hint)
    plain = quiet_bundle(line).data if line is not None else {}
    return Bundle({MIME: msgspec.to_builtins(record), **plain})
