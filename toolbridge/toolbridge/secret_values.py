"""The secrets of one call by their values, to leave them out of texts that quote them.

A field that is secret is left out where it stands. Its value may also stand in other words: in the
error of the tool that did not like it, or in the text block in which an MCP server repeats its
structured content. Sans-I/O.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from functools import cached_property
from urllib.parse import quote

from toolbridge.json_values import JsonValue
from toolbridge.masking import SECRET
from toolbridge.secret_fields import (
    Schemas,
    SchemaSecrets,
    has_secret_name,
    is_marked_secret,
    may_hold_any,
)

SHORT = 4
"""Characters; a shorter value is only left out where it stands as a word of its own."""

MOST = 50
"""Values that are looked for; a text that could quote one of more is left out itself."""

_MARK = "\0"


class SecretValues:
    """Values that no text may show."""

    def __init__(self, *values: str) -> None:
        self._values = tuple(dict.fromkeys(value for value in values if value.strip()))

    @classmethod
    def of(cls, value: JsonValue, secrets: SchemaSecrets) -> SecretValues:
        """Those in `value`, whose schema says `secrets`."""
        return cls(*_secrets_in(value, secrets)) if may_hold_any(value, secrets) else NO_SECRETS

    def __bool__(self) -> bool:
        return bool(self._values)

    def __or__(self, other: SecretValues) -> SecretValues:
        """The values of both."""
        if not (self and other):
            return self or other
        return SecretValues(*self._values, *other._values)

    def left_out_of(self, text: str) -> str:
        """`text` with `SECRET` in place of each of them, also as JSON, Python and URLs write it."""
        if not self._values:
            return text
        if len(self._values) > MOST:
            return SECRET
        for spelling in self._spellings:
            if spelling not in text:
                continue
            if len(spelling) < SHORT:
                text = re.sub(rf"(?<!\w){re.escape(spelling)}(?!\w)", _MARK, text)
            else:
                text = text.replace(spelling, _MARK)
        return text.replace(_MARK, SECRET)

    def left_out_of_all(self, value: JsonValue) -> JsonValue:
        """The same for each string of a JSON value; keys stay."""
        if not self._values:
            return value
        if isinstance(value, str):
            return self.left_out_of(value)
        if isinstance(value, list):
            return [self.left_out_of_all(element) for element in value]
        if isinstance(value, dict):
            return {key: self.left_out_of_all(field) for key, field in value.items()}
        return value

    @cached_property
    def _spellings(self) -> list[str]:
        """The longest first, so that nothing is left of one that begins with another."""
        spellings = {spelling for value in self._values for spelling in _spellings_of(value)}
        return sorted(spellings, key=len, reverse=True)


NO_SECRETS = SecretValues()


def _secrets_in(value: JsonValue, secrets: SchemaSecrets) -> Iterator[str]:
    if is_marked_secret(secrets.top):
        yield from _leaves(value)
        return
    stack: list[tuple[JsonValue, Schemas]] = [(value, secrets.top)]
    while stack:
        part, schemas = stack.pop()
        if isinstance(part, list):
            about = secrets.of_elements(schemas)
            if is_marked_secret(about):
                yield from _leaves(part)
            else:
                stack.extend((element, about) for element in part)
        elif isinstance(part, dict):
            for key, field in part.items():
                about = secrets.of_property(schemas, key)
                if is_marked_secret(about):
                    yield from _leaves(field)
                elif has_secret_name(key):
                    yield from () if isinstance(field, int | float) else _leaves(field)
                else:
                    stack.append((field, about))


def _leaves(value: JsonValue) -> Iterator[str]:
    """What is secret of a secret: its texts and numbers."""
    stack = [value]
    while stack:
        part = stack.pop()
        if isinstance(part, str):
            yield part
        elif isinstance(part, list):
            stack += part
        elif isinstance(part, dict):
            stack += part.values()
        elif part is not None and not isinstance(part, bool):
            yield json.dumps(part)


def _spellings_of(value: str) -> Iterator[str]:
    yield value
    yield json.dumps(value)[1:-1]
    yield json.dumps(value, ensure_ascii=False)[1:-1]
    yield repr(value)[1:-1]
    yield quote(value, safe="", errors="replace")
