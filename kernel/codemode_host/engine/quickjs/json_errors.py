"""Why a text is no JSON, in V8's words.

`JSON.parse` on what a tool printed is the error that scripts meet most often, and V8's message
quotes the place. The engine's own message does not; so the text is read once more.
"""

from __future__ import annotations

import re
from typing import Final

_SPACE = re.compile(r"[\t\n\r ]*")
_DIGIT = frozenset("0123456789")
_STRING_RUN = re.compile(r'[^"\\\x00-\x1f]*')
_HEX = re.compile(r"[0-9a-fA-F]{0,4}")
_DIGITS = re.compile(r"[0-9]*")
_LINE_END = re.compile(r"\r\n|[\n\r]")
_LITERALS: Final = {"t": "true", "f": "false", "n": "null"}
_SPECIAL = frozenset(["NaN", "Infinity", "undefined", "[object Object]"])

_END_OF_INPUT = "Unexpected end of JSON input"
_CONTEXT = 10
"""So many characters on each side of the place are quoted of a text that is longer than both."""


class _Refused(Exception):
    """The text is no JSON; the message is V8's."""


def json_complaint(text: str) -> str | None:
    """V8's message for `JSON.parse(text)`; None when `text` is JSON."""
    try:
        _Reader("".join(map(_units, text)) if max(text, default="") > "\uffff" else text).read()
    except _Refused as refused:
        return str(refused)
    return None


def _units(char: str) -> str:
    """`char` as UTF-16 code units, which is what V8 counts and quotes."""
    beyond = ord(char) - 0x10000
    return char if beyond < 0 else chr(0xD800 + (beyond >> 10)) + chr(0xDC00 + (beyond & 0x3FF))


class _Reader:
    """Reads one JSON text from left to right; what is open is on a stack, not in recursion."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._place = 0

    def read(self) -> None:
        """Read the whole text; raises `_Refused`."""
        brackets: list[str] = []
        expect_value = True
        while expect_value or brackets:
            if expect_value:
                expect_value = self._read_value_or_open(brackets)
            else:
                expect_value = self._read_separator(brackets)
        if self._peek() != "":
            raise self._at("Unexpected non-whitespace character after JSON")

    def _read_value_or_open(self, brackets: list[str]) -> bool:
        """Read a scalar, an empty bracket or an opening one; whether a value comes next."""
        mark = self._peek()
        if mark == "{":
            self._place += 1
            if self._peek() == "}":
                self._place += 1
                return False
            brackets.append(mark)
            self._read_key("Expected property name or '}' in JSON")
            return True
        if mark == "[":
            self._place += 1
            if self._peek() == "]":
                self._place += 1
                return False
            brackets.append(mark)
            return True
        self._read_scalar(mark)
        return False

    def _read_separator(self, brackets: list[str]) -> bool:
        """Read what follows a value inside a bracket; whether another value comes next."""
        mark = self._peek()
        in_object = brackets[-1] == "{"
        if mark == ",":
            self._place += 1
            if in_object:
                self._read_key("Expected double-quoted property name in JSON")
            return True
        if mark == ("}" if in_object else "]"):
            self._place += 1
            brackets.pop()
            return False
        raise self._at(
            "Expected ',' or '}' after property value in JSON"
            if in_object
            else "Expected ',' or ']' after array element in JSON"
        )

    def _read_key(self, complaint: str) -> None:
        if self._peek() != '"':
            raise self._at(complaint)
        self._read_string()
        if self._peek() != ":":
            raise self._at("Expected ':' after property name in JSON")
        self._place += 1

    def _read_scalar(self, mark: str) -> None:
        if mark == '"':
            self._read_string()
        elif mark in _DIGIT or mark == "-":
            self._read_number()
        elif mark in _LITERALS:
            for letter in _LITERALS[mark]:
                if self._here() != letter:
                    raise self._unexpected()
                self._place += 1
        else:
            raise self._unexpected()

    def _read_number(self) -> None:
        if self._here() == "-":
            self._place += 1
            if self._here() not in _DIGIT:
                raise self._at("No number after minus sign in JSON")
        if self._here() == "0":
            self._place += 1
            if self._here() in _DIGIT:
                raise self._at("Unexpected number in JSON")
        else:
            self._skip(_DIGITS)
        if self._here() == ".":
            self._place += 1
            if not self._skip(_DIGITS):
                raise self._at("Unterminated fractional number in JSON")
        if self._here() in ("e", "E"):
            self._place += 1
            if self._here() in ("+", "-"):
                self._place += 1
            if not self._skip(_DIGITS):
                raise self._at("Exponent part is missing a number in JSON")

    def _read_string(self) -> None:
        self._place += 1
        while True:
            self._skip(_STRING_RUN)
            mark = self._here()
            if mark == "":
                raise self._at("Unterminated string in JSON")
            if mark < " ":
                raise self._at("Bad control character in string literal in JSON")
            self._place += 1
            if mark == '"':
                return
            self._read_escape()

    def _read_escape(self) -> None:
        mark = self._here()
        if mark == "":
            raise _Refused(_END_OF_INPUT)
        if mark not in '"\\/bfnrtu':
            raise self._at("Bad escaped character in JSON")
        self._place += 1
        if mark == "u" and self._skip(_HEX) < 4:
            raise self._at("Bad Unicode escape in JSON")

    def _peek(self) -> str:
        """The next character that is no white space; "" at the end."""
        self._skip(_SPACE)
        return self._here()

    def _here(self) -> str:
        return self._text[self._place : self._place + 1]

    def _skip(self, pattern: re.Pattern[str]) -> int:
        """Go behind what `pattern` matches here; how long that was."""
        match = pattern.match(self._text, self._place)
        assert match is not None
        self._place = match.end()
        return len(match[0])

    def _at(self, complaint: str) -> _Refused:
        lines = [0, *(end.end() for end in _LINE_END.finditer(self._text, 0, self._place))]
        column = self._place - lines[-1] + 1
        return _Refused(
            f"{complaint} at position {self._place} (line {len(lines)} column {column})"
        )

    def _unexpected(self) -> _Refused:
        token, text = self._here(), self._text
        if token == "":
            return _Refused(_END_OF_INPUT)
        if text in _SPECIAL:
            return _Refused(f'"{text}" is not valid JSON')
        start, end = 0, len(text)
        if len(text) > 2 * _CONTEXT:
            start, end = max(0, self._place - _CONTEXT), min(len(text), self._place + _CONTEXT)
        before, after = "..." if start else "", "..." if end < len(text) else ""
        return _Refused(
            f"Unexpected token '{token}', {before}\"{text[start:end]}\"{after} is not valid JSON"
        )
