"""What the expressions of a script give, as far as declarations and schemas tell."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from codemode_kernel.completion.exec_globals import HELPERS, Helper
from codemode_kernel.completion.javascript import KEEPING, PICKING, STATIC_MEMBERS, VISITING
from codemode_kernel.completion.nodes import first_in, name_of, text_of
from codemode_kernel.completion.schemas import Value
from codemode_kernel.completion.scope import Binding, Scopes, Step
from toolbridge import Catalog, Tool

if TYPE_CHECKING:
    from tree_sitter import Node

MAX_DEPTH = 24
"""Expressions that are followed into each other; what is defined by itself ends here."""


@dataclass(frozen=True)
class ToolSet:
    """`tools`."""


@dataclass(frozen=True)
class ToolFunction:
    """One of them."""

    tool: Tool


@dataclass(frozen=True)
class Namespace:
    """A standard object of the language, such as `Math`."""

    name: str


@dataclass(frozen=True)
class Promised:
    """A promise of something."""

    of: Shape | None


@dataclass(frozen=True)
class Listed:
    """An array whose elements are known one by one."""

    elements: tuple[Shape | None, ...]


@dataclass(frozen=True)
class Written:
    """An object that stands in the script."""

    properties: Mapping[str, Node]


@dataclass(frozen=True)
class Method:
    """A method of an array or of `Promise`."""

    of: Value | Namespace
    name: str


Shape: TypeAlias = (
    Value | ToolSet | ToolFunction | Helper | Namespace | Promised | Listed | Written | Method
)

_STRING = Value.of({"type": "string"})


class Shapes:
    """Looks expressions up. `globals_` are names beside the language and the script's own."""

    def __init__(self, catalog: Catalog, globals_: Mapping[str, Shape]) -> None:
        self._catalog = catalog
        self._globals = globals_
        self._depth = 0
        self._bound: dict[int, Shape | None] = {}
        self._results: dict[str, Value] = {}
        self.scopes = Scopes()

    def of(self, node: Node | None) -> Shape | None:
        """What an expression gives; None when that cannot be told."""
        rule = _RULES.get(node.type) if node is not None else None
        if node is None or rule is None or self._depth >= MAX_DEPTH:
            return None
        self._depth += 1
        try:
            return rule(self, node)
        finally:
            self._depth -= 1

    def of_binding(self, binding: Binding) -> Shape | None:
        """What a declared name stands for."""
        known = binding.node.id
        if known in self._bound:
            return self._bound[known]
        shape = self._origin(binding)
        for step in binding.path:
            shape = self.member(shape, step)
        if self._depth == 0:  # what was found further in may have been cut off
            self._bound[known] = shape
        return shape

    def member(self, shape: Shape | None, step: Step) -> Shape | None:
        """What stands under a key or an index."""
        match shape, step:
            case ToolSet(), str():
                tool = self._catalog.called(step)
                return ToolFunction(tool) if tool else None
            case Value(), str():
                return shape.under(step) or Method(shape, step)
            case Value(), int():
                return shape.item
            case Listed(elements), int():
                return elements[step] if step < len(elements) else None
            case Written(properties), str():
                return self.of(properties.get(step))
            case Namespace(), str():
                return Method(shape, step)
            case _:
                return None

    # The rules, by the kind of expression

    def _identifier(self, node: Node) -> Shape | None:
        name = text_of(node)
        binding = self.scopes.find(node, name)
        return self.of_binding(binding) if binding else self._globals.get(name)

    def _await(self, node: Node) -> Shape | None:
        shape = self.of(first_in(node))
        return shape.of if isinstance(shape, Promised) else shape

    def _inner(self, node: Node) -> Shape | None:
        return self.of(first_in(node))

    def _either(self, node: Node) -> Shape | None:
        operator = node.child_by_field_name("operator")
        if operator is not None and text_of(operator) not in ("??", "||", "&&"):
            return None
        left = node.child_by_field_name("left") or node.child_by_field_name("consequence")
        right = node.child_by_field_name("right") or node.child_by_field_name("alternative")
        return self.of(left) or self.of(right)

    def _string(self, node: Node) -> Shape:
        return _STRING

    def _array(self, node: Node) -> Shape:
        return Listed(tuple(self.of(child) for child in node.named_children))

    def _object(self, node: Node) -> Shape:
        pairs = (child for child in node.named_children if child.type == "pair")
        named = ((name_of(pair.child_by_field_name("key")), pair) for pair in pairs)
        values = {name: pair.child_by_field_name("value") for name, pair in named if name}
        shorthand = {
            text_of(child): child
            for child in node.named_children
            if child.type == "shorthand_property_identifier"
        }
        return Written({**shorthand, **{name: value for name, value in values.items() if value}})

    def _member(self, node: Node) -> Shape | None:
        owner = self.of(node.child_by_field_name("object"))
        return self.member(owner, name_of(node.child_by_field_name("property")))

    def _subscript(self, node: Node) -> Shape | None:
        index = node.child_by_field_name("index")
        owner = self.of(node.child_by_field_name("object"))
        if index is not None and index.type == "string":
            return self.member(owner, name_of(index))
        digits = text_of(index) if index is not None and index.type == "number" else "0"
        return self.member(owner, int(digits) if digits.isdecimal() else 0)

    def _call(self, node: Node) -> Shape | None:
        match self.of(node.child_by_field_name("function")):
            case ToolFunction(tool):
                return Promised(self._result(tool))
            case Method(Value() as array, name) if name in KEEPING:
                return array
            case Method(Value() as array, name) if name in PICKING:
                return array.item
            case Method(Namespace("Promise"), "all"):
                arguments = node.child_by_field_name("arguments")
                listed = self.of(first_in(arguments))
                if isinstance(listed, Listed):
                    return Promised(Listed(tuple(map(_kept, listed.elements))))
        return None

    def _result(self, tool: Tool) -> Value | None:
        """One and the same for every call: what is found out about it is kept with it."""
        if tool.output_schema is None:
            return None
        return self._results.setdefault(tool.identifier, Value.of(tool.output_schema))

    # What gives names their values

    def _origin(self, binding: Binding) -> Shape | None:
        origin = binding.origin
        if origin.type == "variable_declarator":
            return self.of(origin.child_by_field_name("value"))
        if origin.type == "for_in_statement":
            iterated = self.of(origin.child_by_field_name("right"))
            return iterated.item if isinstance(iterated, Value) else None
        return self._visited(binding)

    def _visited(self, binding: Binding) -> Shape | None:
        """The first parameter of a callback that goes through an array, or that awaits."""
        parameters = binding.origin.child_by_field_name("parameters")
        first = first_in(parameters) or binding.origin.child_by_field_name("parameter")
        if first is None or not first.start_byte <= binding.node.start_byte < first.end_byte:
            return None
        arguments = binding.origin.parent
        call = arguments.parent if arguments is not None else None
        function = call.child_by_field_name("function") if call is not None else None
        if function is None or function.type != "member_expression":
            return None
        owner = self.of(function.child_by_field_name("object"))
        method = name_of(function.child_by_field_name("property"))
        if isinstance(owner, Value) and method in VISITING:
            return owner.item
        return owner.of if isinstance(owner, Promised) and method == "then" else None


def standard_globals() -> dict[str, Shape]:
    """The helpers and the standard objects, by name."""
    namespaces = {name: Namespace(name) for name in STATIC_MEMBERS}
    return {**namespaces, **HELPERS, "tools": ToolSet()}


def _kept(shape: Shape | None) -> Shape | None:
    return shape.of if isinstance(shape, Promised) else shape


_RULES: Mapping[str, Callable[[Shapes, Node], Shape | None]] = {
    "identifier": Shapes._identifier,
    "shorthand_property_identifier": Shapes._identifier,
    "await_expression": Shapes._await,
    "parenthesized_expression": Shapes._inner,
    "binary_expression": Shapes._either,
    "ternary_expression": Shapes._either,
    "string": Shapes._string,
    "template_string": Shapes._string,
    "array": Shapes._array,
    "object": Shapes._object,
    "member_expression": Shapes._member,
    "subscript_expression": Shapes._subscript,
    "call_expression": Shapes._call,
}
