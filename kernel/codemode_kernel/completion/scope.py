"""The names that a script has declared and that can be used at a place in it."""

from __future__ import annotations

from collections.abc import Iterator
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

    name: Node
    origin: Node
    """What gives it its value: a declarator, a function or class, a `for ... of`, a parameter."""
    path: tuple[Step, ...] = ()
    """The way through patterns from that value to this one."""

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


def visible(place: Node) -> Iterator[Binding]:
    """What can be used at `place`, the innermost scope first. Shadowed names come, too."""
    in_function = False
    for scope, _ in outwards(place):
        if scope.type in _BLOCKS:
            yield from _of_block(scope, place, in_function)
        elif scope.type in FUNCTIONS:
            yield from _of_function(scope)
            in_function = True
        elif scope.type == "for_statement":
            yield from _of_statement(scope.child_by_field_name("initializer"), place, in_function)
        elif scope.type == "for_in_statement" and scope.child_by_field_name("kind"):
            yield from _of_pattern(scope.child_by_field_name("left"), scope, ())
        elif scope.type == "catch_clause":
            yield from _of_pattern(scope.child_by_field_name("parameter"), scope, (None,))


def _of_block(block: Node, place: Node, in_function: bool) -> Iterator[Binding]:
    for statement in block.named_children:
        yield from _of_statement(statement, place, in_function)


def _of_statement(statement: Node | None, place: Node, in_function: bool) -> Iterator[Binding]:
    """What a statement declares. Code that runs later may use what comes later."""
    if statement is None:
        return
    name = statement.child_by_field_name("name")
    if statement.type in _HOISTED and name is not None:
        yield Binding(name, statement)
    elif not in_function and statement.start_byte > place.start_byte:
        return
    elif statement.type == "class_declaration" and name is not None:
        yield Binding(name, statement)
    elif statement.type in _DECLARATIONS:
        for declarator in statement.named_children:
            begun = declarator.start_byte <= place.start_byte <= declarator.end_byte
            if in_function or not begun:
                yield from _of_pattern(declarator.child_by_field_name("name"), declarator, ())


def _of_function(function: Node) -> Iterator[Binding]:
    parameters = function.child_by_field_name("parameters")
    single = function.child_by_field_name("parameter")
    for parameter in parameters.named_children if parameters is not None else [single]:
        yield from _of_pattern(parameter, function, ())
    name = function.child_by_field_name("name")
    if function.type == "function_expression" and name is not None:
        yield Binding(name, function, (None,))


def _of_pattern(pattern: Node | None, origin: Node, path: tuple[Step, ...]) -> Iterator[Binding]:
    """The names in a pattern, each with its way through it."""
    waiting: list[tuple[Node | None, tuple[Step, ...]]] = [(pattern, path)]
    while waiting:
        node, way = waiting.pop(0)
        if node is None:
            continue
        if node.type == "identifier":
            yield Binding(node, origin, way)
        elif node.type == "shorthand_property_identifier_pattern":
            yield Binding(node, origin, (*way, text_of(node)))
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
            return Binding(node, parent, tuple(reversed(path)))
        if parent.type == "pair_pattern":
            path.append(name_of(parent.child_by_field_name("key")))
        elif parent.type == "array_pattern":
            path.append(next(index for index, child in _elements(parent) if child == inner))
        elif parent.type == "rest_pattern":
            path.append(None)
        elif parent.type not in _WITHIN_PATTERNS:
            return None
    return None
