"""As much of a text or a JSON value as a number of bytes allows, without secrets. Sans-I/O.

What is left out leaves a mark that says how much it was, so nobody takes a part for the whole.
"""

from __future__ import annotations

from typing import Any

import msgspec
from toolbridge.masking import SECRET
from toolbridge.secret_fields import (
    Schemas,
    SchemaSecrets,
    has_secret_name,
    is_marked_secret,
    may_hold_secrets,
)

MARK_BYTES = 40
"""What a mark takes at most, quotes and comma included."""

LONGEST_KEY = 200
"""Bytes of an object's key."""

DEEPEST = 32
"""Levels of nesting that are kept."""

MANY_PARTS = 300
"""Lists and objects in a value that is taken as a whole; deeper nesting than that has more."""

_SCALAR_BYTES = 25


def json_bytes(value: Any) -> int:
    """Length of a value as JSON in UTF-8, without blanks."""
    return len(msgspec.json.encode(value))


def cut_text(text: str, limit: int) -> tuple[str, int]:
    """A text that takes at most `limit` bytes as JSON, and how many characters it lacks.

    `limit` is at least `MARK_BYTES`. Lone surrogates become U+FFFD.
    """
    head = _well_formed(text[:limit])
    size = json_bytes(head)
    if size <= limit and len(text) <= limit:
        return head, 0
    room = limit - MARK_BYTES
    while size > room and head:
        # Characters differ in size, so the guess by proportion may need a second try.
        head = head[: min(len(head) - 1, len(head) * max(0, room) // size)]
        size = json_bytes(head)
    left_out = len(text) - len(head)
    return f"{head}… ({left_out:,} more characters)", left_out


NO_SECRETS = SchemaSecrets(None)


class Excerpt:
    """Takes values over until its bytes are spent."""

    def __init__(self, limit: int) -> None:
        """`limit`: bytes of all values together, as JSON."""
        self.left = limit
        """Bytes that are left."""
        self.is_cut = False
        """Something was left out for want of room."""
        self.secret_fields: list[str] = []
        """JSON Pointers of what was left out as a secret."""
        self._secrets = NO_SECRETS

    def of(self, value: Any, secrets: SchemaSecrets, name: str) -> Any:
        """What is kept of `value`; `name` begins the pointers into it.

        `secrets` is what the value's schema says.
        """
        data = None if secrets.marks_any else _as_a_whole(value, self.left)
        if data is not None:
            self.left -= len(data)
            return msgspec.json.decode(data)  # a copy: a tool may go on with what it gave
        if is_marked_secret(secrets.top):
            self._leave_out(f"/{name}")
            return self.text(SECRET)
        self._secrets = secrets
        return self._value(value, secrets.top, f"/{name}", DEEPEST)

    def text(self, text: str) -> str:
        """What is kept of a text."""
        kept, left_out = cut_text(text, max(self.left, MARK_BYTES))
        self.is_cut = self.is_cut or left_out > 0
        self.left -= json_bytes(kept) + 1
        return kept

    def _value(self, value: Any, schemas: Schemas, path: str, deepest: int) -> Any:
        if isinstance(value, str):
            return self.text(value)
        if isinstance(value, dict | list) and value and not deepest:
            self.is_cut = True
            return self.text("… (nested deeper)")
        if isinstance(value, dict):
            return self._object(value, schemas, path, deepest - 1)
        if isinstance(value, list):
            return self._array(value, schemas, path, deepest - 1)
        self.left -= _SCALAR_BYTES
        return value

    def _object(
        self, value: dict[str, Any], schemas: Schemas, path: str, deepest: int
    ) -> dict[str, Any]:
        self.left -= 3
        kept: dict[str, Any] = {}
        for position, (key, field) in enumerate(value.items()):
            if self.left < MARK_BYTES:
                kept["…"] = self._rest(len(value) - position, "field")
                break
            about = self._secrets.of_property(schemas, key) if schemas else ()
            pointer = f"{path}/{key.replace('~', '~0').replace('/', '~1')}"
            if is_marked_secret(about):
                self._leave_out(pointer)
                continue
            name = cut_text(key, LONGEST_KEY)[0]
            self.left -= json_bytes(name) + 2
            if field and isinstance(field, str | list | dict) and has_secret_name(key):
                self._leave_out(pointer)
                kept[name] = self.text(SECRET)
            else:
                kept[name] = self._value(field, about, pointer, deepest)
        return kept

    def _array(self, value: list[Any], schemas: Schemas, path: str, deepest: int) -> list[Any]:
        self.left -= 3
        about = self._secrets.of_elements(schemas) if schemas else ()
        kept: list[Any] = []
        for position, element in enumerate(value):
            if self.left < MARK_BYTES:
                kept.append(self._rest(len(value) - position, "element"))
                break
            kept.append(self._value(element, about, f"{path}/{position}", deepest))
        return kept

    def _rest(self, count: int, what: str) -> str:
        self.is_cut = True
        return self.text(f"… ({count:,} more {what}{'s' * (count > 1)})")

    def _leave_out(self, pointer: str) -> None:
        kept, _ = cut_text(pointer, LONGEST_KEY)
        self.secret_fields.append(kept)
        self.left -= json_bytes(kept) + 1


def _as_a_whole(value: Any, limit: int) -> bytes | None:
    """The JSON of a value that can be kept as it is; None for one that needs a closer look.

    Most values are small and hold no secret, and a cell may make thousands of calls.
    """
    parts = value.values() if isinstance(value, dict) else value
    if isinstance(value, str | dict | list) and len(value) > limit:
        return None
    if isinstance(value, dict | list) and any(
        isinstance(part, str | dict | list) and len(part) > limit for part in parts
    ):
        return None
    try:
        data = msgspec.json.encode(value)
    except (ValueError, RecursionError):
        return None
    if len(data) > limit or data.count(b"[") + data.count(b"{") > MANY_PARTS:
        return None
    return None if may_hold_secrets(data) else data


def _well_formed(text: str) -> str:
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text
