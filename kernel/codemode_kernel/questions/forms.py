"""A flat JSON Schema as questions of one line each. Sans-I/O.

Forms are those of MCP's elicitation: an object whose properties are strings, numbers, integers,
booleans, or one or several of a list.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from toolbridge.secret_fields import has_secret_name, is_marked_secret

from codemode_kernel.questions.visible import visible


class UnfitError(ValueError):
    """A line is no value for its field; the message says what would be."""


@dataclass(frozen=True)
class Field:
    """One property of a form."""

    name: str
    schema: Mapping[str, Any]
    is_required: bool

    @property
    def is_secret(self) -> bool:
        """Whether what is typed must not be shown."""
        return has_secret_name(self.name) or is_marked_secret((self.schema,))

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
            return [
                part["const"]
                for part in alternatives
                if isinstance(part, Mapping) and "const" in part
            ]
        return ()

    def read(self, line: str) -> Any:
        """The value that a line means; None for one that is left empty. Raises `UnfitError`."""
        text = line.strip()
        if not text:
            return self.schema.get("default")
        if self.options:
            return _one_of(self.options, text)
        value = _READERS.get(str(self.schema.get("type")), str)(text)
        _check_bounds(value, self.schema)
        return value


def fields_of(form: Mapping[str, Any]) -> list[Field]:
    """The fields of a form, in its order."""
    properties = form.get("properties")
    if not isinstance(properties, Mapping):
        return []
    listed = form.get("required")
    required = listed if isinstance(listed, list) else ()
    return [
        Field(name, schema if isinstance(schema, Mapping) else {}, name in required)
        for name, schema in properties.items()
    ]


def with_secrets_marked(form: Mapping[str, Any] | None) -> Mapping[str, Any] | None:
    """The form with `"format": "password"` in every field that holds a secret."""
    secrets = [field for field in fields_of(form or {}) if field.is_secret]
    if form is None or not secrets:
        return form
    marked = {field.name: {**field.schema, "format": "password"} for field in secrets}
    return {**form, "properties": {**form["properties"], **marked}}


def _one_of(options: Sequence[Any], text: str) -> Any:
    for option in options:
        if str(option).lower() == text.lower():
            return option
    raise UnfitError("it is none of the choices")


def _check_bounds(value: Any, schema: Mapping[str, Any]) -> None:
    """A number has a least and a most, a text a shortest and a longest length."""
    if isinstance(value, str):
        _check_size(len(value), schema.get("minLength"), schema.get("maxLength"), " characters")
    elif isinstance(value, int | float) and not isinstance(value, bool):
        _check_size(value, schema.get("minimum"), schema.get("maximum"), "")


def _check_size(size: float, least: Any, most: Any, unit: str) -> None:
    if isinstance(least, int | float) and size < least:
        raise UnfitError(f"it is less than {least:g}{unit}")
    if isinstance(most, int | float) and size > most:
        raise UnfitError(f"it is more than {most:g}{unit}")


def _number(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        raise UnfitError("it is no number") from None
    if not math.isfinite(value):
        raise UnfitError("it is no number")
    return value


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
