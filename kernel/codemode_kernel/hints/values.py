"""Values that are not what the script takes them for."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from codemode_kernel.hints.facts import Facts
from codemode_kernel.hints.script import Script, enclosing

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tree_sitter import Node

_PARSED_OBJECT = re.compile(
    r"SyntaxError: (?:unexpected token: 'object'|\"\[object Object\]\" is not valid JSON)"
)
_GUARDS = ("??", "||", "?", "instanceof", "typeof")
_EXPRESSIONS = frozenset(
    {"binary_expression", "ternary_expression", "if_statement", "parenthesized_expression"}
)


def parsed_object(facts: Facts) -> str | None:
    """`JSON.parse` of a value that is an object already."""
    if _PARSED_OBJECT.match(facts.error) and "JSON.parse" in facts.code:
        return "The value is an object already: leave out `JSON.parse`."
    return None


def message_of_string(facts: Facts) -> str | None:
    """`e.message` of a failed tool call, which rejects with a string."""
    first_line = facts.error.split("\n", 1)[0]
    if facts.error and first_line != "Error" and "undefined" not in first_line:
        return None
    if not facts.calls.failed and not facts.silent:
        return None
    script = facts.script
    for name, where, handled in _handlers(script):
        if not _calls_tool(script, handled, facts):
            continue
        for member in script.nodes("member_expression", under=where):
            if script.text(member) == f"{name}.message" and not _guarded(script, member):
                return (
                    f"A tool call rejects with a string, so `{name}.message` is undefined: "
                    f"write `String({name})`."
                )
    return None


def _handlers(script: Script) -> Iterator[tuple[str, Node, Node]]:
    """Each handler of errors: its parameter's name, its body, and what it handles."""
    for clause in script.nodes("catch_clause"):
        body, around = clause.child_by_field_name("body"), clause.parent
        tried = around.child_by_field_name("body") if around is not None else None
        if body is not None and tried is not None:
            yield script.field(clause, "parameter"), body, tried
    for call in script.nodes("call_expression"):
        callee = call.child_by_field_name("function")
        arguments = script.arguments(call)
        if callee is None or script.field(callee, "property") != "catch" or len(arguments) != 1:
            continue
        body = arguments[0].child_by_field_name("body")
        handled = callee.child_by_field_name("object")
        if body is not None and handled is not None:
            name = script.field(arguments[0], "parameter") or script.field(
                arguments[0], "parameters"
            ).strip("()")
            yield name, body, handled


def _calls_tool(script: Script, handled: Node, facts: Facts) -> bool:
    """Whether a tool is called there: one that did fail, where any did."""
    tools = {script.tool_of(call) for call in script.nodes("call_expression", under=handled)}
    return bool(tools & facts.calls.failed.keys() if facts.calls.failed else tools - {None})


def _guarded(script: Script, member: Node) -> bool:
    """Whether something near says what to take when there is no message."""
    around = enclosing(member, _EXPRESSIONS)
    while around is not None:
        operator = script.field(around, "operator")
        condition = script.field(around, "condition")
        if operator in _GUARDS or any(word in condition for word in ("typeof", "message", "Error")):
            return True
        around = enclosing(around, _EXPRESSIONS)
    return False
