"""The tool `wait` as a model is told about it (contract 3.1, deferral document 5.6)."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from toolbridge.prompt import texts
from toolbridge.prompt.messages import Messages

Schema: TypeAlias = dict[str, Any]

PARAMETERS: Schema = {
    "type": "object",
    "properties": {
        "cell_id": {"type": "string", "description": "The id of the running cell."},
        "yield_time_ms": {
            "type": "number",
            "description": "Milliseconds to wait before giving what there is; 10000 by default.",
        },
        "max_tokens": {
            "type": "number",
            "description": "Most output tokens of this call; 10000 by default.",
        },
        "terminate": {
            "type": "boolean",
            "description": "true ends the cell; false, or nothing, waits for it.",
        },
    },
    "required": ["cell_id"],
    "additionalProperties": False,
}

INVALID_PARAMETERS = "Invalid catalog tool parameters; using bundled parameters"

_TYPES = {"string", "number", "boolean", "integer", "object", "array", "null"}


class _UnsupportedError(Exception):
    """A schema holds something that the wire's schemas cannot."""


@dataclass(frozen=True)
class WaitTool:
    """Description and parameters, as they are sent."""

    description: str
    parameters: Schema
    warning: str | None = None
    """Why the configured parameters are not used."""


def wait_tool(messages: Messages | None = None) -> WaitTool:
    """The tool with the texts that `messages` replaces."""
    messages = messages or Messages()
    replaced = messages.wait_description
    description = texts.WAIT if replaced is None else replaced
    if messages.wait_parameters is None:
        return WaitTool(description, PARAMETERS)
    parameters = parse_parameters(messages.wait_parameters)
    if parameters is None:
        return WaitTool(description, PARAMETERS, INVALID_PARAMETERS)
    return WaitTool(description, parameters)


def parse_parameters(text: str) -> Schema | None:
    """The schema in `text`, reduced to what the wire's schemas know; None: it cannot be used.

    Unknown keywords are dropped, and null ones too. The root's type has to be `object` alone.
    """
    try:
        schema = json.loads(text, parse_constant=_refuse_constant)
        reduced = _schema(schema)
    except (ValueError, _UnsupportedError, RecursionError):
        return None
    return reduced if reduced.get("type") == "object" else None


def _schema(value: Any) -> Schema:
    if not isinstance(value, dict):
        raise _UnsupportedError
    return {
        name: read(value[name])
        for name, read in _READERS.items()
        if name in value and value[name] is not None
    }


def _type(value: Any) -> Any:
    names = value if isinstance(value, list) else [value]
    if not all(isinstance(name, str) and name in _TYPES for name in names):
        raise _UnsupportedError
    return value


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise _UnsupportedError
    return value


def _list(value: Any) -> list[Any]:
    if not isinstance(value, list):
        raise _UnsupportedError
    return value


def _properties(value: Any) -> Schema:
    if not isinstance(value, dict):
        raise _UnsupportedError
    return {name: _schema(below) for name, below in value.items()}


_READERS: Mapping[str, Callable[[Any], Any]] = {
    "type": _type,
    "description": _text,
    "enum": _list,
    "items": _schema,
    "properties": _properties,
    "required": lambda value: [_text(name) for name in _list(value)],
    "additionalProperties": lambda value: value if isinstance(value, bool) else _schema(value),
    "anyOf": lambda value: [_schema(below) for below in _list(value)],
}


def _refuse_constant(name: str) -> None:
    raise ValueError(f"{name} is no JSON")
