"""The arguments of a wait, as the model writes them (contract 3.1, model view 5)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from codemode_rules.budget import DEFAULT_MAX_TOKENS
from codemode_rules.errors import JsonTextError, WaitArgumentsError
from codemode_rules.json_fields import FieldReader, boolean, integer, optional, text
from codemode_rules.json_text import U64_MAX, JsonReader, kind

DEFAULT_YIELD_TIME_MS = 10_000


@dataclass(frozen=True, slots=True)
class WaitArguments:
    """What one wait asks for."""

    cell_id: str
    yield_time_ms: int = DEFAULT_YIELD_TIME_MS
    """Milliseconds, any u64."""
    max_tokens: int = DEFAULT_MAX_TOKENS
    """Output budget in tokens, any u64."""
    terminate: bool = False


def parse_wait_arguments(arguments: str) -> WaitArguments:
    """Decode JSON text; unknown keys are ignored, `max_tokens` alone may be null.

    Raises `WaitArgumentsError` with the text the model gets.
    """
    reader = JsonReader(arguments)
    try:
        fields = _read_fields(reader)
        reader.end()
    except JsonTextError as error:
        raise WaitArgumentsError(f"failed to parse function arguments: {error}") from None
    return WaitArguments(**fields)


def _read_fields(reader: JsonReader) -> dict[str, Any]:
    fields: dict[str, Any] = {}
    if reader.peek() != "{":
        other = reader.value()
        raise reader.refuse(f"invalid type: {kind(other)}, expected struct ExecWaitArgs")
    for name in reader.members():
        if name not in _READERS:
            reader.value()
            continue
        if name in fields:
            raise reader.refuse(f"duplicate field `{name}`")
        fields[name] = _READERS[name](reader)
    if "cell_id" not in fields:
        raise reader.refuse("missing field `cell_id`")
    if fields.get("max_tokens", 0) is None:
        del fields["max_tokens"]
    return fields


_READERS: dict[str, FieldReader] = {
    "cell_id": text,
    "yield_time_ms": integer(0, U64_MAX, "u64"),
    "max_tokens": optional(integer(0, U64_MAX, "usize")),
    "terminate": boolean,
}
