"""Imports, none of which a cell can make (contract 1.4, measured fact 23).

A dynamic import rejects with a plain string, where the engine would reject with an error object
of its own. So the word `import` of a call is replaced by a function that does what the reference
does: it converts the specifier to a string and rejects. Only columns behind it on its line move.
A source without such a call, which is nearly every one, is not looked at twice.

A static import fails the cell with the specifier as it is written.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

_MAYBE = re.compile(r"\bimport\s*[(/]")
_REFUSING = "(async s=>{`${s}`;throw'unsupported import in exec'})"

_TOKEN = re.compile(
    r"""
    (?P<space>\s+|//[^\n\r\u2028\u2029]*|/\*.*?\*/)
  | (?P<string>"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')
  | (?P<word>[\w$\u0080-\U0010ffff]+)
  | (?P<mark>.)
    """,
    re.VERBOSE | re.DOTALL,
)
_REGEX = re.compile(r"/(?![*/])(?:[^/\\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+/\w*")
_TEMPLATE_PART = re.compile(r"(?:[^`\\$]|\\.|\$(?!\{))*(`|\$\{)?", re.DOTALL)

# A slash after one of these divides nothing: it begins a regular expression.
_OPERATORS = frozenset("([{},;=:?!&|+-*%~^<>/")
_OPERATOR_WORDS = frozenset(
    [
        "return",
        "typeof",
        "case",
        "in",
        "of",
        "instanceof",
        "new",
        "delete",
        "void",
        "throw",
        "do",
        "else",
        "yield",
        "await",
    ]
)


def without_dynamic_imports(source: str) -> str:
    """`source` with the word `import` of every dynamic import replaced."""
    if _MAYBE.search(source) is None:
        return source
    pieces = []
    done = 0
    for place in _dynamic_imports(source):
        pieces += [source[done:place], _REFUSING]
        done = place + len("import")
    return "".join([*pieces, source[done:]])


def first_specifier(source: str) -> str | None:
    """The specifier of the first static import or re-export; None when there is none."""
    before = ""
    for _, token in _significant_tokens(source):
        if before in ("import", "from") and token[0] in "'\"":
            return token[1:-1]
        before = token
    return None


def _dynamic_imports(source: str) -> Iterator[int]:
    """Where the word `import` is called, in code."""
    before, candidate = "", None
    for place, token in _significant_tokens(source):
        if candidate is not None and token == "(":
            yield candidate
        candidate = place if token == "import" and before != "." else None
        before = token


def _significant_tokens(source: str) -> Iterator[tuple[int, str]]:
    """Words, strings and single marks with their places; templates are cut at `${` and `}`."""
    place, before = 0, ""
    substitutions: list[int] = []  # for each template around us, how many braces are open in it
    while place < len(source):
        token = _TOKEN.match(source, place)
        assert token is not None
        text = token[0]
        if text == "/" and (before == "" or before in _OPERATORS or before in _OPERATOR_WORDS):
            text = (_REGEX.match(source, place) or token)[0]
        elif text == "{" and substitutions:
            substitutions[-1] += 1
        elif text == "}" and substitutions and substitutions[-1] > 0:
            substitutions[-1] -= 1
        elif text == "`" or (text == "}" and substitutions):
            if text == "}":
                substitutions.pop()
            part = _TEMPLATE_PART.match(source, place + 1)
            assert part is not None
            if part[1] == "${":
                substitutions.append(0)
            text = source[place : part.end()]
        if token["space"] is None:
            yield place, text
            before = text if text[-2:] != "${" else "{"
        place += len(text)
