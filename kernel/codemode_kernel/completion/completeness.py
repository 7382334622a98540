"""Answers whether what was typed so far is a whole cell. Consoles ask this at every Enter."""

from __future__ import annotations

from typing import Any

from codemode_kernel import syntax

INDENT = "  "


def completeness(code: str) -> dict[str, Any]:
    """The content of an `is_complete_reply` for `code`."""
    if code.startswith("%%"):
        return _python_cell(code)
    if code.startswith("%") or not code.strip():
        return {"status": "complete"}
    problems = syntax.problems(code)
    if not problems:
        return {"status": "complete"}
    if all(problem.open_ended for problem in problems):
        return {"status": "incomplete", "indent": _indent(code)}
    return {"status": "invalid"}


def _python_cell(code: str) -> dict[str, Any]:
    """A cell magic has a body of its own language; as in IPython, a blank line ends it."""
    if "\n" in code and code.endswith("\n"):
        return {"status": "complete"}
    return {"status": "incomplete", "indent": ""}


def _indent(code: str) -> str:
    lines = code.rstrip().split("\n")
    last = lines[-1]
    indent = last[: len(last) - len(last.lstrip())]
    return indent + INDENT if last.endswith(("{", "(", "[", "=>")) else indent
