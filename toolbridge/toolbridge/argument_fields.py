"""Arguments read as the reference reads them: field by field, refused in its parser's words.

The reference shows the position of a fault, so the arguments are read from their compact JSON text.
Unlike there, unknown fields are refused: an option that is silently ignored is worse than an error.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from codemode_rules.errors import JsonTextError
from codemode_rules.json_fields import FieldReader
from codemode_rules.json_text import JsonReader

from toolbridge.errors import ArgumentsRefusedError
from toolbridge.json_values import JsonValue


def read_fields(
    arguments: JsonValue, fields: Mapping[str, FieldReader], required: str
) -> dict[str, Any]:
    """The fields that are given and not null, each as its reader gives it.

    Raises `ArgumentsRefusedError`, also when the field `required` is missing.
    """
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
