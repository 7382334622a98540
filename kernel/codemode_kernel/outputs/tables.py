"""Tables as outputs: HTML for notebooks, aligned columns for every other client."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from codemode_kernel.outputs.bundles import Bundle

SENTENCE = 24
"""Characters from which a value of several words may be broken, but not into a word a line."""


def table(headings: Sequence[str], rows: Sequence[Sequence[str]]) -> Bundle:
    """One table; every row has a value for each heading. A column without any is left out.

    In JupyterLab the extension's style sheet aligns the columns, which are right-aligned elsewhere,
    and keeps those of sentences wide enough to be read.
    """
    lines = _telling([headings, *rows])
    return Bundle({"text/html": _html(lines), "text/plain": _plain(lines)})


def _telling(lines: Sequence[Sequence[str]]) -> list[list[str]]:
    """The columns in which some row says something, besides the first one; all if there is no row."""
    _, *rows = lines
    kept = [i for i in range(len(lines[0])) if i == 0 or not rows or any(row[i] for row in rows)]
    return [[line[i] for i in kept] for line in lines]


def _html(lines: Sequence[Sequence[str]]) -> str:
    headings, *rows = lines
    head = "".join(f"<th>{escape(heading)}</th>" for heading in headings)
    body = "".join("<tr>" + "".join(map(_cell, row)) + "</tr>" for row in rows)
    inner = f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
    return f'<div class="codemode-table">{inner}</div>'


def _cell(value: str) -> str:
    kind = ' class="codemode-sentence"' if len(value) >= SENTENCE and " " in value else ""
    return f"<td{kind}>{escape(value)}</td>"


def _plain(lines: Sequence[Sequence[str]]) -> str:
    widths = [max(len(line[i]) for line in lines) for i in range(len(lines[0]))]
    return "\n".join(
        "  ".join(value.ljust(width) for value, width in zip(line, widths, strict=True)).rstrip()
        for line in lines
    )
