"""JSON that a person types behind a magic."""

from __future__ import annotations

import json

from toolbridge.json_values import NotJsonError, strict_json

from toolbridge import JsonValue


def read_typed_json(text: str) -> JsonValue:
    """The value; raises `NotJsonError` that says what is wrong and where."""
    try:
        return strict_json(json.loads(text, parse_constant=_refuse_constant))
    except json.JSONDecodeError as error:
        where = f"line {error.lineno}, column {error.colno}"
        raise NotJsonError(f"{error.msg} at {where}") from None
    except NotJsonError:
        raise
    except ValueError:  # Python reads no integer of thousands of digits
        raise NotJsonError("it holds a number that is too long") from None
    except RecursionError:
        raise NotJsonError("it is nested too deeply") from None


def _refuse_constant(name: str) -> None:
    raise NotJsonError(f"{name} is no JSON")
