"""A JSON Schema as completion sees it: which properties, items and literals a value can have."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from toolbridge.schema_types import UNKNOWN, resolve_reference, typescript_type

MAX_PARTS = 256
"""Parts of one schema that are looked at: a schema can come from anybody."""

MAX_TYPE_BYTES = 300
"""Longest type that is shown beside a property."""

_LISTS = ("anyOf", "oneOf", "allOf")
_DEFINITIONS = ("$defs", "definitions")


@dataclass(frozen=True)
class Literal:
    """One value that a schema names."""

    value: Any
    description: str = ""


@dataclass(frozen=True)
class Property:
    """One property of an object."""

    value: Value
    is_required: bool


@dataclass(frozen=True)
class Value:
    """What a schema describes; `root` is the document that its references lead into."""

    schema: object
    root: object

    @classmethod
    def of(cls, schema: object) -> Value:
        """What a whole document describes."""
        return cls(schema, schema)

    @cached_property
    def properties(self) -> Mapping[str, Property]:
        """Every property of every alternative, the required ones first."""
        found: dict[str, Property] = {}
        for part in self._parts:
            required = part.get("required")
            required = required if isinstance(required, list) else []
            for name, schema in _mapping(part.get("properties")).items():
                property_ = Property(Value(schema, self.root), name in required)
                found.setdefault(str(name), property_)
        return dict(sorted(found.items(), key=lambda entry: not entry[1].is_required))

    def under(self, name: str) -> Value | None:
        """What stands under `name`."""
        if name in self.properties:
            return self.properties[name].value
        others = (part.get("additionalProperties") for part in self._parts)
        return next((Value(other, self.root) for other in others if _mapping(other)), None)

    @property
    def item(self) -> Value | None:
        """What an array holds."""
        items = (part.get("items") for part in self._parts)
        return next((Value(item, self.root) for item in items if _mapping(item)), None)

    @property
    def literals(self) -> list[Literal]:
        """The values that the schema names: enums, constants, booleans, null."""
        found: list[Literal] = []
        for part in self._parts:
            description = _text(part.get("description")) or _text(part.get("title"))
            if "const" in part:
                found.append(Literal(part["const"], description))
                continue
            enum = part.get("enum")
            if isinstance(enum, list):
                found += [Literal(value) for value in enum]
                continue
            kinds = _kinds(part)
            found += [Literal(value) for value in (True, False) if "boolean" in kinds]
            found += [Literal(None)] if "null" in kinds else []
        return found

    @property
    def kinds(self) -> frozenset[str]:
        """The JSON types that the schema allows by name."""
        return frozenset(kind for part in self._parts for kind in _kinds(part))

    @property
    def description(self) -> str:
        """The first description on the way to the value."""
        return next((text for part in self._parts if (text := _text(part.get("description")))), "")

    @cached_property
    def typescript(self) -> str:
        """Its type in a line; one that is too long is told by its kinds."""
        written = typescript_type(self._document, MAX_TYPE_BYTES)
        is_short = written != UNKNOWN and "\n" not in written
        return written if is_short else " | ".join(sorted(self.kinds)) or UNKNOWN

    @property
    def declaration(self) -> str:
        """Its type as a tool's declaration writes it, properties described."""
        return typescript_type(self._document)

    @property
    def _document(self) -> object:
        """The schema as a document of its own, with the definitions that it may refer to."""
        if not isinstance(self.schema, Mapping):
            return self.schema
        return {**{key: _mapping(self.root).get(key) for key in _DEFINITIONS}, **self.schema}

    @cached_property
    def _parts(self) -> list[Mapping[str, Any]]:
        return list(self._walk())

    def _walk(self) -> Iterator[Mapping[str, Any]]:
        """The schema and what it refers to or is put together from, breadth first."""
        waiting = [self.schema]
        for _ in range(MAX_PARTS):
            if not waiting:
                return
            part = waiting.pop(0)
            if not isinstance(part, Mapping):
                continue
            yield part
            reference = part.get("$ref")
            if isinstance(reference, str):
                waiting.append(resolve_reference(self.root, reference)[1])
            for keyword in _LISTS:
                listed = part.get(keyword)
                waiting += listed[:MAX_PARTS] if isinstance(listed, list) else []


def _kinds(part: Mapping[str, Any]) -> list[str]:
    kind = part.get("type")
    kinds = kind if isinstance(kind, list) else [kind]
    return [name for name in kinds if isinstance(name, str)]


def _mapping(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""
