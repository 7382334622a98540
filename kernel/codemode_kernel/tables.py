"""Tables as outputs: HTML for notebooks, aligned columns for every other client."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from codemode_kernel.bundles import Bundle


def table(headings: Sequence[str], rows: Sequence[Sequence[str]]) -> Bundle:
    """One table; every row has a value for each heading."""
    head = "".join(f"<th>{escape(heading)}</th>" for heading in headings)
    body = "".join(
        "<tr>" + "".join(f"<td>{escape(value)}</td>" for value in row) + "</tr>" for row in rows
    )
    html = f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
    lines = [headings, *rows]
    widths = [max(len(line[i]) for line in lines) for i in range(len(headings))]
    plain = "\n".join(
        "  ".join(value.ljust(width) for value, width in zip(line, widths, strict=True)).rstrip()
        for line in lines
    )
    return Bundle({"text/html": html, "text/plain": plain})
