"""Which fields of a tool's arguments and results are secrets. Sans-I/O.

Two signs count: the schema marks a property `writeOnly` or `"format": "password"`, or its name is
one that nothing but a secret has.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, TypeAlias

import msgspec

Schemas: TypeAlias = tuple[Mapping[str, Any], ...]
"""Every schema that speaks of one value: alternatives and references are resolved."""

DEEPEST = 8
"""References and alternatives that are followed from one property."""

_WORD_START = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|-|\s")
_SECRET_NAME = re.compile(
    r"(?:.*_)?(?:password|passwd|passphrase|secret|api_?key|secret_key|private_key|access_key"
    r"|access_key_id|authorization|credentials?|cookie|set_cookie)"
    r"|(?:.*_)?(?<!page_)(?<!next_)(?<!sync_)(?<!continuation_)(?<!cursor_)token"
)


_NAME_ENDS = tuple(
    f'{word}":'.encode()
    for word in (
        *("password", "passwd", "passphrase", "secret", "key", "key_id", "keyid", "token"),
        *("authorization", "credential", "credentials", "cookie"),
    )
)
_MARKS = (b'"writeOnly"', b'"password"')


def may_hold_secrets(json: bytes) -> bool:
    """Whether JSON without blanks has a field that could have a secret's name; a quick look."""
    lowered = json.lower()
    return any(end in lowered for end in _NAME_ENDS)


def may_hold_any(value: Any, secrets: SchemaSecrets) -> bool:
    """Whether a JSON value could have a secret field; its schema says `secrets`.

    A quick look, since every call is looked at and most have none.
    """
    if not value:
        return False
    if secrets.marks_any:
        return True
    if not isinstance(value, dict | list):
        return False
    try:
        return may_hold_secrets(msgspec.json.encode(value))
    except (ValueError, RecursionError):  # half a surrogate pair, or deeper than it goes
        return True


def has_secret_name(key: str) -> bool:
    """Whether a field of that name holds a secret: `password`, `apiKey`, `X-Auth-Token`, ...

    The tokens that pages of results are asked for by are none.
    """
    return _SECRET_NAME.fullmatch(_WORD_START.sub("_", key).lower()) is not None


class SchemaSecrets:
    """What the JSON Schema of a tool's arguments says about secrets."""

    def __init__(self, schema: Any) -> None:
        self._root = schema
        self.marks_any = _marks_any(schema)
        """Whether the schema marks anything at all."""
        self.top: Schemas = tuple(self._meant(schema, DEEPEST)) if self.marks_any else ()

    def of_property(self, schemas: Schemas, name: str) -> Schemas:
        """What is said of the property `name` of an object."""
        return tuple(
            meant
            for schema in schemas
            if (part := _property(schema, name)) is not None
            for meant in self._meant(part, DEEPEST)
        )

    def of_elements(self, schemas: Schemas) -> Schemas:
        """What is said of the elements of an array."""
        return tuple(
            meant for schema in schemas for meant in self._meant(schema.get("items"), DEEPEST)
        )

    def _meant(self, schema: Any, deepest: int) -> Iterator[Mapping[str, Any]]:
        if not isinstance(schema, Mapping) or not deepest:
            return
        yield schema
        yield from self._meant(self._referenced(schema.get("$ref")), deepest - 1)
        for word in ("anyOf", "oneOf", "allOf"):
            alternatives = schema.get(word)
            if isinstance(alternatives, list):
                for alternative in alternatives:
                    yield from self._meant(alternative, deepest - 1)

    def _referenced(self, reference: Any) -> Any:
        if not isinstance(reference, str) or not reference.startswith("#"):
            return None
        found = self._root
        for part in reference[1:].split("/")[1:]:
            name = part.replace("~1", "/").replace("~0", "~")
            found = found.get(name) if isinstance(found, Mapping) else None
        return found


def _marks_any(schema: Any) -> bool:
    if not schema or schema is True:
        return False
    try:
        text = msgspec.json.encode(schema)
    except (TypeError, ValueError, RecursionError):
        return True
    return any(mark in text for mark in _MARKS)


def is_marked_secret(schemas: Schemas) -> bool:
    """Whether one of them says that the value is only ever written."""
    return any(
        schema.get("writeOnly") is True or schema.get("format") == "password" for schema in schemas
    )


def _property(schema: Mapping[str, Any], name: str) -> Any:
    properties = schema.get("properties")
    if isinstance(properties, Mapping) and name in properties:
        return properties[name]
    return schema.get("additionalProperties")
