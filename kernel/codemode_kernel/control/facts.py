"""Cells, shells and runs as the messages tell of them."""

from __future__ import annotations

from toolbridge.shell.live import LiveShell

from codemode_kernel import __version__
from codemode_kernel.control.from_front import SeenCell
from codemode_kernel.control.from_kernel import (
    CellFacts,
    ChoiceFacts,
    KernelFacts,
    QuestionFacts,
    Questions,
    RunOutputs,
    ShellFacts,
    Stage,
)
from codemode_kernel.questions.board import Board, Posted
from codemode_kernel.replay import LoggedRun
from codemode_kernel.rooms import Rooms
from codemode_kernel.session.cells import Cell


def kernel_facts(rooms: Rooms) -> KernelFacts:
    """The kernel now."""
    settings = rooms.settings
    return KernelFacts(
        version=__version__,
        profile=str(settings.profile),
        late_output=str(settings.late_output),
        host=" ".join(settings.host_command),
        host_pid=rooms.session.host_pid,
        engine=rooms.session.engine,
    )


def cell_facts(cell: Cell, stage: Stage | None = None) -> CellFacts:
    """A cell now; `stage` for what the cell itself does not know."""
    outcome = cell.outcome
    return CellFacts(
        serial=cell.serial,
        cell_id=cell.id,
        label=cell.origin.label,
        notebook_cell=cell.origin.notebook_cell,
        stage=stage or Stage(cell.state.value),
        observed=cell.observed,
        age_s=cell.age_s,
        waiting_items=len(cell.waiting),
        call_count=cell.call_count,
        open_calls=cell.open_calls,
        asking=cell.asking,
        status=outcome.status if outcome else None,
        error=(outcome.error_text or "").split("\n", 1)[0] or None if outcome else None,
    )


def shell_facts(shell: LiveShell) -> ShellFacts:
    """A live shell now."""
    return ShellFacts(
        session_id=shell.session_id,
        command=shell.command,
        cell_id=shell.cell_id,
        is_over=shell.is_over,
        age_s=shell.age_s,
    )


def questions_message(board: Board) -> Questions:
    """What is open now."""
    return Questions([_question_facts(posted) for posted in board.open])


def _question_facts(posted: Posted) -> QuestionFacts:
    question = posted.question
    return QuestionFacts(
        question_id=posted.id,
        notebook_cell=posted.notebook_cell,
        title=question.title,
        text=question.text,
        reason=question.reason,
        choices=[ChoiceFacts(choice.word, choice.label) for choice in question.choices],
        form=None if question.form is None else dict(question.form),
        takes_text=question.takes_text,
    )


def missing_outputs(run: LoggedRun, seen: SeenCell, *, shown_elsewhere: bool) -> RunOutputs | None:
    """What a page needs that has `seen` of a run's notebook cell; None if that is all there is.

    A run whose displays can be updated is always told: they may have changed without a trace in
    the counts.
    """
    same_run = seen.execution_count == run.execution_count
    has_all = (seen.outputs, seen.characters) == (run.output_count, run.characters)
    if same_run and has_all and not run.in_foreground and not run.display_ids:
        return None
    may_be_same = same_run or seen.execution_count is None
    adds = run.is_cut and may_be_same and seen.characters > run.kept_characters
    return run_outputs(run, shown_elsewhere=shown_elsewhere, adds=adds)


def run_outputs(run: LoggedRun, *, shown_elsewhere: bool, adds: bool = False) -> RunOutputs:
    """A run now; with `adds` only what can go below outputs that a page has."""
    return RunOutputs(
        run=run.run,
        notebook_cell=run.notebook_cell,
        execution_count=run.execution_count,
        in_foreground=run.in_foreground,
        shown_elsewhere=shown_elsewhere,
        outputs=run.rest() if adds else run.outputs(),
        adds=adds,
    )
