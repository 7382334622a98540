"""What scripts pass to `exec_command` and `write_stdin`, refused in the reference's words.

The reference shows its parser's message, position included, so the arguments are read from their
compact JSON text. Unlike there, unknown fields are refused: an option that is silently ignored is
worse than an error.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from codemode_rules.errors import JsonTextError
from codemode_rules.json_text import JsonReader, Number, kind

from toolbridge.errors import ArgumentsRefusedError
from toolbridge.json_values import JsonValue

EXEC_YIELD_TIME_MS = 10_000
INPUT_YIELD_TIME_MS = 250
POLL_YIELD_TIME_MS = 5_000

MAX_YIELD_TIME_MS = 24 * 60 * 60 * 1000
"""Longer waits end after a day; the caller gets a session then."""


@dataclass(frozen=True, slots=True)
class ExecCommand:
    """Arguments of `exec_command`."""

    cmd: str
    workdir: str | None = None
    shell: str | None = None
    login: bool = False
    yield_time_ms: int = EXEC_YIELD_TIME_MS
    max_output_tokens: int | None = None
    """None: the script gets everything."""


@dataclass(frozen=True, slots=True)
class WriteStdin:
    """Arguments of `write_stdin`."""

    session_id: int
    chars: str = ""
    yield_time_ms: int = INPUT_YIELD_TIME_MS
    max_output_tokens: int | None = None


_Reader: TypeAlias = Callable[[JsonReader], object]


def parse_exec_command(arguments: JsonValue) -> ExecCommand:
    """Read the arguments of `exec_command`; raises `ArgumentsRefusedError`."""
    command = ExecCommand(**_read_struct(arguments, _EXEC_FIELDS, required="cmd"))
    for name, value in (("cmd", command.cmd), ("workdir", command.workdir)):
        if value and "\0" in value:
            raise ArgumentsRefusedError(
                f"exec_command failed: `{name}` holds a NUL character, which no process can be given"
            )
    return command


def parse_write_stdin(arguments: JsonValue) -> WriteStdin:
    """Read the arguments of `write_stdin`; raises `ArgumentsRefusedError`."""
    fields = _read_struct(arguments, _STDIN_FIELDS, required="session_id")
    if not fields.get("chars"):
        fields.setdefault("yield_time_ms", POLL_YIELD_TIME_MS)
    return WriteStdin(**fields)


def _read_struct(
    arguments: JsonValue, fields: Mapping[str, _Reader], required: str
) -> dict[str, Any]:
    reader = JsonReader(json.dumps(arguments, ensure_ascii=False, separators=(",", ":")))
    read: dict[str, Any] = {}
    try:
        for name in reader.members():
            if name not in fields:
                expected = ", ".join(f"`{known}`" for known in fields)
                raise reader.refuse(f"unknown field `{name}`, expected one of {expected}")
            value = fields[name](reader)
            if value is not None:
                read[name] = value
        if required not in read:
            raise reader.refuse(f"missing field `{required}`")
    except JsonTextError as error:
        raise ArgumentsRefusedError(f"failed to parse function arguments: {error}") from None
    return read


def _text(reader: JsonReader) -> str:
    value = reader.value()
    if isinstance(value, str):
        return value
    raise reader.refuse(f"invalid type: {kind(value)}, expected a string")


def _boolean(reader: JsonReader) -> bool:
    value = reader.value()
    if isinstance(value, bool):
        return value
    raise reader.refuse(f"invalid type: {kind(value)}, expected a boolean")


def _integer(least: int, most: int, expected: str) -> _Reader:
    def read(reader: JsonReader) -> int:
        value = reader.value()
        what = kind(value)
        if isinstance(value, Number) and what.startswith("integer"):
            if least <= int(value.text) <= most:
                return int(value.text)
            raise reader.refuse(f"invalid value: {what}, expected {expected}")
        raise reader.refuse(f"invalid type: {what}, expected {expected}")

    return read


def _optional(read: _Reader) -> _Reader:
    def read_unless_null(reader: JsonReader) -> object:
        return reader.value() if reader.peek() == "n" else read(reader)

    return read_unless_null


def _milliseconds(reader: JsonReader) -> int:
    value = _unsigned(reader)
    assert isinstance(value, int), "the reader of integers gives an integer"
    return min(value, MAX_YIELD_TIME_MS)


def _for_the_person(reader: JsonReader) -> None:
    """A field that is shown to who is asked and does nothing."""
    reader.value()


_unsigned = _integer(0, 2**64 - 1, "u64")
FOR_THE_PERSON = ("sandbox_permissions", "justification", "prefix_rule")
"""Fields by which models ask for more rights. They are shown to the person and grant nothing."""

_EXEC_FIELDS: Mapping[str, _Reader] = {
    "cmd": _text,
    "workdir": _optional(_text),
    "shell": _optional(_text),
    "login": _optional(_boolean),
    "yield_time_ms": _milliseconds,
    "max_output_tokens": _optional(_integer(0, 2**64 - 1, "usize")),
    **dict.fromkeys(FOR_THE_PERSON, _for_the_person),
}
_STDIN_FIELDS: Mapping[str, _Reader] = {
    "session_id": _integer(-(2**31), 2**31 - 1, "i32"),
    "chars": _text,
    "yield_time_ms": _milliseconds,
    "max_output_tokens": _optional(_integer(0, 2**64 - 1, "usize")),
}
