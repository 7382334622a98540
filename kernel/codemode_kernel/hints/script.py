"""A script as a syntax tree, with the questions that rules ask of it. Works on broken ones, too."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from codemode_kernel import syntax

if TYPE_CHECKING:
    from tree_sitter import Node

FUNCTIONS = frozenset(
    {
        "function_declaration",
        "function_expression",
        "arrow_function",
        "method_definition",
        "generator_function",
        "generator_function_declaration",
    }
)
_TEXTS = frozenset({"string", "string_fragment", "template_string", "comment", "regex"})


class Script:
    """The tree of one source."""

    def __init__(self, code: str) -> None:
        self._data = code.encode("utf-8", "replace")
        self.root = syntax.parser().parse(self._data).root_node

    @property
    def statements(self) -> list[Node]:
        """Top-level statements in order, without comments."""
        return [node for node in self.root.named_children if node.type != "comment"]

    def nodes(self, *types: str, under: Node | None = None) -> Iterator[Node]:
        """Every node of one of `types` (all without any), in the order of the text."""
        if under is None and len(types) == 1:
            yield from self._by_type.get(types[0], ())
            return
        for node in _walk(under or self.root):
            if not types or node.type in types:
                yield node

    @cached_property
    def _by_type(self) -> Mapping[str, Sequence[Node]]:
        """All nodes; rules ask for many types, and walking is what takes time."""
        found: dict[str, list[Node]] = defaultdict(list)
        for node in _walk(self.root):
            found[node.type].append(node)
        return found

    def uses(self, name: str) -> Sequence[Node]:
        """Where a variable is named, its declaration included."""
        return self._uses.get(name, ())

    @cached_property
    def _uses(self) -> Mapping[str, Sequence[Node]]:
        found: dict[str, list[Node]] = defaultdict(list)
        for kind in ("identifier", "shorthand_property_identifier"):
            for node in self.nodes(kind):
                found[self.text(node)].append(node)
        return found

    def text(self, node: Node | None) -> str:
        """What `node` says; empty for None."""
        if node is None:
            return ""
        return self._data[node.start_byte : node.end_byte].decode("utf-8", "replace")

    def line(self, node: Node) -> int:
        """The line of the notebook cell in which `node` starts, from 1."""
        return self._data.count(b"\n", 0, node.start_byte) + 1

    def field(self, node: Node | None, name: str) -> str:
        """What the field `name` of `node` says; empty without one."""
        return self.text(node.child_by_field_name(name)) if node is not None else ""

    def calls(self, *names: str, under: Node | None = None) -> Iterator[Node]:
        """Calls whose callee reads exactly as one of `names` (`text`, `tools.exec_command`)."""
        for call in self.nodes("call_expression", under=under):
            if self.field(call, "function") in names:
                yield call

    def arguments(self, call: Node) -> list[Node]:
        """The arguments of a call; none for a tagged template."""
        arguments = call.child_by_field_name("arguments")
        if arguments is None or arguments.type != "arguments":
            return []
        return [node for node in arguments.named_children if node.type != "comment"]

    def tool_of(self, node: Node | None) -> str | None:
        """The tool that `node` calls as `tools.NAME(...)`; None when it is no such call."""
        if node is None or node.type != "call_expression":
            return None
        callee = node.child_by_field_name("function")
        if callee is None or callee.type != "member_expression":
            return None
        if self.field(callee, "object") != "tools":
            return None
        return self.field(callee, "property")

    def declared_names(self) -> set[str]:
        """Every name that is declared anywhere in the script, as a variable or a function."""
        declaring = ("variable_declarator", "class_declaration", *FUNCTIONS)
        return {self.field(node, "name") for node in self.nodes(*declaring)}

    def code_alone(self) -> str:
        """The source with strings, templates and comments blanked out, lines kept."""
        data = bytearray(self._data)
        for node in self.nodes(*_TEXTS):
            for at in range(node.start_byte, node.end_byte):
                if data[at] != 0x0A:
                    data[at] = 0x20
        return data.decode("utf-8", "replace")


def _walk(top: Node) -> Iterator[Node]:
    stack = [top]
    while stack:
        node = stack.pop()
        yield node
        stack.extend(reversed(node.children))


def unwrapped(node: Node | None) -> Node | None:
    """The expression within any parentheses."""
    while node is not None and node.type == "parenthesized_expression" and node.named_children:
        node = node.named_children[0]
    return node


def is_async(function: Node) -> bool:
    """Whether a function is marked `async`."""
    return any(child.type == "async" for child in function.children)


def enclosing(node: Node, types: frozenset[str]) -> Node | None:
    """The innermost node around `node` of one of `types`."""
    around = node.parent
    while around is not None and around.type not in types:
        around = around.parent
    return around
