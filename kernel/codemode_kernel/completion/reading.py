"""The script as it is read at a cursor: finished, parsed, and looked at where the cursor stands."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from codemode_kernel import syntax
from codemode_kernel.completion.nodes import MARKER
from codemode_kernel.completion.unfinished import TEMPLATE, Unfinished, unfinished

if TYPE_CHECKING:
    from tree_sitter import Node

BEFORE = 8_000
AFTER = 3_000
"""Characters around the cursor that are looked at. A longer script would take too long to parse."""

MAX_OPEN = 100
"""Brackets that may be open at the cursor; what is nested deeper is no script, and slow to read."""

_TYPED = re.compile(r"[\w$]*\Z")
_NUMBER = re.compile(r"(?<![\w$])\d[\w$]*\.?[\w$]*\Z")
_NO_ITEM = ("", *",})]:=.;(?")
_FOLLOWING_NAME = re.compile(r"[\w$]*")


@dataclass(frozen=True)
class Reading:
    """A parsed script and the leaf of its tree at the cursor."""

    leaf: Node
    typed: str
    """The beginning of a name, or of a string's content, before the cursor."""
    quote: str
    """The quote of the string that the cursor is in; empty outside of strings."""


def read(code: str, cursor: int) -> Reading | None:
    """Read `code` at `cursor` (in code points); None where nothing is to be said.

    That is in comments, regular expressions, the text of templates, numbers and piles of brackets.
    """
    before, after = _excerpt(code, cursor)
    state = unfinished(before)
    if len(state.brackets) > MAX_OPEN or (state.inside and not state.is_quoted):
        return None
    if state.is_quoted:
        typed = before[state.start + 1 :]
    else:
        found = _TYPED.search(before)
        typed = found[0] if found else ""
        if _NUMBER.search(before):
            return None
    root = _parsed(before, typed, state, after)
    start = len(before.encode("utf-8", "replace"))
    leaf = root.descendant_for_byte_range(start, start + len(MARKER))
    if leaf is None:
        return None
    return Reading(leaf, typed, state.inside)


def end_of_word(code: str, cursor: int) -> int:
    """Where the name or string that the cursor touches ends; `cursor` where there is none."""
    state = unfinished(_excerpt(code, cursor)[0])
    if state.inside == TEMPLATE:
        return cursor
    if state.is_quoted:
        rest = code[cursor : cursor + AFTER].partition("\n")[0]
        content, quote, _ = rest.partition(state.inside)
        return cursor + len(content) if quote else cursor
    found = _FOLLOWING_NAME.match(code, cursor)
    return found.end() if found else cursor


def _excerpt(code: str, cursor: int) -> tuple[str, str]:
    """What stands before and after the cursor, in whole lines when it is not everything."""
    first, last = max(0, cursor - BEFORE), cursor + AFTER
    if first:
        first = code.find("\n", first, cursor) + 1 or first
    return code[first:cursor], code[cursor:last]


def _separator(before: str, typed: str, state: Unfinished, after: str) -> str:
    """A comma where another item follows the one that is being typed in front of it."""
    if state.is_quoted or not state.brackets:
        return ""
    previous = before[: len(before) - len(typed)].rstrip()[-1:]
    following = after.lstrip()[:1]
    is_apart = after[:1].isspace()
    return "," if previous in ("{", ",") and is_apart and following not in _NO_ITEM else ""


def _parsed(before: str, typed: str, state: Unfinished, after: str) -> Node:
    """The tree of the whole text if it parses, else of what stands before the cursor.

    What is closed there may still lack the second half of a key or of a condition.
    """
    ends = [f"{_separator(before, typed, state, after)}{after}"]
    ends += [f"{state.inside}{half}{state.closers};" for half in ("", ":0")]
    roots = []
    for end in ends:
        text = f"{before}{MARKER}{end}"
        root = syntax.parser().parse(text.encode("utf-8", "replace")).root_node
        if not root.has_error:
            return root
        roots.append(root)
    return roots[1]
