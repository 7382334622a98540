"""Runs a notebook cell that is an exec cell."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from codemode_kernel.captures import Captures
from codemode_kernel.errors import SessionError
from codemode_kernel.hints.adviser import Adviser
from codemode_kernel.mcp.room import McpRoom
from codemode_kernel.notebook.endings import NOT_STARTED, show_ending, stopped
from codemode_kernel.notebook.runs import CellRun, NotebookRun, Runs
from codemode_kernel.notebook.source import Exec
from codemode_kernel.notebook.stop_button import StopButton
from codemode_kernel.questions.asker import Askers
from codemode_kernel.recording.records import Records, refused
from codemode_kernel.session.cells import Cell, Origin
from codemode_kernel.session.observation import Observation, Status
from codemode_kernel.session.session import Session


class ExecCells:
    """Starts cells and sees their first observation through."""

    def __init__(
        self,
        session: Session,
        runs: Runs,
        mcp: McpRoom,
        askers: Askers,
        adviser: Adviser,
        records: Records,
        captures: Captures,
        late_output: Callable[[], str],
    ) -> None:
        self._session = session
        self._runs = runs
        self._mcp = mcp
        self._askers = askers
        self._adviser = adviser
        self._records = records
        self._captures = captures
        self._late_output = late_output

    async def run(self, source: Exec, run: NotebookRun, button: StopButton) -> None:
        """Run the cell until it ends or gives the notebook back.

        Raises `ShownError` when the script fails or is stopped. Clients without input would drop
        late output, so there the default deadline does not apply.
        """
        await self._end_earlier_run(run)
        if button.pressed:
            raise stopped(NOT_STARTED)
        cell = self._new_cell(source, run)
        self._captures.begin(cell)
        recorded = self._records.begin(self._captures.calls_of(cell))
        cell_run = CellRun(cell, run, source.first_line, recorded=recorded)
        self._runs.remember(cell_run)
        self._adviser.begin(cell_run)
        observing = asyncio.ensure_future(self._prepare_and_run(cell, source, run))
        button.on_press(lambda: self._stop(cell, observing))
        try:
            observation = await observing
        except SessionError as error:
            self._runs.forget(cell)
            self._records.show_exec(
                cell_run, refused(error.model_text, cell.id or ""), has_hint=True
            )
            raise
        except asyncio.CancelledError:
            self._runs.forget(cell)
            if not cell.end_wished:
                raise
            raise stopped(NOT_STARTED) from None
        await self._captures.secure(cell, truncated=observation.size.truncated)
        self._show_end(observation, cell_run)

    async def _prepare_and_run(self, cell: Cell, source: Exec, run: NotebookRun) -> Observation:
        await self._mcp.before(source.code, run)
        return await self._session.run(
            cell,
            run.outputs,
            yield_time_ms=source.yield_time_ms,
            max_output_tokens=source.max_output_tokens,
            hold=not run.takes_input,
        )

    def _show_end(self, observation: Observation, cell_run: CellRun) -> None:
        hint = self._adviser.hint(cell_run, observation)
        try:
            show_ending(observation, cell_run, hint, cell_run.run.outputs)
        finally:
            self._records.show_exec(cell_run, observation, has_hint=hint is not None)
        if observation.status is Status.TERMINATED:
            raise stopped("The cell was stopped. Stored values and other cells are kept.")

    def _stop(self, cell: Cell, observing: asyncio.Future[Observation]) -> None:
        self._session.stop(cell)
        if cell.observer is not None:
            cell.observer.hurry()
        is_held_up = self._session.host_pid is None or cell not in self._session.cells
        if cell.id is None and is_held_up:
            observing.cancel()  # what does not come up, host or server, is not worth waiting for

    def _new_cell(self, source: Exec, run: NotebookRun) -> Cell:
        return self._session.new_cell(
            source.code,
            origin=Origin(run.label, run.notebook_cell),
            asker=self._askers.of(run),
            late_sink=run.outputs if self._late_output() == "origin" else None,
        )

    async def _end_earlier_run(self, run: NotebookRun) -> None:
        """Re-running a notebook cell ends its earlier run: nobody sees its output any more."""
        if run.notebook_cell is None:
            return
        for cell in self._runs.still_running(run.notebook_cell):
            if cell.id is not None:
                await self._session.wait(cell.id, None, terminate=True, collector=run.label)
