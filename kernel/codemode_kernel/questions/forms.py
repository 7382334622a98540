"""A flat JSON Schema as questions of one line each. Sans-I/O.

Forms are those of MCP's elicitation: an object whose properties are strings, numbers, integers,
booleans, or one or several of a list.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from codemode_kernel.visible import visible


class UnfitError(ValueError):
    """A line is no value for its field; the message says what would be."""


@dataclass(frozen=True)
class Field:
    """One property of a form."""

    name: str
    schema: Mapping[str, Any]
    is_required: bool

    @property
    def prompt(self) -> str:
        """What is asked, on one line."""
        title = visible(str(self.schema.get("title") or self.name))
        about = self.schema.get("description")
        told = [visible(about)] if isinstance(about, str) and about else []
        if self.options:
            told.append("one of " + ", ".join(visible(str(option)) for option in self.options))
        elif self.schema.get("type") == "boolean":
            told.append("yes or no")
        elif self.schema.get("type") == "array":
            told.append("values with commas between them")
        if "default" in self.schema:
            told.append(f"nothing means {visible(str(self.schema['default']))}")
        elif not self.is_required:
            told.append("may be left empty")
        return f"{title} ({'; '.join(told)}): " if told else f"{title}: "

    @property
    def options(self) -> Sequence[Any]:
        """What can be chosen; empty where anything can be written."""
        if isinstance(self.schema.get("enum"), list):
            return list(self.schema["enum"])
        alternatives = self.schema.get("oneOf")
        if isinstance(alternatives, list):
            return [part["const"] for part in alternatives if "const" in part]
        return ()

    def read(self, line: str) -> Any:
        """The value that a line means; None for one that is left empty. Raises `UnfitError`."""
        text = line.strip()
        if not text:
            return self.schema.get("default")
        if self.options:
            return _one_of(self.options, text)
        return _READERS.get(str(self.schema.get("type")), str)(text)


def fields_of(form: Mapping[str, Any]) -> list[Field]:
    """The fields of a form, in its order."""
    properties = form.get("properties")
    if not isinstance(properties, Mapping):
        return []
    required = form.get("required") or ()
    return [
        Field(name, schema if isinstance(schema, Mapping) else {}, name in required)
        for name, schema in properties.items()
    ]


def _one_of(options: Sequence[Any], text: str) -> Any:
    for option in options:
        if str(option).lower() == text.lower():
            return option
    raise UnfitError("it is none of the choices")


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise UnfitError("it is no number") from None


def _integer(text: str) -> int:
    try:
        return int(text)
    except ValueError:
        raise UnfitError("it is no whole number") from None


def _boolean(text: str) -> bool:
    word = text.lower()
    if word in ("y", "yes", "true"):
        return True
    if word in ("n", "no", "false"):
        return False
    raise UnfitError("it is neither yes nor no")


def _values(text: str) -> list[str]:
    return [part.strip() for part in text.split(",") if part.strip()]


_READERS = {"number": _number, "integer": _integer, "boolean": _boolean, "array": _values}
