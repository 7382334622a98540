"""Checks arguments against a JSON Schema and says where the faults are."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import islice
from typing import Any

from toolbridge.errors import ArgumentsRefusedError, ToolUnavailableError
from toolbridge.json_values import JsonValue, path_text
from toolbridge.masking import SECRET, without_secrets
from toolbridge.secret_fields import SchemaSecrets
from toolbridge.secret_values import SecretValues
from toolbridge.tools import JsonSchema, Tool

MAX_FAULTS = 3
"""Faults named in one message."""

MAX_FAULT_CHARACTERS = 200
"""A validator quotes the value it refuses, however long it is."""


_QUOTES_NAMES_ONLY = frozenset({"required", "additionalProperties", "dependentRequired"})


def check_arguments(tool: Tool, arguments: JsonValue) -> None:
    """Compare `arguments` with the tool's input schema; a tool without one takes anything.

    Raises `ArgumentsRefusedError`, and `ToolUnavailableError` when the schema itself is broken.
    """
    if tool.input_schema is None:
        return
    faults = list(islice(_faults(tool, arguments), MAX_FAULTS))  # there may be many
    if faults:
        raise refusal(tool, faults)


def schema_faults(schema: JsonSchema, value: JsonValue) -> str:
    """The faults of `value`, with their paths, in one line; empty when it fits the schema.

    A validator quotes the value; its secrets are left out. A schema that is broken itself, or that a
    value cannot be compared with, is a fault, too.
    """
    try:
        errors = list(islice(validator_of(schema).iter_errors(value), MAX_FAULTS))
    except Exception as error:  # noqa: BLE001 - a result is not lost for the schema beside it
        return f"the schema {_complaint(error)}"
    hidden = SecretValues.of(value, SchemaSecrets(schema))
    return "; ".join(
        _told(error.absolute_path, hidden.left_out_of(error.message)) for error in errors
    )


def refusal(tool: Tool, faults: Iterable[tuple[Iterable[str | int], str]]) -> ArgumentsRefusedError:
    """The error that names each fault, given as (path, what is wrong)."""
    told = [_told(path, what) for path, what in islice(faults, MAX_FAULTS)]
    return ArgumentsRefusedError(
        f"invalid arguments for tool `{tool.identifier}`: {'; '.join(told)}"
    )


def _told(path: Iterable[str | int], what: str) -> str:
    place = path_text(path)
    return f"{place + ': ' if place else ''}{what[:MAX_FAULT_CHARACTERS]}"


def _faults(tool: Tool, arguments: JsonValue) -> Iterator[tuple[Iterable[str | int], str]]:
    for error in _errors(tool, arguments):
        from jsonschema.exceptions import best_match

        # Of the branches of an `anyOf`, the one that came closest says more than the whole.
        nearest = best_match([error]) or error
        yield nearest.absolute_path, _words(nearest, arguments, tool)


def _errors(tool: Tool, arguments: JsonValue) -> Iterator[Any]:
    try:
        yield from tool.input_validator.iter_errors(arguments)
    except Exception as error:  # noqa: BLE001 - whatever a schema does, the tool cannot be called
        told = f"the input schema of tool `{tool.identifier}` {_complaint(error)}"
        raise ToolUnavailableError(told) from None


def _words(error: Any, arguments: JsonValue, tool: Tool) -> str:
    """What is wrong; a validator's own words quote the value, which must be no secret."""
    if error.validator in _QUOTES_NAMES_ONLY:
        return str(error.message)
    shown = without_secrets(arguments, tool.input_secrets)
    for place in error.absolute_path:
        if shown == SECRET:
            break
        arguments, shown = arguments[place], shown[place]  # type: ignore[index]
    return str(error.message) if shown == arguments else f"it breaks `{error.validator}`"


def _complaint(error: Exception) -> str:
    """What an error of the validator says about the schema, after its name."""
    from referencing.exceptions import Unresolvable

    if isinstance(error, Unresolvable):
        return f"is broken: it lacks what it refers to, {error.ref}"
    if isinstance(error, _jsonschema_validators().exceptions.SchemaError):
        return f"is broken: {str(error.message)[:MAX_FAULT_CHARACTERS]}"
    if isinstance(error, RecursionError):
        return "cannot be compared with the value: one of them is nested too deeply or endlessly"
    # The words of any other error may quote the value.
    return f"cannot be compared with the value ({type(error).__name__})"


def validator_of(schema: JsonSchema) -> Any:
    """A validator of `jsonschema` for `schema`; raises its `SchemaError`."""
    return _validator(json.dumps(schema))


@lru_cache(maxsize=512)
def _validator(schema_json: str) -> Any:
    """A validator of the schema's own draft, 2020-12 by default. It fetches nothing."""
    validators = _jsonschema_validators()
    from referencing import Registry

    schema = json.loads(schema_json)
    cls = validators.validator_for(schema, default=validators.Draft202012Validator)
    cls.check_schema(schema)
    return cls(schema, registry=Registry())


def _jsonschema_validators() -> Any:
    """`jsonschema.validators`, imported without the grammar of its optional IRI format.

    That grammar takes over a second to parse, and formats are not checked here. `None` in
    `sys.modules` is how Python says that a module is absent, which `jsonschema` allows for.
    """
    optional = "rfc3987_syntax"
    hidden = "jsonschema" not in sys.modules and optional not in sys.modules
    if hidden:
        sys.modules[optional] = None  # type: ignore[assignment]
    try:
        import jsonschema.validators
    finally:
        if hidden:
            del sys.modules[optional]
    return jsonschema.validators
