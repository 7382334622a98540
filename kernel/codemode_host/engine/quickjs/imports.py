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

from codemode_host.engine.quickjs.tokens import Token, tokens

_MAYBE = re.compile(r"\bimport\s*[(/]")
_REFUSING = "(async s=>{`${s}`;throw'unsupported import in exec'})"


def without_dynamic_imports(source: str) -> str:
    """`source` with the word `import` of every dynamic import replaced."""
    if _MAYBE.search(source) is None:
        return source
    pieces = []
    done = 0
    for word in _dynamic_imports(source):
        pieces += [source[done : word.start], _REFUSING]
        done = word.end
    return "".join([*pieces, source[done:]])


def first_specifier(source: str) -> str | None:
    """The specifier of the first static import or re-export; None when there is none."""
    before = ""
    for token in tokens(source):
        if before in ("import", "from") and token.text[0] in "'\"":
            return token.text[1:-1]
        before = token.text
    return None


def _dynamic_imports(source: str) -> Iterator[Token]:
    """The words `import` that are called, in code."""
    before, candidate = "", None
    for token in tokens(source):
        if candidate is not None and token.text == "(":
            yield candidate
        candidate = token if token.text == "import" and before != "." else None
        before = token.text
