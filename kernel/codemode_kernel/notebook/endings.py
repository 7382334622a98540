"""How a person sees that an observation is over: notices, a hint, the script's error, a Stop."""

from __future__ import annotations

from codemode_kernel.errors import ShownError
from codemode_kernel.notebook.runs import CellRun
from codemode_kernel.outputs.bundles import hint_bundle
from codemode_kernel.outputs.outputs import CellOutputs
from codemode_kernel.outputs.traceback import plain_error
from codemode_kernel.session.observation import Observation, Status

NOT_STARTED = "The cell was stopped before it started."


def show_ending(
    observation: Observation, cell_run: CellRun | None, hint: str | None, outputs: CellOutputs
) -> None:
    """Show notices and the `hint` in `outputs`; raises `ShownError` when the script has failed.

    Positions in the error are those of the notebook cell when `cell_run` is known.
    """
    for notice in observation.notices:
        outputs.warn(notice)
    if observation.status is Status.FAILED:
        text = observation.error_text or ""
        view = cell_run.error_view(text, hint) if cell_run else plain_error("ScriptError", text)
        raise ShownError(view)
    if hint is not None:
        outputs.display(hint_bundle(hint))


def stopped(sentence: str) -> ShownError:
    """The error by which a person sees that a Stop was heard."""
    return ShownError(plain_error("Stopped", sentence))
