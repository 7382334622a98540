"""Texts as the reference's language writes them, where they reach a script."""

from __future__ import annotations

import re

_SHORT = {"\0": "\\0", "\t": "\\t", "\n": "\\n", "\r": "\\r", '"': '\\"', "\\": "\\\\"}

_BLANK = re.compile("[\t-\r \u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]*")


def quoted(text: str) -> str:
    """`text` in quotes, as Rust's `{:?}` has it: what cannot be printed as ``\\u{hex}``."""
    return '"' + "".join(_SHORT.get(char) or _printable(char) for char in text) + '"'


def is_blank(text: str) -> bool:
    """Whether nothing is left after Rust's `trim`, which cuts Unicode's `White_Space`."""
    return _BLANK.fullmatch(text) is not None


def _printable(char: str) -> str:
    return char if char.isprintable() else f"\\u{{{ord(char):x}}}"
