"""The footer of a yielded cell: what it says. Sans-I/O; `footers` keeps it up to date.

A footer is one display under the cell that yielded: its live window while it runs, and for good
the line that tells what became of it.
"""

from __future__ import annotations

from dataclasses import dataclass
from html import escape
from pathlib import Path

from codemode_kernel.captures.bundle import file_link
from codemode_kernel.outputs.amounts import duration
from codemode_kernel.outputs.bundles import Bundle, marked
from codemode_kernel.outputs.shortened import shortened
from codemode_kernel.session.cells import Cell, CellState, Outcome
from codemode_kernel.session.observation import Status

WINDOW_LINES = 8
"""Lines of waiting output in the live window."""

WINDOW_WIDTH = 200
"""Longest line shown there, in characters."""

RUNNING, GOOD, BAD, OVER = "#2196f3", "#388e3c", "#d32f2f", "#757575"
"""Colours of the bar: runs, completed, failed, given away."""

_BAR = (
    '<div class="codemode-footer" style="border-left: 3px solid {colour}; padding: 1px 8px">'
    "<small>{line}</small>{window}</div>"
)
_WINDOW = '<pre style="margin: 2px 0; opacity: 0.75; font-size: 90%">{text}</pre>'


@dataclass(frozen=True)
class Footer:
    """One state of a footer."""

    colour: str
    line: str
    """One sentence; `backticks` mark what can be typed."""
    window: str = ""
    """Lines below it, as they are."""
    whole: Path | None = None
    """The file that holds the cell's whole output, if there is one."""

    def bundle(self) -> Bundle:
        """The footer as an output."""
        line = marked(self.line)
        if self.whole is not None:
            line += f" · {file_link(self.whole, 'whole output')}"
        window = _WINDOW.format(text=escape(self.window)) if self.window else ""
        html = _BAR.format(colour=self.colour, line=line, window=window)
        plain = f"[{self.line}]" + (f"\n{self.window}" if self.window else "")
        return Bundle({"text/html": html, "text/plain": plain})


def live_footer(cell: Cell, *, stop_hint: bool) -> Footer:
    """The footer of a cell that is not collected yet.

    `stop_hint` answers a Stop that found nothing in the foreground.
    """
    window = _window(cell)
    if cell.state is CellState.ENDED and cell.outcome is not None:
        return _ended(cell, cell.outcome, window)
    doing = ["running", duration(cell.age_s)]
    if cell.asking:
        doing.append("waiting for your answer")
    elif cell.open_calls:
        doing.append(f"waiting for {_count(cell.open_calls, 'tool call')}")
    hint = f"`%wait {cell.id}` collects its output, `%terminate {cell.id}` ends it"
    if stop_hint:
        hint = f"Stop ends only the cell in the foreground: `%terminate {cell.id}` ends this one"
    return Footer(RUNNING, f"Cell {cell.id}: {' · '.join(doing)} · {hint}", window, _whole(cell))


def collected_footer(cell: Cell, collector: str | None, left_over: str) -> Footer:
    """The last state: who has the result. `left_over` is output that nobody else will show."""
    outcome = cell.outcome
    how = outcome.status.value if outcome else "over"
    colour = BAD if outcome and outcome.status is Status.FAILED else OVER
    line = f"Cell {cell.id}: {how} · {duration(cell.age_s)}"
    if collector is not None:
        return Footer(colour, f"{line} · collected by {collector}", whole=_whole(cell))
    error = outcome.error_text if outcome else None
    window = "\n".join(part for part in (left_over, error) if part)
    return Footer(
        colour, f"{line} · collected here: too many cells were waiting", window, _whole(cell)
    )


def waited_footer(cell_id: str, *, terminated: bool) -> Footer:
    """What a wait says of a cell whose script did not end by itself."""
    if terminated:
        return Footer(OVER, f"Cell {cell_id}: terminated")
    hint = f"`%wait {cell_id}` collects what comes next"
    return Footer(RUNNING, f"Cell {cell_id}: still running · {hint}")


def forgotten_footer(cell: Cell) -> Footer:
    """The last state of a cell that `%reset` or the kernel's end took."""
    return Footer(OVER, f"Cell {cell.id}: ended with its session after {duration(cell.age_s)}")


def _ended(cell: Cell, outcome: Outcome, window: str) -> Footer:
    whole = _whole(cell)
    line = f"Cell {cell.id}: {outcome.status.value} · {duration(cell.age_s)}"
    hint = f"`%wait {cell.id}` collects "
    if outcome.status is not Status.FAILED:
        colour = GOOD if outcome.status is Status.COMPLETED else OVER
        what = "its output" if window else "it"
        return Footer(colour, f"{line} · {hint}{what}", window, whole)
    error = (outcome.error_text or "").split("\n", 1)[0]
    window = "\n".join(part for part in (window, error) if part)
    return Footer(BAD, f"{line} · {hint}the error", window, whole)


def _whole(cell: Cell) -> Path | None:
    return cell.capture.path if cell.capture else None


def _window(cell: Cell) -> str:
    if not len(cell.waiting):
        return ""
    lines = cell.waiting.tail(WINDOW_LINES).split("\n")
    return "\n".join(shortened(line, WINDOW_WIDTH) for line in lines)


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
