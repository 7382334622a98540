"""What a gate rule says about one argument: equal to a value, or a string of a shape."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from fnmatch import translate
from typing import Protocol

from toolbridge.errors import RuleError
from toolbridge.json_values import JsonValue


class ArgumentPattern(Protocol):
    """Says yes or no to the value of an argument."""

    def matches(self, value: JsonValue) -> bool:
        """Whether the pattern covers `value`."""
        ...

    def __str__(self) -> str:
        """The pattern for a person: JSON, or the kind of shape and its text."""
        ...


@dataclass(frozen=True, slots=True)
class Exactly:
    """One value. JSON's own equality: `true` is not `1`."""

    value: JsonValue

    def matches(self, value: JsonValue) -> bool:
        return _same(self.value, value)

    def __str__(self) -> str:
        return json.dumps(self.value, ensure_ascii=False)


@dataclass(frozen=True, slots=True)
class Shape:
    """A string that the expression matches from its first character to its last."""

    expression: re.Pattern[str]
    written: str = ""
    """How it stands in the configuration: `glob git log*`."""

    def matches(self, value: JsonValue) -> bool:
        return isinstance(value, str) and self.expression.fullmatch(value) is not None

    def __str__(self) -> str:
        return self.written


def parse_pattern(written: JsonValue) -> ArgumentPattern:
    """Read a pattern as it stands in a configuration.

    `{"glob": TEXT}` and `{"regex": TEXT}` are shapes; anything else is the value itself. Raises
    `RuleError` for an expression that does not compile.
    """
    if isinstance(written, dict) and len(written) == 1:
        ((kind, text),) = written.items()
        if kind in _SHAPES and isinstance(text, str):
            return Shape(_SHAPES[kind](text), f"{kind} {text}")
    return Exactly(written)


def _regex(text: str) -> re.Pattern[str]:
    try:
        return re.compile(text)
    except re.error as error:
        raise RuleError(f"the regex {text!r} does not compile: {error}") from None


_SHAPES = {"glob": lambda text: re.compile(translate(text)), "regex": _regex}


def _same(one: JsonValue, other: JsonValue) -> bool:
    if isinstance(one, bool) or isinstance(other, bool):
        return one is other
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(_same(one[key], other[key]) for key in one)
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(_same, one, other))
    return one == other
