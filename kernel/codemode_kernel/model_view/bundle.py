"""Shows what a model got: item by item, with what each costs and what was cut."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape
from typing import Any

from codemode_rules.budget import audio_tokens, tokens
from codemode_rules.image_header import read_image_header

from codemode_kernel.model_view.views import View
from codemode_kernel.outputs.amounts import byte_count
from codemode_kernel.outputs.bundles import Bundle, marked
from codemode_kernel.outputs.media import media_data

SHOWN_URL = 1024 * 1024
"""Longest data URL of an image that is drawn, in characters."""

_TABLE = (
    '<div class="codemode-view"><div>{line}</div><table><thead><tr><th></th><th>item</th>'
    "<th>tokens</th><th>what a model got</th></tr></thead><tbody>{rows}</tbody></table></div>"
)
_ROW = '<tr><td>{number}</td><td>{kind}</td><td>{cost}</td><td style="text-align: left">{body}</td></tr>'
_TEXT = '<pre style="margin: 0; white-space: pre-wrap">{text}</pre>'
_IMAGE = '<img src="{url}" style="max-width: 320px; max-height: 240px">'


@dataclass(frozen=True)
class _Row:
    kind: str
    cost: int
    text: str
    """The text of an item, or the words that name media."""
    image_url: str = ""
    """Of an image that is small enough to be drawn."""


def view_bundle(view: View) -> Bundle:
    """One view as a table, and as text for other clients."""
    line, rows = headline(view), _rows(view)
    html = "".join(
        _ROW.format(number=number, kind=row.kind, cost=f"{row.cost:,}", body=_html(row))
        for number, row in enumerate(rows, 1)
    )
    plain = [line.replace("`", "")]
    for number, row in enumerate(rows, 1):
        plain += [f"--- {number}: {row.kind}, {row.cost:,} tokens", row.text.removesuffix("\n")]
    return Bundle(
        {
            "text/html": _TABLE.format(line=marked(line), rows=html),
            "text/plain": "\n".join(plain),
        }
    )


def headline(view: View) -> str:
    """Which call it was and how much of the cell's output a model got."""
    size = view.size
    which = f"Cell {view.cell_id}, {view.kind}" if view.cell_id else f"Refused {view.kind}"
    got = f"a model got {size.shown:,} tokens"
    if size.truncated:
        got = f"a model got {size.shown:,} of {size.emitted:,} tokens, the rest was cut"
        if view.cell_id:
            got += f"; `%view {view.cell_id} --full` shows all"
    return f"{which} · {view.status} · {got}"


def _rows(view: View) -> list[_Row]:
    output = view.output
    rows = [_text_row("text", output)] if isinstance(output, str) else list(map(_item_row, output))
    notes = view.notifications
    return rows + [_text_row("notification", note.text) for note in notes]


def _item_row(item: dict[str, Any]) -> _Row:
    if item["type"] == "input_text":
        return _text_row("text", item["text"])
    if item["type"] == "input_audio":
        url = item["audio_url"]
        return _Row("audio", audio_tokens(url), _named(url))
    url = item["image_url"]
    detail = f", detail {item['detail']}" if "detail" in item else ""
    return _Row("image", 0, _named(url) + detail, url if len(url) <= SHOWN_URL else "")


def _text_row(kind: str, text: str) -> _Row:
    return _Row(kind, tokens(len(text.encode("utf-8", "replace"))), text)


def _named(url: str) -> str:
    found = media_data(url)
    if found is None:
        return "no data URL that decodes"
    media_type, data = found
    header = read_image_header(data)
    size = f" {header.size[0]}x{header.size[1]}" if header and header.size else ""
    return f"{media_type or 'unknown type'}{size}, {byte_count(len(data))}"


def _html(row: _Row) -> str:
    if row.image_url:
        return f"{_IMAGE.format(url=escape(row.image_url))}<br>{escape(row.text)}"
    return _TEXT.format(text=escape(row.text))
