"""Readers of a JSON object's fields, which refuse other types in the reference's words."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from codemode_rules.json_text import JsonReader, Number, kind

FieldReader: TypeAlias = Callable[[JsonReader], object]
"""Reads one value; raises `JsonTextError` when it is of another type or out of range."""


def text(reader: JsonReader) -> str:
    """A string."""
    value = reader.value()
    if isinstance(value, str):
        return value
    raise reader.refuse(f"invalid type: {kind(value)}, expected a string")


def boolean(reader: JsonReader) -> bool:
    """True or false."""
    value = reader.value()
    if isinstance(value, bool):
        return value
    raise reader.refuse(f"invalid type: {kind(value)}, expected a boolean")


def integer(least: int, most: int, expected: str) -> Callable[[JsonReader], int]:
    """An integer from `least` to `most`, which the reference calls `expected` (`u64`)."""

    def read(reader: JsonReader) -> int:
        value = reader.value()
        what = kind(value)
        if isinstance(value, Number) and what.startswith("integer"):
            if least <= int(value.text) <= most:
                return int(value.text)
            raise reader.refuse(f"invalid value: {what}, expected {expected}")
        raise reader.refuse(f"invalid type: {what}, expected {expected}")

    return read


def optional(read: FieldReader) -> FieldReader:
    """What `read` gives, or None for a null."""

    def read_unless_null(reader: JsonReader) -> object:
        return reader.value() if reader.peek() == "n" else read(reader)

    return read_unless_null
