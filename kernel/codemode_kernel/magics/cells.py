"""`%cells`: the cells that run, wait to be collected or ended lately, and the shells."""

from __future__ import annotations

from toolbridge.shell.live import LiveShell
from toolbridge.shell.streams import Stream

from codemode_kernel.captures.capture import Snapshot
from codemode_kernel.captures.shells import ShellCapture
from codemode_kernel.errors import MagicError
from codemode_kernel.magics.magic import Magic, MagicCall
from codemode_kernel.outputs.amounts import byte_count, duration
from codemode_kernel.outputs.shortened import shortened
from codemode_kernel.outputs.tables import table
from codemode_kernel.record import CaptureState
from codemode_kernel.session.cells import Cell, CellState

CELL_HEADINGS = ("cell", "written in", "state", "time", "tool calls", "items waiting")
STREAMS = tuple(stream.value for stream in Stream)
SHELL_HEADINGS = ("shell", "command", "started by", "state", "time", *STREAMS, "end it with")
KEPT_HEADINGS = ("output", "command", "started by", *STREAMS, "see it with")
NONE = "No cell runs in the background or waits to be collected."

MOST_KEPT = 8
"""Kept outputs of commands that are listed, the newest."""

LONGEST_COMMAND = 60
"""Characters of a command that are shown."""


async def _perform(call: MagicCall) -> None:
    if call.arguments:
        raise MagicError("%cells takes no arguments.")
    rooms, outputs = call.rooms, call.run.outputs
    open_cells = rooms.session.cells
    if not open_cells:
        outputs.write(f"{NONE}\n")
    cells = [*rooms.runs.collected, *open_cells]
    if cells:
        outputs.display(table(CELL_HEADINGS, [_cell_row(cell) for cell in cells]))
    captures = rooms.captures.shells
    if shells := rooms.shell.shells():
        rows = [_shell_row(shell, captures.of_session(shell.session_id)) for shell in shells]
        outputs.display(table(SHELL_HEADINGS, rows))
    if kept := captures.in_files()[-MOST_KEPT:]:
        outputs.display(table(KEPT_HEADINGS, [_kept_row(one) for one in kept]))


def _cell_row(cell: Cell) -> tuple[str, ...]:
    state = (cell.outcome.status if cell.outcome else cell.state).value
    if cell.state is CellState.COLLECTED:
        state += ", collected"
    elif cell.asking:
        state += ", waiting for your answer"
    calls = f"{cell.call_count} ({cell.open_calls} open)" if cell.open_calls else cell.call_count
    return (
        cell.id or "-",
        cell.origin.label or "-",
        state,
        duration(cell.age_s),
        str(calls),
        str(len(cell.waiting)),
    )


def _shell_row(shell: LiveShell, captured: ShellCapture | None) -> tuple[str, ...]:
    return (
        str(shell.session_id),
        _cut(shell.command),
        _starter(shell.cell_id),
        "ended, output waiting" if shell.is_over else "running",
        duration(shell.age_s),
        *(_amounts(captured) if captured else "-" * len(STREAMS)),
        f"%terminate --shell {shell.session_id}",
    )


def _kept_row(captured: ShellCapture) -> tuple[str, ...]:
    return (
        captured.id,
        _cut(captured.command),
        _starter(captured.cell_id),
        *_amounts(captured),
        f"%view {captured.id} --full",
    )


def _amounts(captured: ShellCapture) -> list[str]:
    """What each stream of a command got in all, and what of it is lost."""
    return [_amount(captured.streams[stream].snapshot()) for stream in Stream]


def _amount(snapshot: Snapshot) -> str:
    """A size, and what of it is lost."""
    # What is being written at this moment is not lost.
    has_fault = snapshot.state in (CaptureState.PARTIAL, CaptureState.UNAVAILABLE)
    lost = (snapshot.bytes - snapshot.captured_bytes) * has_fault
    return byte_count(snapshot.bytes) + (f", {byte_count(lost)} of it lost" if lost else "")


def _starter(cell_id: str | None) -> str:
    return f"cell {cell_id}" if cell_id else "-"


def _cut(command: str) -> str:
    return shortened(" ".join(command.split()), LONGEST_COMMAND)


MAGIC = Magic(
    "%cells",
    "%cells",
    "List the cells that run, wait to be collected or ended lately, and the live shells.",
    _perform,
)
