"""The output of a model as a record keeps it: media by hash, within a number of bytes. Sans-I/O."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from msgspec import UNSET
from toolbridge.media import Slot

from codemode_kernel.outputs.media import media_data
from codemode_kernel.record import Media, ModelAudio, ModelImage, ModelItem, ModelText
from codemode_kernel.recording.excerpt import MARK_BYTES, cut_text, json_bytes
from codemode_kernel.session.observation import ModelOutput

ITEM_BYTES = 40
"""What a text item takes beside its text."""

MEDIA_BYTES = 400
"""What a media item takes at most."""

LONGEST_NAME = 100
"""Bytes of a media type."""


@dataclass(frozen=True)
class KeptView:
    """What is kept of one output."""

    view: str | tuple[ModelItem, ...]
    items_left_out: int = 0
    characters_left_out: int = 0
    """Of texts that are cut, and of those that are not there."""


def kept_view(output: ModelOutput, limit: int, media: Sequence[Slot] = ()) -> KeptView:
    """As much of `output` as takes `limit` bytes of JSON; its beginning, if not all of it.

    `media` is what is known of its images and sounds, in its order.
    """
    if isinstance(output, str):
        text, left_out = cut_text(output, max(limit, MARK_BYTES))
        return KeptView(text, characters_left_out=left_out)
    known = iter(media)
    kept: list[ModelItem] = []
    for position, item in enumerate(output):
        record, size, left_out = _kept_item(item, limit, known)
        if record is None or left_out:
            rest = output[position:] if record is None else output[position + 1 :]
            kept += [record] if record else []
            characters = left_out + sum(len(other.get("text", "")) for other in rest)
            return KeptView(tuple(kept), len(rest), characters)
        kept.append(record)
        limit -= size
    return KeptView(tuple(kept))


def _kept_item(
    item: dict[str, Any], limit: int, known: Iterator[Slot]
) -> tuple[ModelItem | None, int, int]:
    """The item, the bytes it takes, and the characters it lacks; None where there is no room."""
    if item["type"] != "input_text":
        return (
            (_media_item(item, next(known, None)), MEDIA_BYTES, 0)
            if limit >= MEDIA_BYTES
            else (None, 0, 0)
        )
    if limit < ITEM_BYTES + MARK_BYTES:
        return None, 0, 0
    text, left_out = cut_text(item["text"], limit - ITEM_BYTES)
    return ModelText(text), ITEM_BYTES + json_bytes(text), left_out


def _media_item(item: dict[str, Any], slot: Slot | None) -> ModelImage | ModelAudio:
    if item["type"] == "input_image":
        return ModelImage(_media(item["image_url"], slot), item.get("detail") or UNSET)
    return ModelAudio(_media(item["audio_url"], slot))


def _media(url: str, slot: Slot | None) -> Media:
    """What an output of the same cell holds: a model may have got a smaller one."""
    if slot is not None and slot.sha256 is not None:
        return Media(slot.sha256, cut_text(slot.emitted_type, LONGEST_NAME)[0], slot.emitted_bytes)
    found = media_data(url)
    if found is None:
        return Media()
    mime_type, data = found
    return Media(hashlib.sha256(data).hexdigest(), cut_text(mime_type, LONGEST_NAME)[0], len(data))
