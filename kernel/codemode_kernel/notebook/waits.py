"""Runs a notebook cell that is a wait: it observes cells that run already."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import replace

from codemode_kernel.captures import Captures
from codemode_kernel.errors import MagicError, SessionError, ShownError
from codemode_kernel.hints.adviser import Adviser
from codemode_kernel.notebook.endings import show_ending, stopped
from codemode_kernel.notebook.footer import waited_footer
from codemode_kernel.notebook.interrupt import Interrupts
from codemode_kernel.notebook.runs import NotebookRun, Runs
from codemode_kernel.notebook.source import Wait
from codemode_kernel.notebook.stop_button import StopButton
from codemode_kernel.outputs.traceback import plain_error
from codemode_kernel.recording.records import Records, refused
from codemode_kernel.session.cells import Cell
from codemode_kernel.session.observation import Observation, Status
from codemode_kernel.session.session import Session

NOTHING_TO_COLLECT = "Nothing runs in the background and nothing waits to be collected."


class Waits:
    """Collects the output of yielded cells into the notebook cell that waits."""

    def __init__(
        self,
        session: Session,
        runs: Runs,
        interrupts: Interrupts,
        adviser: Adviser,
        records: Records,
        captures: Captures,
        yield_time_ms: int,
    ) -> None:
        """`yield_time_ms` is the deadline of a wait that names none, in milliseconds."""
        self._session = session
        self._runs = runs
        self._interrupts = interrupts
        self._adviser = adviser
        self._records = records
        self._captures = captures
        self._yield_time_ms = yield_time_ms

    async def run(self, source: Wait, run: NotebookRun, button: StopButton) -> None:
        """Wait as `source` says.

        Raises `ShownError` when a cell's script has failed, when there is no such cell, or when a
        Stop ends the wait; `MagicError` when there is nothing to wait for. To wait for all of
        nothing is no error: the line may stand in a notebook whose cells have all ended in time.
        """
        if not source.every:
            await self._wait_for(self._cell_id(source), source, run, button)
            return
        cells = self._session.collectable()
        if not cells:
            run.outputs.write(f"{NOTHING_TO_COLLECT}\n")
        failed = 0
        for cell, wait in self._one_by_one(cells, source):
            if button.pressed:
                raise stopped("The wait was stopped; the cells that are left go on.")
            try:
                await self._wait_for(cell, wait, run, button)
            except ShownError as error:
                if button.pressed:
                    raise
                run.outputs.error(error.view)
                failed += 1
        if failed:
            sentence = f"{failed} of the collected cells failed."
            raise ShownError(plain_error("ScriptError", sentence))

    def _cell_id(self, source: Wait) -> str:
        if source.cell_id is not None:
            return source.cell_id
        newest = self._session.newest_collectable()
        if newest is None or newest.id is None:
            raise MagicError(NOTHING_TO_COLLECT)
        return newest.id

    def _one_by_one(self, cells: Sequence[Cell], source: Wait) -> Iterator[tuple[str, Wait]]:
        """A wait for each of the cells; they share one deadline."""
        whole_ms = self._yield_time_ms if source.yield_time_ms is None else source.yield_time_ms
        end = time.monotonic() + whole_ms / 1000
        for cell in cells:
            left_ms = max(0, round((end - time.monotonic()) * 1000))
            if cell.id is not None:
                yield cell.id, replace(source, yield_time_ms=left_ms)

    async def _wait_for(
        self, cell_id: str, source: Wait, run: NotebookRun, button: StopButton
    ) -> None:
        started = time.time()
        try:
            cell = self._session.find(cell_id)
            cell_run = self._runs.of(cell) if cell else None
            if cell is not None:
                button.on_press(lambda: self._end_wait(cell))
            observation = await self._observe(cell_id, source, run)
            if cell is not None:
                await self._captures.secure(cell, truncated=observation.size.truncated)
        except SessionError as error:
            if source.leaves_record:
                refusal = refused(error.model_text, cell_id)
                self._records.show_wait(refusal, started, None, run.outputs, has_hint=True)
            raise
        hint = self._adviser.hint(cell_run, observation)
        try:
            show_ending(observation, cell_run, hint, run.outputs)
            self._show_footer(observation, run, button)
        finally:
            if source.leaves_record:
                has_hint = hint is not None
                self._records.show_wait(observation, started, cell, run.outputs, has_hint=has_hint)

    async def _observe(self, cell_id: str, source: Wait, run: NotebookRun) -> Observation:
        self._runs.collecting = run.outputs
        try:
            return await self._session.wait(
                cell_id,
                run.outputs,
                yield_time_ms=source.yield_time_ms,
                max_tokens=source.max_tokens,
                terminate=source.terminate,
                collector=run.label,
            )
        finally:
            self._runs.collecting = None

    def _show_footer(self, observation: Observation, run: NotebookRun, button: StopButton) -> None:
        cell_id = observation.cell_id
        if observation.status is Status.TERMINATED:
            run.outputs.display(waited_footer(cell_id, terminated=True).bundle())
        elif observation.status is Status.RUNNING and button.pressed:
            raise stopped(
                f"The wait was stopped; cell {cell_id} goes on. "
                "A second Stop within two seconds ends the cell, too."
            )
        elif observation.status is Status.RUNNING:
            run.outputs.display(waited_footer(cell_id, terminated=False).bundle())

    def _end_wait(self, cell: Cell) -> None:
        self._session.yield_now(cell)
        if cell.observer is not None:
            cell.observer.hurry()
        self._interrupts.arm_second(time.monotonic(), lambda: self._session.stop(cell))
