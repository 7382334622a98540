"""What scripts pass to `exec_command` and `write_stdin`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from codemode_rules.budget import BYTES_PER_TOKEN
from codemode_rules.json_fields import FieldReader, boolean, integer, optional, text
from codemode_rules.json_text import U64_MAX, JsonReader

from toolbridge.argument_fields import read_fields
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
    tty: bool = False
    """Whether it gets a terminal rather than pipes."""
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
    close_stdin: bool = False
    """End its input, after `chars`."""
    terminate: bool = False
    """End the command."""


def parse_exec_command(arguments: JsonValue) -> ExecCommand:
    """Read the arguments of `exec_command`; raises `ArgumentsRefusedError`."""
    read = _read(arguments, _EXEC_FIELDS, required="cmd")
    for name in ("cmd", "workdir", "shell"):
        check_text("exec_command", name, read.get(name, ""))
    return ExecCommand(**read)


def check_text(tool: str, name: str, value: str) -> None:
    """Refuse what no process can be given; raises `ArgumentsRefusedError`."""
    if "\0" in value:
        raise ArgumentsRefusedError(
            f"{tool} failed: `{name}` holds a NUL character, which no process can be given"
        )


def parse_write_stdin(arguments: JsonValue) -> WriteStdin:
    """Read the arguments of `write_stdin`; raises `ArgumentsRefusedError`."""
    fields = _read(arguments, _STDIN_FIELDS, required="session_id")
    if fields.get("terminate") and (fields.get("chars") or fields.get("close_stdin")):
        raise ArgumentsRefusedError(
            "write_stdin failed: `terminate` ends the command, so nothing can be sent with it"
        )
    if not fields.get("chars"):
        fields.setdefault("yield_time_ms", POLL_YIELD_TIME_MS)
    return WriteStdin(**fields)


def _read(arguments: JsonValue, fields: Mapping[str, FieldReader], required: str) -> dict[str, Any]:
    read = read_fields(arguments, fields, required)
    _count_bytes_as_tokens(read)
    return read


def _count_bytes_as_tokens(read: dict[str, Any]) -> None:
    """A budget in bytes is the same budget in other units."""
    size = read.pop("max_output_bytes", None)
    if size is None:
        return
    if read.setdefault("max_output_tokens", size // BYTES_PER_TOKEN) != size // BYTES_PER_TOKEN:
        raise ArgumentsRefusedError(
            "failed to parse function arguments: `max_output_tokens` and `max_output_bytes` set "
            "different budgets"
        )


def _milliseconds(reader: JsonReader) -> int:
    return min(_unsigned(reader), MAX_YIELD_TIME_MS)


def for_the_person(reader: JsonReader) -> None:
    """A field that is shown to who is asked and does nothing."""
    reader.value()


_unsigned = integer(0, U64_MAX, "u64")
_BUDGETS: Mapping[str, FieldReader] = {
    "max_output_tokens": optional(integer(0, U64_MAX, "usize")),
    "max_output_bytes": optional(integer(0, U64_MAX, "usize")),
}
FOR_THE_PERSON = ("sandbox_permissions", "justification", "prefix_rule")
"""Fields by which models ask for more rights. They are shown to the person and grant nothing."""

_EXEC_FIELDS: Mapping[str, FieldReader] = {
    "cmd": text,
    "workdir": optional(text),
    "shell": optional(text),
    "login": optional(boolean),
    "tty": optional(boolean),
    "yield_time_ms": _milliseconds,
    **_BUDGETS,
    **dict.fromkeys(FOR_THE_PERSON, for_the_person),
}
_STDIN_FIELDS: Mapping[str, FieldReader] = {
    "session_id": integer(-(2**31), 2**31 - 1, "i32"),
    "chars": text,
    "yield_time_ms": _milliseconds,
    **_BUDGETS,
    "close_stdin": optional(boolean),
    "terminate": optional(boolean),
}
