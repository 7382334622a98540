"""`%cells`: the cells that run or wait to be collected."""

from __future__ import annotations

from html import escape

from codemode_kernel.bundles import Bundle
from codemode_kernel.cells import Cell
from codemode_kernel.errors import MagicError
from codemode_kernel.footer import duration
from codemode_kernel.magics.magic import Magic, MagicCall

HEADINGS = ("cell", "written in", "state", "time", "tool calls", "items waiting")
NONE = "No cell runs in the background or waits to be collected."


async def _perform(call: MagicCall) -> None:
    if call.arguments:
        raise MagicError("%cells takes no arguments.")
    rows = [_row(cell) for cell in call.rooms.session.cells]
    if rows:
        call.run.outputs.display(_table(rows))
    else:
        call.run.outputs.write(f"{NONE}\n")


def _row(cell: Cell) -> tuple[str, ...]:
    state = cell.outcome.status if cell.outcome else cell.state
    calls = f"{cell.call_count} ({cell.open_calls} open)" if cell.open_calls else cell.call_count
    return (
        cell.id or "-",
        cell.origin.label or "-",
        state.value,
        duration(cell.age_s),
        str(calls),
        str(len(cell.waiting)),
    )


def _table(rows: list[tuple[str, ...]]) -> Bundle:
    head = "".join(f"<th>{heading}</th>" for heading in HEADINGS)
    body = "".join(
        "<tr>" + "".join(f"<td>{escape(value)}</td>" for value in row) + "</tr>" for row in rows
    )
    lines = [HEADINGS, *rows]
    widths = [max(len(line[i]) for line in lines) for i in range(len(HEADINGS))]
    plain = "\n".join(
        "  ".join(value.ljust(width) for value, width in zip(line, widths, strict=True)).rstrip()
        for line in lines
    )
    html = f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
    return Bundle({"text/html": html, "text/plain": plain})


MAGIC = Magic("%cells", "%cells", "List the cells that run or wait to be collected.", _perform)
