"""Checks on JSON text that msgspec leaves out.

`msgspec.Raw` fields are checked for syntax when they are decoded, down to lone surrogates, but not
for UTF-8 and not for depth. Both would break a stricter reader on the other side. And of a field
that is given twice the last one counts, where the reference refuses.
"""

from __future__ import annotations

import json
import re

MAX_DEPTH = 127
"""Containers inside each other that the reference's reader accepts."""

_STRING = re.compile(rb'"[^"\\]*(?:\\.[^"\\]*)*"')
_OPENING = (b"[", b"{")


def check_utf8(text: bytes) -> None:
    """Raise `ValueError` when `text` is not UTF-8."""
    if not text.isascii():
        text.decode("utf-8")


def check_depth(text: bytes, limit: int) -> None:
    """Raise `ValueError` when valid JSON text has more than `limit` containers inside each other."""
    openings = text.count(b"[") + text.count(b"{")
    if openings > limit and _depth(text) > limit:
        raise ValueError("recursion limit exceeded")


def check_unique_keys(text: bytes) -> None:
    """Raise `ValueError` when an object of valid JSON text has a key twice."""
    json.loads(text, object_pairs_hook=_refuse_repetition)


def _refuse_repetition(pairs: list[tuple[str, object]]) -> None:
    keys = set()
    for key, _ in pairs:
        if key in keys:
            raise ValueError(f"duplicate field `{key}`")
        keys.add(key)


def _depth(text: bytes) -> int:
    structure = _STRING.sub(b"", text)
    depth = deepest = 0
    for bracket in re.findall(rb"[\[\]{}]", structure):
        depth += 1 if bracket in _OPENING else -1
        deepest = max(deepest, depth)
    return deepest
