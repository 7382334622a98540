"""What value is expected where one is being written: an argument, or a part of one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolbridge.tools import Kind

from codemode_kernel.completion.exec_globals import Helper
from codemode_kernel.completion.nodes import name_of, outwards, text_of
from codemode_kernel.completion.schemas import Value
from codemode_kernel.completion.scope import Step
from codemode_kernel.completion.shapes import Shapes, ToolFunction

if TYPE_CHECKING:
    from tree_sitter import Node

_TRANSPARENT = frozenset({"parenthesized_expression", "ternary_expression"})
_COMPARISONS = frozenset({"==", "===", "!=", "!=="})


def expected(node: Node, shapes: Shapes) -> Value | None:
    """What the expression `node` should give, as the schema of a tool or a helper tells."""
    path: list[Step] = []
    for parent, inner in outwards(node):
        if parent.type == "pair":
            path.append(name_of(parent.child_by_field_name("key")))
        elif parent.type == "array":
            path.append(0)
        elif parent.type == "arguments":
            return _follow(_of_argument(inner, parent, shapes), path)
        elif parent.type == "binary_expression":
            return None if path else _compared(inner, parent, shapes)
        elif parent.type == "switch_case":
            return None if path else _switched(parent, shapes)
        elif parent.type != "object" and parent.type not in _TRANSPARENT:
            return None
    return None


def callee_of(arguments: Node) -> Node | None:
    """The function that is called with these arguments."""
    call = arguments.parent
    return call.child_by_field_name("function") if call is not None else None


def _of_argument(argument: Node, arguments: Node, shapes: Shapes) -> Value | None:
    position = [node.id for node in arguments.named_children].index(argument.id)
    function = shapes.of(callee_of(arguments))
    if isinstance(function, ToolFunction):
        is_object = position == 0 and function.tool.kind is Kind.FUNCTION
        return Value.of(function.tool.input_schema) if is_object else None
    if isinstance(function, Helper) and position < len(function.parameters):
        return Value.of(function.parameters[position])
    return None


def _follow(value: Value | None, path: list[Step]) -> Value | None:
    for step in reversed(path):
        if value is None or step is None:
            return None
        value = value.under(step) if isinstance(step, str) else value.item
    return value


def _compared(node: Node, comparison: Node, shapes: Shapes) -> Value | None:
    operator = comparison.child_by_field_name("operator")
    left = comparison.child_by_field_name("left")
    if operator is None or text_of(operator) not in _COMPARISONS or left == node:
        return None
    shape = shapes.of(left)
    return shape if isinstance(shape, Value) else None


def _switched(case: Node, shapes: Shapes) -> Value | None:
    body = case.parent
    switch = body.parent if body is not None else None
    shape = shapes.of(switch.child_by_field_name("value")) if switch is not None else None
    return shape if isinstance(shape, Value) else None
