"""JSON Schema to TypeScript types (contract 10.2, 10.4, 10.5).

One walk from the root to the leaves. The rules of `_Renderer.type_of` are tried in the contract's
order, and the first that applies decides. A schema can come from anybody, so the walk is bounded:
references expand a limited number of times, and every piece of text is paid for out of a budget.
When the budget is used up the whole type is `unknown`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias
from urllib.parse import unquote

from codemode_rules.identifiers import normalise
from codemode_rules.white_space import WHITE_SPACE

from toolbridge.json_literals import json_literal

DEFAULT_MAX_BYTES = 16_000
"""Longest type, in UTF-8 bytes."""

WORK_FACTOR = 4
"""Text that may be written, nested text once for each level, as a multiple of the longest type."""

MAX_EXPANSIONS = 32
"""References that are followed for one type; dangling ones do not count."""

MAX_OPEN = 2
"""Times that one reference may be open on the way from the root: recursion shows once."""

UNKNOWN = "unknown"
_NOT_SIBLINGS = {"$ref", "$defs", "definitions"}

_Object: TypeAlias = Mapping[str, Any]


class _ExhaustedError(Exception):
    """The budget is used up."""


def typescript_type(schema: object, max_bytes: int = DEFAULT_MAX_BYTES) -> str:
    """The TypeScript type of what `schema` describes; `unknown` when it gets too long.

    `max_bytes` below 1 stands for the default.
    """
    limit = max_bytes if max_bytes > 0 else DEFAULT_MAX_BYTES
    try:
        text = _Renderer(schema, limit * WORK_FACTOR).type_of(schema, _Place())
    except (_ExhaustedError, RecursionError):
        return UNKNOWN
    return text if _size(text) <= limit else UNKNOWN


class _Place:
    """Where the walk is: the references that are open, and whether local ones lead anywhere."""

    def __init__(self, open_references: tuple[str, ...] = (), is_foreign: bool = False) -> None:
        self.open_references = open_references
        self.is_foreign = is_foreign
        """Below a nested `$id`, a resource of its own."""

    def below(self, reference: str) -> _Place:
        return _Place((*self.open_references, reference), self.is_foreign)

    def foreign(self) -> _Place:
        return _Place(self.open_references, True)


class _Renderer:
    def __init__(self, root: object, budget: int) -> None:
        self._root = root
        self._budget = budget
        self._expansions = 0

    def type_of(self, schema: object, place: _Place) -> str:
        if isinstance(schema, bool):
            return self._pay(UNKNOWN if schema else "never")
        if not isinstance(schema, Mapping):
            return self._pay(UNKNOWN)
        if "$id" in schema and schema is not self._root:
            place = place.foreign()
        return self._pay(self._of_object(schema, place))

    def _of_object(self, schema: _Object, place: _Place) -> str:
        if isinstance(schema.get("$ref"), str):
            return self._reference(schema, place)
        if "const" in schema:
            return self._literal(schema["const"])
        if _is_filled_list(schema.get("enum")):
            return " | ".join(self._literal(value) for value in schema["enum"])
        for keyword in ("anyOf", "oneOf"):
            if _is_filled_list(schema.get(keyword)):
                return " | ".join(self.type_of(part, place) for part in schema[keyword])
        if _is_filled_list(schema.get("allOf")):
            parts = [self.type_of(part, place) for part in schema["allOf"]]
            return " & ".join(f"({part})" if " | " in part else part for part in parts)
        return self._by_type(schema, place)

    def _by_type(self, schema: _Object, place: _Place) -> str:
        kind = schema.get("type")
        if isinstance(kind, list):
            named = [self._named(name, schema, place) for name in kind if isinstance(name, str)]
            if named:
                return " | ".join(named)
        if isinstance(kind, str):
            return self._named(kind, schema, place)
        if schema.keys() & {"properties", "additionalProperties", "required"}:
            return self._object(schema, place)
        if schema.keys() & {"items", "prefixItems"}:
            return self._array(schema, place)
        return UNKNOWN

    def _named(self, name: str, schema: _Object, place: _Place) -> str:
        compound = _COMPOUND.get(name)
        return compound(self, schema, place) if compound else _SIMPLE.get(name, UNKNOWN)

    def _array(self, schema: _Object, place: _Place) -> str:
        if "items" in schema:
            return f"Array<{self.type_of(schema['items'], place)}>"
        if _is_filled_list(schema.get("prefixItems")):
            parts = [self.type_of(part, place) for part in schema["prefixItems"]]
            return f"[{', '.join(parts)}]"
        return "unknown[]"

    def _object(self, schema: _Object, place: _Place) -> str:
        properties = schema.get("properties")
        properties = properties if isinstance(properties, Mapping) else {}
        required = schema.get("required")
        required = required if isinstance(required, list) else []
        names = sorted(properties, key=lambda name: name.encode("utf-8", "surrogatepass"))
        lines: list[str] = []
        described = any(_description(properties[name]) for name in names)
        for name in names:
            if described:
                lines += map(self._pay, _comments(_description(properties[name])))
            mark = "" if name in required else "?"
            kind = self.type_of(properties[name], place)
            lines.append(self._pay(f"{self._property_name(name)}{mark}: {kind};"))
        lines += self._index_line(schema, place, has_properties=bool(names))
        if described:
            return "\n".join(["{", *(f"  {line}" for line in lines), "}"])
        return f"{{ {' '.join(lines)} }}" if lines else "{}"

    def _index_line(self, schema: _Object, place: _Place, *, has_properties: bool) -> list[str]:
        """The line for other properties: it comes last, and only where there may be any."""
        others = schema.get("additionalProperties", not has_properties)
        if others is False:
            return []
        kind = UNKNOWN if others is True else self.type_of(others, place)
        return [self._pay(f"[key: string]: {kind};")]

    def _property_name(self, name: str) -> str:
        return name if name and normalise(name) == name else self._literal(name)

    def _literal(self, value: object) -> str:
        return self._pay(json_literal(value))

    def _reference(self, schema: _Object, place: _Place) -> str:
        """What the reference says, together with what stands beside it (contract 10.4)."""
        referred = self._expand(schema["$ref"], place)
        beside = {key: value for key, value in schema.items() if key not in _NOT_SIBLINGS}
        siblings = self.type_of(beside, place) if beside else UNKNOWN
        if siblings == UNKNOWN:
            return referred
        return siblings if referred == UNKNOWN else f"({referred}) & ({siblings})"

    def _expand(self, reference: str, place: _Place) -> str:
        if place.is_foreign or place.open_references.count(reference) >= MAX_OPEN:
            return UNKNOWN
        found, target = resolve_reference(self._root, reference)
        if not found or self._expansions >= MAX_EXPANSIONS:
            return UNKNOWN
        self._expansions += 1
        return self.type_of(target, place.below(reference))

    def _pay(self, text: str) -> str:
        self._budget -= _size(text)
        if self._budget < 0:
            raise _ExhaustedError
        return text


_SIMPLE = {
    "string": "string",
    "number": "number",
    "integer": "number",
    "boolean": "boolean",
    "null": "null",
}
_COMPOUND: dict[str, Callable[[_Renderer, _Object, _Place], str]] = {
    "object": _Renderer._object,
    "array": _Renderer._array,
}


def resolve_reference(root: object, reference: str) -> tuple[bool, object]:
    """(found, target) of a reference into the same document: a JSON pointer after `#`."""
    if not reference.startswith("#"):
        return False, None
    pointer = unquote(reference[1:])
    if pointer and not pointer.startswith("/"):
        return False, None
    target = root
    for escaped in pointer.split("/")[1:]:
        token = escaped.replace("~1", "/").replace("~0", "~")
        if isinstance(target, Mapping) and token in target:
            target = target[token]
        elif isinstance(target, Sequence) and _is_index(token, target):
            target = target[int(token)]
        else:
            return False, None
    return True, target


def _is_index(token: str, target: Sequence[object]) -> bool:
    canonical = token == "0" or (token.isascii() and token.isdigit() and token[0] != "0")
    return not isinstance(target, str) and canonical and int(token) < len(target)


def _is_filled_list(value: object) -> bool:
    return isinstance(value, list) and bool(value)


def _description(schema: object) -> str:
    found = schema.get("description") if isinstance(schema, Mapping) else None
    return found if isinstance(found, str) else ""


def _comments(description: str) -> list[str]:
    lines = (line.strip(WHITE_SPACE) for line in description.split("\n"))
    return [f"// {line}" for line in lines if line]


def _size(text: str) -> int:
    return len(text) if text.isascii() else len(text.encode("utf-8", "surrogatepass"))
