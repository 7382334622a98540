"""Payloads of worker frames, checked: a worker runs foreign code and is not trusted.

Shapes are those of the table in `engine/frames.py`. Every reader raises `EngineError`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

import msgspec
from codemode_rules.wav import SHORT_CLIP_NOTICE, is_too_short
from msgspec import Raw, Struct

from codemode_host.engine.frames import MAX_NOTIFY_BYTES
from codemode_host.errors import EngineError
from codemode_host.raw_json import MAX_DEPTH, check_depth, check_utf8
from codemode_host.wire import AudioItem, ContentItem, TextItem

T = TypeVar("T")

_items: msgspec.json.Decoder[ContentItem] = msgspec.json.Decoder(ContentItem)
_calls: msgspec.json.Decoder[tuple[int, Raw]] = msgspec.json.Decoder(tuple[int, Raw])
_stores: msgspec.json.Decoder[tuple[str, str]] = msgspec.json.Decoder(tuple[str, str])
_strings: msgspec.json.Decoder[str] = msgspec.json.Decoder(str)
_error_texts: msgspec.json.Decoder[str | None] = msgspec.json.Decoder(str | None)


class ToolFace(Struct, frozen=True):
    """A tool as a script sees it; `name` is the callable identifier."""

    name: str
    description: str


class Start(Struct, frozen=True, omit_defaults=True):
    """What a worker needs to run its cell.

    `tools` is the JSON text of a list of `ToolFace`, which the script alone is to read; `stored` maps
    keys to JSON texts.
    """

    source: str
    tools: str
    stored: dict[str, str]
    catchable_exit: bool
    heap_bytes: int | None = None
    """A lower limit of the JavaScript heap than the engine's own."""


def read_item(payload: bytes) -> ContentItem:
    """An `ITEM`; a WAV clip too short to be heard becomes a notice (contract 9.3)."""
    item = _read(_items.decode, payload)
    if isinstance(item, AudioItem) and is_too_short(item.audio_url):
        return TextItem(SHORT_CLIP_NOTICE)
    return item


def read_call(payload: bytes) -> tuple[int, Raw]:
    """A `CALL`: index of the tool, which may still be out of range, and JSON input."""
    return _read(_decode_call, payload)


def read_store(payload: bytes) -> tuple[str, str]:
    """A `STORE`: key and JSON text of the value."""
    return _read(_decode_store, payload)


def read_notification(payload: bytes) -> str:
    """A `NOTIFY`."""
    if len(payload) > MAX_NOTIFY_BYTES:
        raise EngineError(f"notification of {len(payload)} bytes exceeds {MAX_NOTIFY_BYTES}")
    return _read(_strings.decode, payload)


def read_error_text(payload: bytes) -> str | None:
    """A `DONE`: None when the script completed."""
    return _read(_error_texts.decode, payload)


def _decode_call(payload: bytes) -> tuple[int, Raw]:
    check_utf8(payload)
    call = _calls.decode(payload)
    check_depth(payload, MAX_DEPTH + 1)  # the list around it
    return call


def _decode_store(payload: bytes) -> tuple[str, str]:
    key, text = _stores.decode(payload)
    value = msgspec.json.decode(text, type=Raw)
    check_depth(bytes(value), MAX_DEPTH)
    return key, text


def _read(decode: Callable[[bytes], T], payload: bytes) -> T:
    try:
        return decode(payload)
    except (ValueError, RecursionError) as error:
        raise EngineError(f"malformed payload: {error}") from error
