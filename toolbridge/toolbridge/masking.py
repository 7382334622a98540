"""Values as they may be shown: without what a tool declares, or a name gives away, as secret."""

from __future__ import annotations

from toolbridge.json_values import JsonValue
from toolbridge.secret_fields import (
    Schemas,
    SchemaSecrets,
    has_secret_name,
    is_marked_secret,
    may_hold_any,
)

SECRET = "(secret left out)"
"""Stands for the value of a secret field."""


def without_secrets(value: JsonValue, secrets: SchemaSecrets) -> JsonValue:
    """`value` with `SECRET` in place of every secret; its schema says `secrets`."""
    if not may_hold_any(value, secrets):
        return value
    is_secret = is_marked_secret(secrets.top)
    return SECRET if is_secret else _masked(value, secrets, secrets.top)


def _masked(value: JsonValue, secrets: SchemaSecrets, schemas: Schemas) -> JsonValue:
    if isinstance(value, list):
        about = secrets.of_elements(schemas)
        return [SECRET if is_marked_secret(about) else _masked(e, secrets, about) for e in value]
    if not isinstance(value, dict):
        return value
    kept: dict[str, JsonValue] = {}
    for key, field in value.items():
        about = secrets.of_property(schemas, key)
        named = bool(field) and isinstance(field, str | list | dict) and has_secret_name(key)
        kept[key] = SECRET if named or is_marked_secret(about) else _masked(field, secrets, about)
    return kept
