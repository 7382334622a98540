"""Where a script's syntax is broken, and whether typing on could mend it.

Asked only after an engine has refused a script (engines name no position for a `SyntaxError`,
measured fact 7) and by consoles that must know if a line is finished. The grammar is imported at
the first question: most kernels never need it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tree_sitter import Node, Parser

OPENERS = {"(": ")", "[": "]", "{": "}", "${": "}"}


@dataclass(frozen=True)
class Problem:
    """One place that does not parse. `line` and `column` count from 1, columns in characters."""

    line: int
    column: int
    open_ended: bool
    """More text could mend it: something is unclosed, or an expression stops in the middle."""


def problems(code: str) -> list[Problem]:
    """Every place of `code` that the grammar refuses, in the order of the text."""
    data = code.encode("utf-8", "replace")
    end = len(data.rstrip())
    root = parser().parse(data).root_node
    if not root.has_error:
        return []
    found = [_problem(node, data, end) for node in _broken(root)]
    return sorted(found, key=lambda problem: (problem.line, problem.column))


def locate(code: str, message: str) -> tuple[int, int] | None:
    """Line and column (from 1) of what `message` complains about, or None where it is not found.

    `message` is an error text without a position: a `SyntaxError`, or the host's refusal of a
    static import (contract 1.4).
    """
    broken = problems(code)
    if broken:
        return broken[0].line, broken[0].column
    wanted = "import_statement" if message.startswith("Unsupported import") else "return_statement"
    data = code.encode("utf-8", "replace")
    for node in parser().parse(data).root_node.children:
        if node.type == wanted:
            return _position(node.start_byte, data)
    return None


@cache
def parser() -> Parser:
    """The one parser of JavaScript; it takes broken sources, too."""
    import tree_sitter_javascript
    from tree_sitter import Language, Parser

    return Parser(Language(tree_sitter_javascript.language()))


def _broken(node: Node) -> Iterator[Node]:
    """The outermost error nodes and the tokens that the parser had to invent."""
    if node.is_error or node.is_missing:
        yield node
        return
    for child in node.children:
        if child.has_error or child.is_missing:
            yield from _broken(child)


def _problem(node: Node, data: bytes, end: int) -> Problem:
    if node.is_missing:
        line, column = _position(min(node.start_byte, end), data)
        return Problem(line, column, open_ended=node.start_byte >= end)
    unclosed, surplus = _unclosed(node)
    unterminated = [child for child in node.children if child.type in "\"'"]
    comment = data[node.start_byte : node.start_byte + 2] == b"/*"
    template = any(child.type == "`" for child in node.children)
    at = unterminated[0] if unterminated else unclosed[-1] if unclosed else node
    reaches_end = node.end_byte >= end and not surplus
    line, column = _position(at.start_byte, data)
    open_ended = not unterminated and (reaches_end or comment or template)
    return Problem(line, column, open_ended)


def _unclosed(node: Node) -> tuple[list[Node], bool]:
    """Brackets that `node` opens and never closes, and whether it closes one it never opened."""
    stack: list[Node] = []
    surplus = False
    for leaf in _leaves(node):
        if leaf.type in OPENERS:
            stack.append(leaf)
        elif leaf.type in OPENERS.values():
            if stack and OPENERS[stack[-1].type] == leaf.type:
                stack.pop()
            else:
                surplus = True
    return stack, surplus


def _leaves(node: Node) -> Iterator[Node]:
    if not node.children:
        yield node
    for child in node.children:
        yield from _leaves(child)


def _position(byte: int, data: bytes) -> tuple[int, int]:
    before = data[:byte]
    line = before.count(b"\n") + 1
    column = len(before[before.rfind(b"\n") + 1 :].decode("utf-8", "replace")) + 1
    return line, column
