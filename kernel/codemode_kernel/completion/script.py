"""Offers in a script."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from typing import TYPE_CHECKING

from codemode_kernel.completion import entries, javascript
from codemode_kernel.completion.expectations import callee_of, expected
from codemode_kernel.completion.known import known_names
from codemode_kernel.completion.nodes import is_marked, name_of, outwards, text_of
from codemode_kernel.completion.offers import Offer, Offers
from codemode_kernel.completion.places import (
    Content,
    Declared,
    Key,
    Member,
    Name,
    PatternKey,
    Place,
    place_of,
)
from codemode_kernel.completion.reading import Reading, read
from codemode_kernel.completion.schemas import Value
from codemode_kernel.completion.scope import bound
from codemode_kernel.completion.shapes import (
    Namespace,
    Promised,
    Shape,
    Shapes,
    ToolSet,
    Written,
)
from codemode_kernel.completion.surroundings import Surroundings

if TYPE_CHECKING:
    from tree_sitter import Node


MAX_CALLS = 4
"""Calls around the cursor that are asked for one that is known."""


def script_offers(
    code: str, cursor: int, surroundings: Surroundings, more: Mapping[str, Shape] | None = None
) -> Offers:
    """What can be typed at `cursor`; `more` are functions that only this script knows."""
    script = _script(code, cursor, surroundings, more or {})
    return script.offers() if script else Offers("")


def script_subject(code: str, cursor: int, surroundings: Surroundings) -> Offer | None:
    """What the word that ends at `cursor` means, or else the function whose call is around it."""
    script = _script(code, cursor, surroundings, {})
    return script.subject() if script else None


def _script(
    code: str, cursor: int, surroundings: Surroundings, more: Mapping[str, Shape]
) -> _Script | None:
    reading = read(code, cursor)
    if reading is None:
        return None
    names = {**known_names(code, surroundings), **more}
    return _Script(reading, surroundings, Shapes(surroundings.catalog, names))


class _Script:
    def __init__(self, reading: Reading, surroundings: Surroundings, shapes: Shapes) -> None:
        self._reading = reading
        self._catalog = surroundings.catalog
        self._shapes = shapes

    def offers(self) -> Offers:
        place = place_of(self._reading.leaf)
        if place is None or isinstance(place, Declared):
            return Offers(self._reading.typed)
        return Offers(self._reading.typed, list(self._at(place, self._reading.quote)))

    def subject(self) -> Offer | None:
        place = place_of(self._reading.leaf)
        found = self._meant(place, self._reading.typed) if place else None
        return found or self._called()

    def _called(self) -> Offer | None:
        """The function whose arguments the cursor is in."""
        around = (node for node, _ in outwards(self._reading.leaf) if node.type == "arguments")
        for arguments in islice(around, MAX_CALLS):
            callee = callee_of(arguments)
            name = callee.child_by_field_name("property") or callee if callee else None
            place = place_of(name) if name else None
            found = self._meant(place, text_of(name)) if name and place else None
            if found:
                return found
        return None

    def _meant(self, place: Place, word: str) -> Offer | None:
        if not word:
            return None
        if isinstance(place, Declared):
            binding = bound(place.node)
            return entries.of_binding(binding, self._shapes) if binding else None
        quote = '"' if isinstance(place, Content) else ""
        found = (offer for offer in self._at(place, quote) if offer.text == word)
        return next(found, None)

    def _at(self, place: Place, quote: str) -> Iterator[Offer]:
        match place:
            case Member(owner):
                yield from self._members(owner, quote)
            case Key(written):
                yield from self._keys(written, quote)
            case PatternKey(pattern):
                yield from self._keys_to_take(pattern)
            case Content(string):
                value = expected(string, self._shapes)
                yield from entries.of_literals(value, quote) if value else ()
            case Name(node, is_statement):
                value = expected(node, self._shapes)
                yield from entries.of_literals(value, "") if value else ()
                yield from self._names(node, is_statement)

    def _names(self, node: Node, is_statement: bool) -> Iterator[Offer]:
        yield from self._declared(node)
        yield from entries.of_globals()
        if self._reading.typed:
            yield from entries.of_words(javascript.GLOBALS, "class")
            yield from entries.of_words(javascript.EXPRESSIONS, "keyword")
            if is_statement:
                yield from entries.of_words(javascript.STATEMENTS, "keyword")

    def _declared(self, node: Node) -> Iterator[Offer]:
        seen: set[str] = set()
        for binding in self._shapes.scopes.visible(node):
            if binding.name and binding.name not in seen and not is_marked(binding.node):
                seen.add(binding.name)
                yield entries.of_binding(binding, self._shapes)

    def _members(self, owner: Node, quote: str) -> Iterator[Offer]:
        shape = self._shapes.of(owner)
        match shape:
            case ToolSet():
                yield from map(entries.of_tool, self._catalog.tools)
            case Promised():
                yield from entries.of_words(javascript.PROMISE_MEMBERS, "function")
            case Namespace(name):
                yield from entries.of_words(javascript.STATIC_MEMBERS[name].split(), "function")
            case _:
                yield from _members_of_value(shape, quote)

    def _keys(self, written: Node, quote: str) -> Iterator[Offer]:
        value = expected(written, self._shapes)
        if value is not None and value.properties:
            yield from entries.of_keys(value, quote, without=_given(written))
        elif not quote:
            yield from self._declared(written)  # { name } takes it in

    def _keys_to_take(self, pattern: Node) -> Iterator[Offer]:
        binding = bound(pattern)
        shape = self._shapes.of_binding(binding) if binding else None
        if isinstance(shape, ToolSet):
            yield from map(entries.of_tool, self._catalog.tools)
        else:
            yield from _members_of_value(shape, "", only_own=True, without=_given(pattern))


def _members_of_value(
    shape: Shape | None, quote: str, *, only_own: bool = False, without: Iterable[str] = ()
) -> Iterator[Offer]:
    if isinstance(shape, Written):
        yield from entries.of_words(shape.properties, "property")
    if not isinstance(shape, Value):
        return
    yield from entries.of_keys(shape, quote, without=without, is_name=not quote)
    if not only_own and "array" in shape.kinds:
        yield from entries.of_words(javascript.ARRAY_MEMBERS, "function")
    if not only_own and "string" in shape.kinds:
        yield from entries.of_words(javascript.STRING_MEMBERS, "function")


def _given(written: Node) -> set[str]:
    """The keys that an object, or a pattern, has already."""
    keys = (child.child_by_field_name("key") or child for child in written.named_children)
    return {name for key in keys if not is_marked(key) and (name := name_of(key))}
