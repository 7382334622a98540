"""The names that a script has declared and that can be used at a place in it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from codemode_kernel.completion.nodes import first_in, name_of, outwards, text_of

if TYPE_CHECKING:
    from tree_sitter import Node

Step: TypeAlias = str | int | None
"""A key, an index, or None for what cannot be followed."""

FUNCTIONS = frozenset(
    {
        "arrow_function",
        "function_declaration",
        "function_expression",
        "generator_function",
        "generator_function_declaration",
        "method_definition",
    }
)
_HOISTED = frozenset({"function_declaration", "generator_function_declaration"})
_DECLARATIONS = frozenset({"lexical_declaration", "variable_declaration"})
_BLOCKS = frozenset(
    {"program", "statement_block", "switch_case", "switch_default", "class_static_block", "ERROR"}
)

_ORIGINS = FUNCTIONS | {
    "variable_declarator",
    "class_declaration",
    "for_in_statement",
    "catch_clause",
}
_WITHIN_PATTERNS = frozenset(
    {"object_pattern", "assignment_pattern", "object_assignment_pattern", "formal_parameters"}
)


@dataclass(frozen=True)
class Binding:
    """One declared name."""

    name: str
    node: Node
    """Where it is given."""
    origin: Node
    """What gives it its value: a declarator, a function or class, a `for ... of`, a parameter."""
    path: tuple[Step, ...] = ()
    """The way through patterns from that value to this one."""
    usable_from: int = 0
    """First byte of the script at which code of the same function can use it."""

    @property
    def kind(self) -> str:
        """What front ends choose an icon by."""
        if self.origin.type in _HOISTED:
            return "function"
        if self.origin.type == "class_declaration":
            return "class"
        value = self.origin.child_by_field_name("value")
        is_function = not self.path and value is not None and value.type in FUNCTIONS
        return "function" if is_function else "instance"


class Scopes:
    """The scopes of one script. Each is read once: long scripts declare a lot."""

    def __init__(self) -> None:
        self._declared: dict[int, Mapping[str, Binding]] = {}

    def visible(self, place: Node) -> Iterator[Binding]:
        """What can be used at `place`, the innermost scope first. Shadowed names come, too."""
        for declared, in_function in self._around(place):
            for binding in declared.values():
                if in_function or binding.usable_from <= place.start_byte:
                    yield binding

    def find(self, place: Node, name: str) -> Binding | None:
        """What `name` stands for at `place`."""
        for declared, in_function in self._around(place):
            binding = declared.get(name)
            if binding and (in_function or binding.usable_from <= place.start_byte):
                return binding
        return None

    def _around(self, place: Node) -> Iterator[tuple[Mapping[str, Binding], bool]]:
        """The scopes around `place`, and whether code there runs later than they do."""
        in_function = False
        for scope, _ in outwards(place):
            read = _READERS.get(scope.type)
            if read is None:
                continue
            if scope.id not in self._declared:
                self._declared[scope.id] = {binding.name: binding for binding in read(scope)}
            yield self._declared[scope.id], in_function
            in_function = in_function or scope.type in FUNCTIONS


def _of_block(block: Node) -> Iterator[Binding]:
    for statement in block.named_children:
        yield from _of_statement(statement)


def _of_statement(statement: Node | None) -> Iterator[Binding]:
    """What a statement declares; a variable can be used after its declarator."""
    if statement is None:
        return
    if statement.type in _DECLARATIONS:
        for declarator in statement.named_children:
            pattern = declarator.child_by_field_name("name")
            yield from _of_pattern(pattern, declarator, usable_from=declarator.end_byte + 1)
    elif statement.type in _HOISTED or statement.type == "class_declaration":
        name = statement.child_by_field_name("name")
        if name is not None:
            usable_from = 0 if statement.type in _HOISTED else statement.start_byte
            yield Binding(text_of(name), name, statement, (), usable_from)


def _of_function(function: Node) -> Iterator[Binding]:
    name = function.child_by_field_name("name")
    if function.type == "function_expression" and name is not None:
        yield Binding(text_of(name), name, function, (None,))
    parameters = function.child_by_field_name("parameters")
    single = function.child_by_field_name("parameter")
    for parameter in parameters.named_children if parameters is not None else [single]:
        yield from _of_pattern(parameter, function)


def _of_for(loop: Node) -> Iterator[Binding]:
    return _of_statement(loop.child_by_field_name("initializer"))


def _of_for_in(loop: Node) -> Iterator[Binding]:
    if loop.child_by_field_name("kind") is not None:
        yield from _of_pattern(loop.child_by_field_name("left"), loop)


def _of_catch(clause: Node) -> Iterator[Binding]:
    return _of_pattern(clause.child_by_field_name("parameter"), clause, (None,))


_READERS: Mapping[str, Callable[[Node], Iterator[Binding]]] = {
    **dict.fromkeys(_BLOCKS, _of_block),
    **dict.fromkeys(FUNCTIONS, _of_function),
    "for_statement": _of_for,
    "for_in_statement": _of_for_in,
    "catch_clause": _of_catch,
}


def _of_pattern(
    pattern: Node | None, origin: Node, path: tuple[Step, ...] = (), usable_from: int = 0
) -> Iterator[Binding]:
    """The names in a pattern, each with its way through it."""
    waiting: list[tuple[Node | None, tuple[Step, ...]]] = [(pattern, path)]
    while waiting:
        node, way = waiting.pop(0)
        if node is None:
            continue
        if node.type == "identifier":
            yield Binding(text_of(node), node, origin, way, usable_from)
        elif node.type == "shorthand_property_identifier_pattern":
            name = text_of(node)
            yield Binding(name, node, origin, (*way, name), usable_from)
        elif node.type in ("assignment_pattern", "object_assignment_pattern"):
            waiting.append((node.child_by_field_name("left"), way))
        elif node.type == "rest_pattern":
            waiting.append((first_in(node), (*way, None)))
        elif node.type == "array_pattern":
            waiting += [(child, (*way, index)) for index, child in _elements(node)]
        elif node.type == "object_pattern":
            waiting += [(child, way) for child in node.named_children]
        elif node.type == "pair_pattern":
            key = name_of(node.child_by_field_name("key"))
            waiting.append((node.child_by_field_name("value"), (*way, key)))


def _elements(pattern: Node) -> Iterator[tuple[int, Node]]:
    """The elements of an array pattern by index, holes counted."""
    index = 0
    for child in pattern.children:
        if child.type == ",":
            index += 1
        elif child.is_named:
            yield index, child


def bound(node: Node) -> Binding | None:
    """The binding that a declared name, or a pattern around names, is part of."""
    path: list[Step] = []
    if node.type == "shorthand_property_identifier_pattern":
        path.append(text_of(node))
    for parent, inner in outwards(node):
        if parent.type in _ORIGINS:
            return Binding(text_of(node), node, parent, tuple(reversed(path)))
        if parent.type == "pair_pattern":
            path.append(name_of(parent.child_by_field_name("key")))
        elif parent.type == "array_pattern":
            path.append(next(index for index, child in _elements(parent) if child == inner))
        elif parent.type == "rest_pattern":
            path.append(None)
        elif parent.type not in _WITHIN_PATTERNS:
            return None
    return None
