"""The first line of an exec source: ``// @exec: {...}`` (contract 1.2, model view 4)."""

from __future__ import annotations

from dataclasses import dataclass

from codemode_rules.errors import JsonTextError, PragmaError
from codemode_rules.json_text import JsonReader, JsonValue, Number, kind
from codemode_rules.white_space import WHITE_SPACE

PREFIX = "// @exec:"
SAFE_INTEGER_MAX = 2**53 - 1

_FIELDS = ("yield_time_ms", "max_output_tokens")
_SUPPORTED = "`yield_time_ms` and `max_output_tokens`"


@dataclass(frozen=True, slots=True)
class ExecSource:
    """What one exec cell asks for."""

    code: str
    """JavaScript; with a pragma it starts at the line after it."""
    yield_time_ms: int | None = None
    """Milliseconds, 0 to 2^53-1; None for the default."""
    max_output_tokens: int | None = None
    """Tokens, 0 to 2^53-1; None for the default."""


def parse_exec_source(text: str) -> ExecSource:
    """Split an exec source into pragma and code.

    Raises `PragmaError` with the text the model gets, checks in the contract's order.
    """
    if not text.strip(WHITE_SPACE):
        raise PragmaError(
            "exec expects raw JavaScript source text (non-empty). Provide JS only, optionally with "
            'first-line `// @exec: {"yield_time_ms": 10000, "max_output_tokens": 1000}`.'
        )
    first_line, _, code = text.partition("\n")
    first_line = first_line.lstrip(WHITE_SPACE)
    if not first_line.startswith(PREFIX):
        return ExecSource(text)
    if not code.strip(WHITE_SPACE):
        raise PragmaError("exec pragma must be followed by JavaScript source on subsequent lines")
    fields = _parse_directive(first_line.removeprefix(PREFIX).strip(WHITE_SPACE))
    values = {name: _unsigned(value) for name, value in fields.items()}
    for name in _FIELDS:
        if (values.get(name) or 0) > SAFE_INTEGER_MAX:
            raise PragmaError(f"exec pragma field `{name}` must be a non-negative safe integer")
    return ExecSource(code, **values)


def _parse_directive(directive: str) -> dict[str, JsonValue]:
    not_an_object = PragmaError(
        f"exec pragma must be a JSON object with supported fields {_SUPPORTED}"
    )
    if not directive:
        raise not_an_object
    reader = JsonReader(directive)
    try:
        fields = reader.value()
        reader.end()
    except JsonTextError as error:
        raise PragmaError(
            f"exec pragma must be valid JSON with supported fields {_SUPPORTED}: {error}"
        ) from None
    if not isinstance(fields, dict):
        raise not_an_object
    for name in fields:
        if name not in _FIELDS:
            raise PragmaError(f"exec pragma only supports {_SUPPORTED}; got `{name}`")
    return fields


def _unsigned(value: JsonValue) -> int | None:
    if value is None:
        return None
    if isinstance(value, Number):
        detail = "invalid number"
        if value.u64 is not None:
            return value.u64
    else:
        detail = f"invalid type: {kind(value)}, expected u64"
    raise PragmaError(
        f"exec pragma fields {_SUPPORTED} must be non-negative safe integers: {detail}"
    )
