"""`%cells`: the cells that run, wait to be collected or ended lately, and the live shells."""

from __future__ import annotations

from toolbridge.shell.live import LiveShell

from codemode_kernel.cells import Cell, CellState
from codemode_kernel.errors import MagicError
from codemode_kernel.footer import duration
from codemode_kernel.magics.magic import Magic, MagicCall
from codemode_kernel.tables import table

CELL_HEADINGS = ("cell", "written in", "state", "time", "tool calls", "items waiting")
SHELL_HEADINGS = ("shell", "command", "started by", "state", "time", "end it with")
NONE = "No cell runs in the background or waits to be collected."

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
    if shells := rooms.shell.shells():
        outputs.display(table(SHELL_HEADINGS, [_shell_row(shell) for shell in shells]))


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


def _shell_row(shell: LiveShell) -> tuple[str, ...]:
    command = " ".join(shell.command.split())
    if len(command) > LONGEST_COMMAND:
        command = f"{command[:LONGEST_COMMAND]}…"
    return (
        str(shell.session_id),
        command,
        f"cell {shell.cell_id}" if shell.cell_id else "-",
        "ended, output waiting" if shell.is_over else "running",
        duration(shell.age_s),
        f"%terminate --shell {shell.session_id}",
    )


MAGIC = Magic(
    "%cells",
    "%cells",
    "List the cells that run, wait to be collected or ended lately, and the live shells.",
    _perform,
)
