"""A trace as an output: one line that sums up, and below it a line for each call. Sans-I/O."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from dataclasses import dataclass
from html import escape

from codemode_kernel.outputs.bundles import Bundle
from codemode_kernel.outputs.shortened import shortened
from codemode_kernel.recording.excerpt import Excerpt
from codemode_kernel.session.calls import Call
from codemode_kernel.session.fates import Fate, counted, fate_of
from codemode_kernel.trace.ledger import Ledger

ARGUMENT_BYTES = 400
"""What is looked at of a call's arguments, as JSON."""

ARGUMENT_WIDTH = 70
"""Characters of them that are shown."""

ERROR_WIDTH = 100
"""Characters of the first line of an error that are shown."""

_SIGNS = {
    Fate.DONE: "✓",
    Fate.FAILED: "✗",
    Fate.REFUSED: "⊘",
    Fate.CANCELLED: "–",
    Fate.UNKNOWN: "?",
    Fate.ASKING: "…",
    Fate.RUNNING: "▸",
}

_COLOURS = {
    Fate.DONE: "#388e3c",
    Fate.FAILED: "#d32f2f",
    Fate.REFUSED: "#d32f2f",
    Fate.CANCELLED: "#757575",
    Fate.UNKNOWN: "#f57c00",
    Fate.ASKING: "#f57c00",
    Fate.RUNNING: "#2196f3",
}

_HTML = (
    '<details class="codemode-trace"{open}><summary><small>{line}</small></summary>'
    '<ul style="list-style: none; margin: 0; padding-left: 1.5em; font-size: 90%">{rows}</ul>'
    "</details>"
)
_ROW = (
    '<li><span style="color: {colour}">{sign}</span> <code>{tool}</code> '
    '<span style="opacity: 0.75">{words}</span></li>'
)
_PLAIN_LIST = '<li style="opacity: 0.75">{words}</li>'


@dataclass(frozen=True)
class _Row:
    """One call."""

    fate: Fate
    tool: str
    words: str


def trace_bundle(ledger: Ledger, *, is_over: bool) -> Bundle:
    """The trace as it is now; a cell that `is_over` folds it up when all went well."""
    fates = ledger.fates
    total = sum(fates.values())
    line = f"{total} tool call{'s' * (total != 1)}: {counted(fates.elements())}"
    before = sum(ledger.ended_before.values())
    earlier = f"{before} earlier: {counted(ledger.ended_before.elements())}" if before else ""
    more = ledger.open_count - len(ledger.oldest_open)
    later = f"{more} more running" if more else ""
    rows = [*map(_row, ledger.last_ended), *map(_row, ledger.oldest_open)]
    folded = is_over and fates.keys() == {Fate.DONE}
    html = _HTML.format(
        open="" if folded else " open",
        line=escape(line),
        rows="".join(_html_rows(earlier, rows, later)),
    )
    plain = "\n".join([line, *_plain_rows(earlier, rows, later)])
    return Bundle({"text/html": html, "text/plain": plain})


def _html_rows(earlier: str, rows: list[_Row], later: str) -> Iterator[str]:
    if earlier:
        yield _PLAIN_LIST.format(words=escape(earlier))
    for row in rows:
        yield _ROW.format(
            colour=_COLOURS[row.fate],
            sign=_SIGNS[row.fate],
            tool=escape(row.tool),
            words=escape(row.words),
        )
    if later:
        yield _PLAIN_LIST.format(words=escape(later))


def _plain_rows(earlier: str, rows: list[_Row], later: str) -> Iterator[str]:
    if earlier:
        yield f"  {earlier}"
    for row in rows:
        yield f"  {_SIGNS[row.fate]} {row.tool} {row.words}".rstrip()
    if later:
        yield f"  {later}"


def _row(call: Call) -> _Row:
    fate = fate_of(call)
    parts = [_arguments(call), _seconds(call)]
    if call.error:
        parts.append(shortened(call.error.split("\n", 1)[0], ERROR_WIDTH))
    elif fate is not Fate.DONE and fate is not Fate.RUNNING:
        parts.append(str(fate))
    return _Row(fate, call.tool, " · ".join(filter(None, parts)))


def _arguments(call: Call) -> str:
    if call.arguments in (None, {}):
        return ""
    arguments = call.argument_secrets.left_out_of_all(call.arguments)
    secrets = call.definition.input_secrets
    shown = Excerpt(ARGUMENT_BYTES).of(arguments, secrets, "arguments")
    text = shown if isinstance(shown, str) else json.dumps(shown, ensure_ascii=False)
    return shortened(" ".join(text.split()), ARGUMENT_WIDTH)


def _seconds(call: Call) -> str:
    took = time.time() - call.started if call.duration_s is None else call.duration_s
    return f"{max(0.0, took):.1f} s" if took < 10 else f"{took:.0f} s"
