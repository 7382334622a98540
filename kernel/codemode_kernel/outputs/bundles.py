"""Content items as MIME bundles: what a notebook shows, with a plain text for every client.

`text/plain` is always there: consoles, papermill's logs, diffs and nbconvert fall back to it.
"""

from __future__ import annotations

import json
import re
from base64 import b64encode
from dataclasses import dataclass, field
from html import escape
from typing import Any

from codemode_host.wire import AudioItem, ImageItem
from codemode_rules.image_header import read_image_header
from codemode_rules.wav import wav_seconds

from codemode_kernel.outputs.amounts import byte_count
from codemode_kernel.outputs.audio_type import audio_type
from codemode_kernel.outputs.media import media_data

TREE_LIMIT = 256 * 1024
"""Longest JSON text, in characters, that is shown as a tree; longer ones stay text."""

PLAIN_TREE_LIMIT = 16 * 1024
"""Longest plain fallback of a tree, in characters."""

INDENT = 2
"""Spaces for each level of it."""

TREE_DEPTH = 100
"""Deepest nesting that is shown as a tree; much deeper ones no JSON encoder could send."""

NOTIFICATION_LIMIT = 16 * 1024
"""Longest notification shown, in characters."""

_QUIET = '<div class="codemode-{kind}" style="opacity: 0.65; padding: 1px 8px"><small>{line}</small></div>'
"""As far from the edge as text, which JupyterLab sets in by 8 pixels."""

_AUDIO_TYPE = re.compile(r"audio/[\w.+-]{1,80}", re.ASCII)
"""Types of sounds that can be a key of an output: a script may have made one up."""

SHOWN_IMAGES = ("image/png", "image/jpeg", "image/gif", "image/webp", "image/svg+xml")


@dataclass(frozen=True)
class Bundle:
    """One output: MIME type to data, and the metadata of the types that have some."""

    data: dict[str, Any]
    metadata: dict[str, Any] = field(default_factory=dict)


def tree_bundle(text: str) -> Bundle | None:
    """A tree for a text item that is one JSON object or array, else None.

    `text(value)` gives compact JSON in one line. JSON that somebody laid out over several lines
    was meant to be read as it is.
    """
    if text[:1] + text[-1:] not in ("{}", "[]") or len(text) > TREE_LIMIT or "\n" in text:
        return None
    try:
        value = json.loads(text, parse_constant=_refuse_constant)
        # A number such as 1e999 is JSON, but no number that a message can carry.
        plain = json.dumps(value, indent=INDENT, ensure_ascii=False, allow_nan=False)
    except (ValueError, RecursionError):
        return None
    # Only indentation can stand at the start of a line: strings hold no raw line breaks.
    if not value or "\n" + " " * INDENT * (TREE_DEPTH + 1) in plain:
        return None
    metadata = {"application/json": {"expanded": len(text) < 1000}}
    bundle = {"application/json": value, "text/plain": _cut(plain, PLAIN_TREE_LIMIT)}
    return Bundle(bundle, metadata)


def image_bundle(item: ImageItem) -> Bundle:
    """An image under its true type. What cannot be shown is named in plain text."""
    media = media_data(item.image_url)
    if media is None:
        return Bundle({"text/plain": "[image that cannot be shown: not a base64 data URL]"})
    declared, data = media
    header = read_image_header(data)
    mime = header.mime if header else declared
    size = header.size if header else None
    pixels = f" {size[0]}x{size[1]}" if size else ""
    plain = f"[{mime or 'image of unknown type'}{pixels}, {byte_count(len(data))}]"
    if mime not in SHOWN_IMAGES:
        return Bundle({"text/plain": f"{plain} cannot be shown"})
    if header is None and mime != "image/svg+xml":
        why = "its data is of another kind" if data else "it has no data"
        return Bundle({"text/plain": f"{plain} cannot be shown: {why}"})
    if mime == "image/svg+xml":
        return Bundle({mime: data.decode("utf-8", "replace"), "text/plain": plain})
    metadata = {mime: {"width": size[0], "height": size[1]}} if size else {}
    return Bundle({mime: b64encode(data).decode("ascii"), "text/plain": plain}, metadata)


def audio_bundle(item: AudioItem) -> Bundle:
    """A player, the sound itself and a line that names it."""
    media = media_data(item.audio_url)
    if media is None:
        return Bundle({"text/plain": "[audio that cannot be played: not a base64 data URL]"})
    declared, data = media
    mime = audio_type(data) or declared
    seconds = wav_seconds(data)
    length = f" {float(seconds):.1f} s" if seconds is not None else ""
    encoded = b64encode(data).decode("ascii")
    player = f'<audio controls src="data:{escape(mime)};base64,{encoded}"></audio>'
    plain = f"[{mime or 'audio of unknown type'}{length}, {byte_count(len(data))}]"
    bundle = {"text/html": player, "text/plain": plain}
    if _AUDIO_TYPE.fullmatch(mime):
        bundle[mime] = encoded
    return Bundle(bundle)


def is_shown_whole(notification: str) -> bool:
    """Whether the bundle of a notification has all of its text."""
    return len(notification) <= NOTIFICATION_LIMIT


def notification_bundle(text: str, cell_id: str | None = None) -> Bundle:
    """What `notify(text)` shows under its cell, which `cell_id` names."""
    sender = f" from cell {cell_id}" if cell_id else ""
    if not is_shown_whole(text):
        hint = f" (%view {cell_id} --full shows them)" if cell_id else ""
        text = _cut(text, NOTIFICATION_LIMIT) + hint
    html = (
        '<div class="codemode-notification" style="border-left: 3px solid '
        'var(--jp-info-color1, #2196f3); padding: 2px 8px; white-space: pre-wrap">'
        f"<b>Notification</b>{escape(sender)}: {escape(text)}</div>"
    )
    return Bundle({"text/html": html, "text/plain": f"Notification{sender}: {text}"})


def hint_bundle(text: str) -> Bundle:
    """A quiet line under a cell; `backticks` mark what can be typed."""
    html = _QUIET.format(kind="hint", line=f"Hint: {marked(text)}")
    return Bundle({"text/html": html, "text/plain": f"Hint: {text}"})


def quiet_bundle(text: str) -> Bundle:
    """A quiet line under a cell that is no advice; `backticks` mark what can be typed."""
    html = _QUIET.format(kind="quiet", line=marked(text))
    return Bundle({"text/html": html, "text/plain": f"[{text}]"})


def marked(line: str) -> str:
    """A line as HTML, with what stands between `backticks` as code."""
    parts = escape(line).split("`")
    return "".join(f"<code>{part}</code>" if i % 2 else part for i, part in enumerate(parts))


def _cut(text: str, limit: int) -> str:
    if len(text) <= limit:
        return text
    return f"{text[:limit]}\n… {len(text) - limit:,} more characters"


def _refuse_constant(name: str) -> None:
    raise ValueError(f"{name} is not JSON")
