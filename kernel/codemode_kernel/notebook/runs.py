"""Which notebook cell a session cell was written in, for as long as anything can come from it.

A cell that has yielded goes on without an observer. What the session tells about it then is drawn
here, under the notebook cell it came from: its footer and its notifications.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field

from toolbridge.child.output import ChildMessage

from codemode_kernel.hints.call_log import CallLog
from codemode_kernel.notebook.footers import Footers
from codemode_kernel.notebook.progress import ProgressBars
from codemode_kernel.outputs.outputs import CellOutputs
from codemode_kernel.outputs.traceback import ErrorView, script_error
from codemode_kernel.recording.calls import RecordedCalls
from codemode_kernel.recording.records import Records
from codemode_kernel.session.cells import Cell, CellState
from codemode_kernel.session.events import (
    CallEnded,
    CallProgressed,
    CallStarted,
    CallWarned,
    CellCollected,
    CellEnded,
    CellForgotten,
    CellYielded,
    Notified,
    SessionEvent,
)
from codemode_kernel.trace import Traces
from toolbridge import ToolCall

COLLECTED = 8
"""Collected cells that `%cells` still tells of."""


@dataclass(frozen=True)
class NotebookRun:
    """One execution of one notebook cell."""

    label: str
    """What the person knows it by: `In [3]`."""
    text: str
    """The whole notebook cell."""
    execution_count: int
    outputs: CellOutputs

    @property
    def notebook_cell(self) -> str | None:
        """The front end's id of the notebook cell; None where the client names none."""
        return self.outputs.publisher.request.notebook_cell

    @property
    def takes_input(self) -> bool:
        """Whether somebody can be asked, and whether late output will be seen."""
        return self.outputs.publisher.request.allow_stdin


@dataclass(frozen=True)
class CellRun:
    """A session cell and the run it was written in."""

    cell: Cell
    run: NotebookRun
    first_line: int
    """Line of the notebook cell that the engine calls line 1."""
    calls: CallLog = field(default_factory=CallLog)
    """What hints know of its tool calls."""
    recorded: RecordedCalls = field(default_factory=RecordedCalls)
    """What its record has of them."""

    @property
    def is_silent(self) -> bool:
        """Whether it has shown nothing so far."""
        return not (self.cell.item_count or self.cell.notification_count)

    def error_view(self, error_text: str, hint: str | None = None) -> ErrorView:
        """The cell's error, in lines of the notebook cell it was written in."""
        return script_error(error_text, self.run.text, self.first_line, hint)


class Runs:
    """The runs of all cells that the session still knows."""

    def __init__(
        self, footers: Footers, records: Records, progress: ProgressBars, traces: Traces
    ) -> None:
        self._footers = footers
        self._progress = progress
        self._records = records
        self._traces = traces
        self._by_serial: dict[int, CellRun] = {}
        self._left: set[int] = set()
        """Cells that the session has forgotten, of which a call has not settled."""
        self.collected: deque[Cell] = deque(maxlen=COLLECTED)
        """The cells that ended last and were collected, oldest first."""
        self.calling: dict[str, CellOutputs] = {}
        """Outputs of direct calls in progress, by the id of the call."""
        self.collecting: CellOutputs | None = None
        """Outputs of the wait in progress: what it collects is reported with its request."""

    def remember(self, cell_run: CellRun) -> None:
        """Keep a run until its cell is collected."""
        self._by_serial[cell_run.cell.serial] = cell_run

    def forget(self, cell: Cell) -> None:
        """Drop the run of a cell that never started."""
        self._by_serial.pop(cell.serial, None)

    def of(self, cell: Cell) -> CellRun | None:
        """The run of a cell; None for a cell that was not written in a notebook."""
        return self._by_serial.get(cell.serial)

    def still_running(self, notebook_cell: str) -> Sequence[Cell]:
        """Cells of earlier runs of one notebook cell whose code still runs."""
        return [
            entry.cell
            for entry in self._by_serial.values()
            if entry.run.notebook_cell == notebook_cell
            and entry.cell.state in (CellState.STARTING, CellState.RUNNING)
        ]

    def on_event(self, event: SessionEvent) -> None:
        """Draw what the session tells."""
        match event:
            case CellYielded(cell):
                if entry := self.of(cell):
                    self._footers.open(cell, entry.run.outputs)
            case Notified(cell, text):
                entry = self.of(cell)
                if entry is None or not entry.run.outputs.notify(text, cell.id):
                    cell.keep(f"Notification:\n{text}")
            case CallStarted(cell, call):
                if entry := self.of(cell):
                    entry.calls.started(call)
                    entry.recorded.started(call)
                    self._traces.started(cell, call, entry.run.outputs)
            case CallEnded(cell, call):
                if entry := self.of(cell):
                    entry.calls.ended(call)
                    entry.recorded.ended(call)
                    self._progress.ended(call)
                    self._traces.ended(cell, call)
                    self._records.call_ended(entry)
                    if cell.serial in self._left:
                        self._leave(cell)
            case CallProgressed(cell, call, progress):
                if entry := self.of(cell):
                    self._progress.show(cell, call, progress, entry.run.outputs)
            case CallWarned(cell, text):
                if entry := self.of(cell):
                    entry.run.outputs.warn(text)
            case CellEnded(cell):
                self._traces.cell_ended(cell)
                self._footers.changed(cell)
                self._records.ended(cell)
            case CellCollected(cell, collector, items):
                self._leave(cell)
                self.collected.append(cell)
                by = self.collecting if collector is not None else None
                self._footers.collected(cell, collector, by, items)
                self._records.collected(cell, by)
                self._progress.forget(cell)
            case CellForgotten(cell):
                self._leave(cell)
                self._footers.forgotten(cell)
                self._records.collected(cell, None)
                self._progress.forget(cell)
            case _:
                pass  # Footers look at open calls and questions at their next round.

    def _leave(self, cell: Cell) -> None:
        """The session has forgotten the cell. A call of it may settle later, and is heard of."""
        if cell.open_calls:
            self._left.add(cell.serial)
        else:
            self._left.discard(cell.serial)
            self._by_serial.pop(cell.serial, None)

    def relay_call_output(self, call: ToolCall, message: ChildMessage) -> None:
        """Show what a Python tool prints under the cell whose call it serves."""
        if call.cell_id is None:
            if outputs := self.calling.get(call.id):
                outputs.relay(message.msg_type, message.content)
            return
        for entry in reversed(self._by_serial.values()):  # after a reset ids are used again
            if entry.cell.id == call.cell_id:
                entry.run.outputs.relay(message.msg_type, message.content)
                return
