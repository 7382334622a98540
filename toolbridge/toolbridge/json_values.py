"""Strict JSON: what may cross the wire as an argument or a result."""

from __future__ import annotations

import math
from typing import TypeAlias, cast

JsonValue: TypeAlias = "bool | int | float | str | list[JsonValue] | dict[str, JsonValue] | None"

MAX_DEPTH = 120
"""Lists and objects inside each other: the reference's parser gives up at 128, envelope included."""

MAX_INTEGER = 2**64 - 1
MIN_INTEGER = -(2**63)


class NotJsonError(ValueError):
    """A value that JSON cannot hold; the message names the place and what is there."""


def strict_json(value: object) -> JsonValue:
    """The same value, known to be JSON.

    Raises `NotJsonError` for NaN and infinities, integers beyond 64 bits, lone surrogates, keys that
    are no strings, nesting beyond `MAX_DEPTH`, and objects of any other type.
    """
    try:
        _check(value, MAX_DEPTH)
    except _FaultError as fault:
        place = path_text(reversed(fault.inner_to_outer))
        raise NotJsonError(f"{place + ': ' if place else ''}{fault.what}") from None
    return cast("JsonValue", value)


class _FaultError(Exception):
    """Collects its place on the way up, so that good values pay nothing for it."""

    def __init__(self, what: str) -> None:
        self.what = what
        self.inner_to_outer: list[str | int] = []


def _check(value: object, depth: int) -> None:
    kind = type(value)
    if kind is str:
        _check_text(cast("str", value))
    elif kind is dict or kind is list:
        _check_members(cast("dict[object, object] | list[object]", value), depth)
    elif kind is float:
        if not math.isfinite(cast("float", value)):
            raise _FaultError(f"{value} is no JSON number")
    elif kind is int:
        if not MIN_INTEGER <= cast("int", value) <= MAX_INTEGER:
            raise _FaultError("an integer that does not fit 64 bits")
    elif value is not None and kind is not bool:
        raise _FaultError(f"a value of type {kind.__name__}")


def _check_members(value: dict[object, object] | list[object], depth: int) -> None:
    if not depth:
        raise _FaultError(f"nested deeper than {MAX_DEPTH} levels, or holding itself")
    place: object = None
    try:
        if isinstance(value, list):
            for place, item in enumerate(value):  # noqa: B007 - read when a fault comes up
                _check(item, depth - 1)
            return
        for place, item in value.items():
            if type(place) is not str:
                raise _FaultError(f"a key of type {type(place).__name__}")
            _check_text(place)
            _check(item, depth - 1)
    except _FaultError as fault:
        if isinstance(place, str | int):
            fault.inner_to_outer.append(place)
        raise


def _check_text(text: str) -> None:
    if not text.isascii():
        try:
            text.encode()
        except UnicodeEncodeError:
            raise _FaultError("text with a lone surrogate") from None


def path_text(parts: object) -> str:
    """A place inside a value as a script would write it: `rooms[0].name`; empty for the value."""
    text = ""
    for part in cast("list[str | int]", parts):
        if isinstance(part, int):
            text += f"[{part}]"
        elif part.isidentifier():
            text += f".{part}" if text else part
        else:
            text += f'["{part}"]'
    return text
