"""Cells that did their work and showed nothing of it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from codemode_kernel.hints.facts import Facts
from codemode_kernel.hints.script import Script, unwrapped

if TYPE_CHECKING:
    from tree_sitter import Node

LONGEST_VALUE = 40
"""Longest expression that a hint repeats, in characters."""

_EFFECTS = (
    "text", "image", "audio", "generatedImage", "notify", "store", "exit", "yield_control",
)  # fmt: skip
_OTHER_HELPERS = frozenset({"clearTimeout", "setTimeout", "stream_settled", *_EFFECTS})
_DECLARATIONS = frozenset(
    {
        "lexical_declaration",
        "variable_declaration",
        "function_declaration",
        "generator_function_declaration",
        "class_declaration",
    }
)
_NO_VALUES = frozenset({"assignment_expression", "augmented_assignment_expression"}) | {
    "update_expression",
    "sequence_expression",
}


def bare_value(facts: Facts) -> str | None:
    """A last expression, which other notebooks would show."""
    if not facts.silent or facts.error_text is not None:
        return None
    script = facts.script
    last = script.statements[-1] if script.statements else None
    if last is None or last.type != "expression_statement" or not last.named_children:
        return None
    value = unwrapped(last.named_children[0])
    if (
        value is None
        or value.type in _NO_VALUES
        or script.text(value) == "undefined"
        or _is_effect(script, value)
        or (_is_call_of_tool(script, value) and not facts.calls.told_something)
    ):
        return None
    if len(script.statements) == 1 and value.type == "string":
        return (
            f"The cell is one string, and shows nothing: `text({_short(script, value)})` shows it."
        )
    return f"A cell shows no value by itself: use `text({_short(script, value)})`."


def unshown_result(facts: Facts) -> str | None:
    """Results of tool calls that the script does nothing with."""
    if not facts.silent or facts.error_text is not None or not facts.calls.told_something:
        return None
    script = facts.script
    if any(True for _ in script.calls(*_EFFECTS)):
        return None
    name = next(_results(script), None)
    shown = f"`text({name})`" if name else "`text(value)`"
    count = facts.calls.returned.total()
    if count == 1:
        return f"The tool call gave a result, and the cell shows nothing of it: use {shown}."
    return f"{count} tool calls gave results, and the cell shows nothing of them: use {shown}."


def only_declarations(facts: Facts) -> str | None:
    """Definitions, as if the next cell could see them."""
    if not facts.silent or facts.error_text is not None or facts.calls.returned:
        return None
    script = facts.script
    if not script.statements or any(node.type not in _DECLARATIONS for node in script.statements):
        return None
    if any(True for _ in script.calls(*_EFFECTS)):
        return None
    return (
        "The next cell sees nothing of what this one declares: "
        "`store(key, value)` keeps JSON values, `text(value)` shows one."
    )


def _is_effect(script: Script, value: Node) -> bool:
    """An expression that stands there for what it does, not for its value."""
    if value.type == "await_expression":
        return not _is_call_of_tool(script, value)
    if value.type == "unary_expression":
        return script.field(value, "operator") in ("void", "delete")
    if value.type in ("call_expression", "new_expression"):
        callee = script.field(value, "function") or script.field(value, "constructor")
        return callee in _OTHER_HELPERS or any(True for _ in script.calls(*_EFFECTS))
    return value.type in ("ternary_expression", "binary_expression") and any(
        True for _ in script.calls(*_EFFECTS, under=value)
    )


def _is_call_of_tool(script: Script, value: Node) -> bool:
    """An awaited call of a tool."""
    if value.type != "await_expression" or not value.named_children:
        return False
    return script.tool_of(unwrapped(value.named_children[0])) is not None


def _results(script: Script) -> Iterator[str]:
    """Variables that hold the result of a tool call."""
    for declarator in script.nodes("variable_declarator"):
        value = declarator.child_by_field_name("value")
        if value is not None and value.type == "await_expression" and value.named_children:
            name = script.field(declarator, "name")
            if script.tool_of(unwrapped(value.named_children[0])) and name.isidentifier():
                yield name


def _short(script: Script, value: Node) -> str:
    written = script.text(value)
    fits = len(written) <= LONGEST_VALUE and "\n" not in written and "`" not in written
    return written if fits else "value"
