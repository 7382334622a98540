"""What an error message should name and where its frames are, read from the source.

The engine does not say which function "not a function" is about. It gives the place of the last
name that was looked up before the call: the callee's own where the arguments hold no name, else
one among the arguments. Where more than one call could have failed there, nothing is said rather
than something wrong. Variables are simpler: their place is their own, or right behind it. For the
same reason the place of a call in a stack is looked for.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator
from typing import NamedTuple

from codemode_host.engine.quickjs.tokens import KEYWORDS, Token, is_word, tokens

_UNKNOWN = "(intermediate value)"

_NEW = re.compile(r"(?<![\w$.])new\s*$")
_NEW_LENGTH = 100
"""Characters in which the word `new` is looked for."""

_CHAIN = re.compile(r"(?:[\w$]+\s*\.\s*)*([\w$]+)")
"""A name with the names that lead to it; the group is the last one."""

_LONGEST_READ = 100_000
"""Characters of a source that is cut into tokens only for the columns of its errors."""

_BEFORE_NAMES = frozenset(" \t.([{,;:!=")
"""Characters that no place is about, so that the name behind them is meant."""

_STOPS = frozenset([";", "=>", "function", "class"])
_NO_LOOKUP = KEYWORDS | {"true", "false", "null", "this"}

# Calls around a place that can be taken not to have failed.
_FUNCTIONS = frozenset(
    """
    text image audio generatedImage content store load notify setTimeout clearTimeout
    String Number Boolean BigInt Symbol
    Error TypeError RangeError ReferenceError SyntaxError URIError EvalError
    JSON.stringify JSON.parse Promise.all Promise.allSettled Promise.race Promise.any
    Object.keys Object.values Object.entries Object.fromEntries Object.assign
    Array.from Array.isArray Math.max Math.min Math.round Math.floor
    """.split()  # noqa: SIM905 - a list of forty strings reads worse
)


class _Callee(NamedTuple):
    text: str
    constructed: bool
    """Whether it was called with `new`."""


class SourceWords:
    """Answers about one source; lines and columns are the engine's and count from 1."""

    def __init__(self, source: str) -> None:
        self._source = source
        self._tokens: list[Token] = []
        self._partners: dict[int, int] = {}
        self._calls: dict[tuple[int, int], str | None] = {}

    def failed_call(self, line: int, column: int) -> str | None:
        """V8's words, such as ``tools.nope is not a function``; None where in doubt."""
        key = (line, column)
        if key not in self._calls:
            self._calls[key] = self._find_call(line, column)
        return self._calls[key]

    def failed_assignment(self, line: int, column: int, name: str) -> str | None:
        """V8's words if the constant `name` is assigned to there; None if a property is."""
        index = self._token_at(line, column)
        if index is None or name in ("NaN", "Infinity", "undefined"):
            return None
        is_variable = self._text(index) == name and self._text(index - 1) not in (".", "?.")
        return "Assignment to constant variable." if is_variable else None

    def failed_declaration(self, line: int, column: int) -> str | None:
        """V8's words for a second declaration of the name that ends before the place."""
        self._read()
        start = self._line_start(line)
        end = start + self._length_of(start, column - 1)
        index = bisect_left(self._tokens, Token(end, "")) - 1
        name = self._text(index)
        return f"Identifier '{name}' has already been declared" if name and is_word(name) else None

    def place(self, line: int, column: int, callee: str, constructs: bool) -> tuple[int, int]:
        """Line and column of a frame as V8 gives them; columns count UTF-16 units from 1.

        The engine counts bytes, and places a call at the last name that was looked up for it, which
        may be one in its arguments. V8 places it at the name of the `callee`, or at `new`. Where
        that is not found, as the callee is called otherwise or `constructs` without a name, the
        engine's place is the best there is.
        """
        start = self._line_start(line)
        looked_up = start + self._length_of(start, column - 1)
        if line == 1 and self._is_before_a_name(looked_up):
            looked_up += 1
        called = self._call_of(callee, constructs, looked_up)
        line -= self._source.count("\n", called, looked_up)
        before = self._source[self._source.rfind("\n", 0, called) + 1 : called]
        return line, len(before) + sum(character > "\uffff" for character in before) + 1

    def _call_of(self, callee: str, constructs: bool, offset: int) -> int:
        """Where the call is that has looked up a name at `offset`: most times right there."""
        new = _NEW.search(self._source, max(0, offset - _NEW_LENGTH), offset)
        chain = _CHAIN.match(self._source, offset)
        if chain is not None and chain[1] == callee:
            return new.start() if new else chain.start(1)
        seek = callee != "" and len(self._source) <= _LONGEST_READ
        around = self._call_around(callee, offset) if seek else None
        if around is not None:
            return around
        return new.start() if new and constructs else offset

    def _call_around(self, callee: str, offset: int) -> int | None:
        """Where the innermost call of `callee` is whose arguments hold `offset`."""
        self._read()
        index = bisect_left(self._tokens, Token(offset, ""))
        place = index - 1
        while place > 0 and self._text(place) not in _STOPS:
            opening = self._partners.get(place)
            if opening is not None:
                place = opening
            elif self._is_opening(place):
                if self._is_edge(place, index):
                    return None
                if self._text(place) == "(" and self._text(place - 1) == callee:
                    return self._start_of_call(place - 1)
            place -= 1
        return None

    def _start_of_call(self, name: int) -> int:
        """Where V8 places the call of the name at that index."""
        head = name
        while self._text(head - 1) == ".":
            head -= 2
        return self._start(head - 1 if self._text(head - 1) == "new" else name)

    def _is_opening(self, index: int) -> bool:
        text = self._text(index)
        return text in "([{" or text.endswith("${")

    def _is_before_a_name(self, offset: int) -> bool:
        """Names of line 1 are reported one column early; an operator has its own place."""
        here, name = self._source[offset : offset + 1], self._source[offset + 1 : offset + 2]
        return here in _BEFORE_NAMES and name != "" and is_word(name)

    def _read(self) -> None:
        if not self._tokens:
            self._tokens = list(tokens(self._source))
            self._partners = _partners(self._tokens)

    def _find_call(self, line: int, column: int) -> str | None:
        index = self._token_at(line, column)
        if index is None:
            return None
        callees = [self._callee(paren) for paren in self._calls_after(index)]
        unsure = [callee for callee in callees if callee.text not in _FUNCTIONS]
        if len(unsure) != 1 or unsure[0].text == _UNKNOWN:
            return None
        kind = "constructor" if unsure[0].constructed else "function"
        return f"{unsure[0].text} is not a {kind}"

    def _line_start(self, line: int) -> int:
        start = 0
        for _ in range(line - 1):
            start = self._source.find("\n", start) + 1
        return start

    def _length_of(self, start: int, size: int) -> int:
        """How many characters of the line at `start` are in its first `size` bytes of UTF-8."""
        text = self._source[start:].partition("\n")[0].encode("utf-8", "replace")
        return len(text[:size].decode("utf-8", "ignore"))

    def _token_at(self, line: int, column: int) -> int | None:
        """The index of the name at a position; names of line 1 are reported one column early."""
        self._read()
        start = self._line_start(line)
        for size in (column, column - 1) if line == 1 else (column - 1,):
            offset = start + self._length_of(start, size)
            index = bisect_left(self._tokens, Token(offset, ""))
            if self._start(index) == offset and is_word(self._text(index)):
                return index
        return None

    def _calls_after(self, index: int) -> Iterator[int]:
        """The calls that happen next after the name at `index` was looked up.

        Each is the index of its opening parenthesis. The search ends where another name would
        be looked up, since that one would have been reported, and at the function's edge.
        """
        for place in range(self._end_of_operand(index), len(self._tokens)):
            text = self._tokens[place].text
            if text in ")]" or text.startswith("}"):
                opening = self._partners.get(place)
                if opening is None or self._is_edge(opening, index):
                    return
                if text == ")" and opening < index and self._is_call(opening):
                    yield opening
            elif text == "(" and self._is_call(place):
                yield place
            elif text in _STOPS or self._is_lookup(place):
                return

    def _end_of_operand(self, index: int) -> int:
        """Where to go on after the name at `index`: behind a whole function or class to make."""
        place = index + 1
        if self._text(index - 1) == "new":
            while self._text(place) == ".":
                place += 2
        elif self._text(index) in ("function", "async", "class") or self._text(place) == "=>":
            depth = 0
            while place < len(self._tokens):
                text = self._text(place)
                depth += (text in "([{") - (text in ")]}")
                if depth < 0 or (depth == 0 and text == ","):
                    break
                place += 1
        return place

    def _start(self, index: int) -> int:
        return self._tokens[index].start if 0 <= index < len(self._tokens) else -1

    def _text(self, index: int) -> str:
        return self._tokens[index].text if 0 <= index < len(self._tokens) else ""

    def _is_call(self, opening: int) -> bool:
        """Whether the bracket at `opening` follows an operand."""
        before = self._text(opening - 1)
        if before == "?.":
            return True
        return before != "" and before not in KEYWORDS and (is_word(before) or before in ")]")

    def _is_edge(self, opening: int, index: int) -> bool:
        """Whether to leave the bracket at `opening` is to leave a function or a statement."""
        if self._text(opening) == "{":
            before = self._text(opening - 1)
            return before in ("", ")", "=>", ";", "{", "}") or before in KEYWORDS
        depth = 0
        for place in range(index - 1, opening, -1):  # an arrow function without braces?
            text = self._tokens[place].text
            depth += (text in ")]}") - (text in "([{")
            if text == "=>" and depth <= 0:
                return True
        return False

    def _is_lookup(self, index: int) -> bool:
        """Whether the engine would give this token's place for a call that comes after it."""
        text, before, after = self._text(index), self._text(index - 1), self._text(index + 1)
        if not is_word(text) or text[0].isdigit():
            return False
        if before in (".", "?."):
            return after == "("
        return after != ":" and text not in _NO_LOOKUP

    def _callee(self, paren: int) -> _Callee:
        """What stands before the parenthesis at index `paren`, as V8 shows it."""
        place = paren - 1
        text = ""
        while True:
            part = self._text(place)
            opening = self._partners.get(place)
            if part == "?.":
                place -= 1
            elif part in (")", "]") and opening is not None and self._is_call(opening):
                inside = self._source[self._tokens[opening].start : self._tokens[place].end]
                text = ("(...)" if part == ")" else inside) + text
                place = opening - 1
            elif is_word(part) and self._text(place - 1) in (".", "?."):
                text = self._text(place - 1) + part + text
                place -= 2
            elif is_word(part):
                return _Callee(part + text, self._text(place - 1) == "new")
            else:
                return _Callee(_UNKNOWN + text, False)


def _partners(code: list[Token]) -> dict[int, int]:
    """For the index of each closing bracket, the index of the one that it closes."""
    open_brackets: list[int] = []
    partners: dict[int, int] = {}
    for index, token in enumerate(code):
        if (token.text in ")]" or token.text.startswith("}")) and open_brackets:
            partners[index] = open_brackets.pop()
        if token.text in "([{" or token.text.endswith("${"):
            open_brackets.append(index)
    return partners
