"""Progress of tool calls: one display a cell, with a bar for each call that tells of its own.

Tools may tell as often as they like; a display is written at most four times a second, and once
more when a call has ended.
"""

from __future__ import annotations

import asyncio
from html import escape
from uuid import uuid4

from codemode_kernel.outputs.bundles import Bundle
from codemode_kernel.outputs.outputs import CellOutputs
from codemode_kernel.pace import PERIOD_S
from codemode_kernel.session.calls import Call, CallOutcome
from codemode_kernel.session.cells import Cell
from toolbridge import Progress

MAX_BARS = 8
"""Bars of one cell that are shown; the newest."""

MAX_MESSAGE = 200
"""Longest message shown, in characters."""

PLAIN_WIDTH = 20
"""Of a bar in plain text, in characters."""

_LINE = '<div class="codemode-progress"><small>{words}</small>{bar}</div>'
_KNOWN = ' <progress value="{done:g}" max="{total:g}"></progress>'
_UNKNOWN = " <progress></progress>"


class _Bar:
    """One call."""

    def __init__(self, tool: str, progress: Progress) -> None:
        self.tool = tool
        self.progress = progress
        self.outcome: CallOutcome | None = None


class _Display:
    """What one cell shows."""

    def __init__(self, outputs: CellOutputs) -> None:
        self.outputs = outputs
        self.bars: list[_Bar] = []
        self.display_id = f"codemode-{uuid4()}"
        self.is_shown = False
        self.due: asyncio.TimerHandle | None = None


class ProgressBars:
    """All of one kernel."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self._displays: dict[int, _Display] = {}
        """By serial number of the cell."""
        self._open: dict[int, tuple[_Display, _Bar]] = {}
        """By identity of the call, which lives on until it has ended."""

    def show(self, cell: Cell, call: Call, progress: Progress, outputs: CellOutputs) -> None:
        """Take what a call tells; it is shown in its turn."""
        if call.outcome is not None:
            return
        if id(call) not in self._open:
            display = self._displays.setdefault(cell.serial, _Display(outputs))
            display.bars = [*display.bars, _Bar(call.tool, progress)][-MAX_BARS:]
            self._open[id(call)] = display, display.bars[-1]
        display, bar = self._open[id(call)]
        bar.progress = progress
        if not display.is_shown:
            self._write(display)
        elif display.due is None:
            display.due = self._loop.call_later(PERIOD_S, self._write, display)

    def ended(self, call: Call) -> None:
        """The call tells no more; its bar says how it went."""
        if id(call) not in self._open:
            return
        display, bar = self._open.pop(id(call))
        bar.outcome = call.outcome
        if display.due is not None:
            display.due.cancel()
        self._write(display)

    def forget(self, cell: Cell) -> None:
        """The cell is over, and its display stays as it is."""
        display = self._displays.pop(cell.serial, None)
        if display is not None and display.due is not None:
            display.due.cancel()

    def _write(self, display: _Display) -> None:
        display.due = None
        bundle = _bundle(display.bars)
        if display.is_shown:
            display.outputs.update(bundle, display.display_id)
        else:
            display.is_shown = True
            display.outputs.display(bundle, display.display_id)


def _bundle(bars: list[_Bar]) -> Bundle:
    html = "".join(
        _LINE.format(words=escape(_words(bar)), bar=_html_bar(bar.progress, bar.outcome))
        for bar in bars
    )
    return Bundle({"text/html": html, "text/plain": "\n".join(map(_plain, bars))})


def _words(bar: _Bar) -> str:
    progress = bar.progress
    amount = f"{progress.done:g}"
    if progress.total is not None:
        amount += f" of {progress.total:g}"
    parts = [bar.tool, amount, (progress.message or "")[:MAX_MESSAGE]]
    if bar.outcome is not None:
        parts.append("done" if bar.outcome is CallOutcome.OK else bar.outcome.value)
    return " · ".join(filter(None, parts))


def _html_bar(progress: Progress, outcome: CallOutcome | None) -> str:
    if progress.total is not None and progress.total > 0:
        return _KNOWN.format(done=min(progress.done, progress.total), total=progress.total)
    return _UNKNOWN if outcome is None else ""


def _plain(bar: _Bar) -> str:
    progress = bar.progress
    if not progress.total or progress.total < 0:
        return _words(bar)
    filled = round(PLAIN_WIDTH * min(max(progress.done / progress.total, 0.0), 1.0))
    return f"[{'#' * filled}{'.' * (PLAIN_WIDTH - filled)}] {_words(bar)}"
