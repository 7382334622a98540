"""The result of a call that a model makes by itself, as the content items that it would get."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from codemode_host.wire import AudioItem, ContentItem, ImageItem, TextItem

from toolbridge import JsonValue


def direct_items(result: JsonValue) -> list[ContentItem]:
    """A string is text, what has a list of content blocks is those, anything else is JSON."""
    if isinstance(result, str):
        return [TextItem(result)]
    blocks = result.get("content") if isinstance(result, dict) else None
    if isinstance(blocks, list) and blocks and all(map(_is_block, blocks)):
        return list(_items_of(blocks))
    return [TextItem(_json(result))]


def is_failure(result: JsonValue) -> bool:
    """Whether the tool says of its own result that it is an error."""
    return isinstance(result, dict) and result.get("isError") is True


def _is_block(block: JsonValue) -> bool:
    return isinstance(block, dict) and isinstance(block.get("type"), str)


def _items_of(blocks: list[Any]) -> Iterator[ContentItem]:
    for block in blocks:
        kind, data, mime = block["type"], block.get("data"), block.get("mimeType")
        if kind == "text" and isinstance(block.get("text"), str):
            yield TextItem(block["text"])
        elif kind == "image" and isinstance(data, str):
            yield ImageItem(f"data:{mime};base64,{data}")
        elif kind == "audio" and isinstance(data, str):
            yield AudioItem(f"data:{mime};base64,{data}")
        else:
            yield TextItem(_json(block))


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
