"""What the reference's JSON reader refuses in what a script stores or passes to a tool.

`JSON.stringify` may write lone surrogates and any depth; the reference reads its text with
serde_json, which takes neither, and its texts reach the script (contract 5, measured fact 16).
Positions are 1-based bytes, as there.
"""

from __future__ import annotations

import json
import re
from math import isinf
from typing import Any

MAX_DEPTH = 127

_PREFIX = "failed to serialize JavaScript value: "
_RESERVED = "$serde_json::private::"
_SUSPICIOUS = re.compile(r"\\[uU]|\$serde|[eE]\+?[0-9]{3}")
_RESERVED_KEYS = frozenset({f"{_RESERVED}RawValue", f"{_RESERVED}Number"})

_TOKENS = re.compile(
    rb"""(?P<open>[\[{])|(?P<close>[\]}])|"(?:[^"\\]|\\.)*"|(?P<number>-?[0-9][0-9.eE+-]*)""",
    re.DOTALL,
)
_ESCAPES = re.compile(
    rb"\\(?:u(?P<high>d[89ab][0-9a-f]{2})(?P<pair>\\ud[c-f][0-9a-f]{2})?|u(?P<low>d[c-f][0-9a-f]{2})|.)",
    re.DOTALL | re.IGNORECASE,
)
_HUGE_EXPONENT = re.compile(rb"[eE]\+?[0-9]{3}")
_DIGIT = re.compile(rb"[0-9]")
_HUGE_DIGITS = 309
"""From so many digits on a number may be out of range without an exponent."""


def refusal(text: str) -> str | None:
    """Why the reference refuses this JSON text, as `JSON.stringify` writes it; None if not."""
    if len(text) < 2 * MAX_DEPTH and not _SUSPICIOUS.search(text):
        return None  # as nearly every argument is
    data = text.encode()
    deep = data.count(b"[") + data.count(b"{") > MAX_DEPTH
    surrogates = rb"\ud" in data or rb"\uD" in data
    reserved = _RESERVED in text
    huge = _HUGE_EXPONENT.search(data) is not None or _may_have_huge_digits(data)
    if not (deep or surrogates or reserved or huge):
        return None
    reason = _syntax_refusal(data)
    if reason is None and reserved and _has_reserved_key(json.loads(text)):
        reason = "reserved JSON object key"
    return None if reason is None else _PREFIX + reason


def _may_have_huge_digits(data: bytes) -> bool:
    """Whether a number can have `_HUGE_DIGITS` digits: one of them would be at a multiple of it."""
    every = data[_HUGE_DIGITS - 1 :: _HUGE_DIGITS]
    return (
        _DIGIT.search(every) is not None
        and re.search(rb"[0-9]{%d}" % _HUGE_DIGITS, data) is not None
    )


def _syntax_refusal(data: bytes) -> str | None:
    """The first thing, from left to right, that stops the reader."""
    depth = 0
    for token in _TOKENS.finditer(data):
        if token["open"]:
            depth += 1
            if depth > MAX_DEPTH:
                return f"recursion limit exceeded at line 1 column {token.end()}"
        elif token["close"]:
            depth -= 1
        elif token["number"]:
            if isinf(float(token[0])):
                return f"number out of range at line 1 column {token.end()}"
        elif (reason := _surrogate_refusal(token[0], token.start())) is not None:
            return reason
    return None


def _surrogate_refusal(string: bytes, offset: int) -> str | None:
    """The first lone surrogate of a JSON string that starts at `offset`."""
    for escape in _ESCAPES.finditer(string):
        end = escape.end()
        if escape["low"]:
            return f"lone leading surrogate in hex escape at line 1 column {offset + end}"
        if not escape["high"] or escape["pair"]:
            continue
        # The reader wants the other half: a backslash, a `u`, and a low surrogate.
        if string[end : end + 1] != b"\\":
            return f"unexpected end of hex escape at line 1 column {offset + end + 1}"
        if string[end + 1 : end + 2] != b"u":
            return f"unexpected end of hex escape at line 1 column {offset + end + 2}"
        return f"lone leading surrogate in hex escape at line 1 column {offset + end + 6}"
    return None


def _has_reserved_key(value: Any) -> bool:
    waiting = [value]
    while waiting:
        part = waiting.pop()
        if isinstance(part, dict):
            if not _RESERVED_KEYS.isdisjoint(part):
                return True
            waiting.extend(part.values())
        elif isinstance(part, list):
            waiting.extend(part)
    return False
