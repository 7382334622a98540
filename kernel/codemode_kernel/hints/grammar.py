"""What an engine refuses before anything runs, in words that say what to write instead."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from codemode_kernel.hints.facts import Facts
from codemode_kernel.hints.script import FUNCTIONS, Script, enclosing, is_async
from codemode_kernel.syntax import OPENERS

if TYPE_CHECKING:
    from tree_sitter import Node

_LINE_BREAK = re.compile(r"(?<!\\)\n")
_BODIES = FUNCTIONS | {"class_static_block"}


def module_import(facts: Facts) -> str | None:
    """There are no modules (contract 1.4)."""
    if facts.error.lower().startswith("unsupported import in exec"):
        return (
            "A cell imports nothing: `tools` and the helpers are there already; `%help` names them."
        )
    return None


def top_level_return(facts: Facts) -> str | None:
    """A module has no result."""
    if not facts.is_syntax_error:
        return None
    script = facts.script
    for statement in script.nodes("return_statement"):
        if enclosing(statement, _BODIES) is None and not _in_error(statement):
            value = script.text(next(iter(statement.named_children), None)) or "value"
            shown = value if len(value) <= 40 and "\n" not in value else "value"
            return f"A cell returns nothing: `text({shown})` shows a value, `exit()` ends the cell."
    return None


def await_in_plain_function(facts: Facts) -> str | None:
    """`await` needs an `async` function around it."""
    if not facts.is_syntax_error:
        return None
    for found in facts.script.nodes("await_expression"):
        function = enclosing(found, FUNCTIONS)
        if function is not None and not is_async(function):
            line = facts.script.line(function)
            return f"`await` needs an `async` function around it: mark the one in line {line}."
    return None


def backslash(facts: Facts) -> str | None:
    """Paths and patches with single backslashes."""
    if facts.is_syntax_error and "escape sequence" in facts.error:
        return "In a string a backslash is written twice (`C:\\\\dir`), or once in a template behind `String.raw`."
    return None


def open_string(facts: Facts) -> str | None:
    """A quoted string that does not end in its line."""
    if not facts.is_syntax_error:
        return None
    script = facts.script
    for quote in script.nodes("'", '"'):
        around = quote.parent
        broken = around is not None and (
            around.is_error or (around.type == "string" and _LINE_BREAK.search(script.text(around)))
        )
        if broken:
            return (
                f"The string that starts in line {script.line(quote)} does not end there: "
                "write a line break as `\\n`, or the string between backticks."
            )
    return None


def brackets(facts: Facts) -> str | None:
    """The first bracket that closes nothing, or the last that is never closed."""
    if not facts.is_syntax_error:
        return None
    script = facts.script
    opened: list[Node] = []
    for leaf in _written_leaves(script):
        if leaf.type in OPENERS:
            opened.append(leaf)
        elif leaf.type in OPENERS.values():
            if not opened:
                return f"`{leaf.type}` in line {script.line(leaf)} closes nothing: remove it."
            opener = opened.pop()
            if OPENERS[opener.type] != leaf.type:
                return (
                    f"`{leaf.type}` in line {script.line(leaf)} stands where "
                    f"`{opener.type}` of line {script.line(opener)} is still open."
                )
    if not opened:
        return None
    opener = opened[-1]
    closer = OPENERS[opener.type]
    return f"`{opener.type}` in line {script.line(opener)} is never closed: `{closer}` is missing."


def declared_twice(facts: Facts) -> str | None:
    """Within one cell a name is declared once."""
    known = ("invalid redefinition", "has already been declared")
    if not facts.is_syntax_error or not any(words in facts.error for words in known):
        return None
    script = facts.script
    seen: set[str] = set()
    for statement in script.statements:
        if statement.type != "lexical_declaration":
            continue
        for declarator in statement.named_children:
            name = script.field(declarator, "name")
            if name in seen:
                line = script.line(declarator)
                return f"`{name}` is declared again in line {line}: leave out the second `const`."
            seen.add(name)
    return None


def _written_leaves(script: Script) -> list[Node]:
    return [
        node for node in script.nodes() if not node.children and not node.is_missing and node.type
    ]


def _in_error(node: Node) -> bool:
    return enclosing(node, frozenset({"ERROR"})) is not None
