"""Strict JSON, refused in the words and at the positions of the reference's parser.

The reference shows its parser's message to the model, so the message is part of what we reproduce:
``expected `,` or `}` at line 1 column 9``. Columns count bytes since the last newline. Numbers stay
text, because the rules above this tell `5` from `5.0` and know no largest integer.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from typing import TypeAlias

from codemode_rules.errors import JsonTextError

U64_MAX = 2**64 - 1
MAX_DEPTH = 127
"""Containers inside each other."""

_WHITE_SPACE = b" \t\n\r"
_PLAIN = re.compile(rb'[^"\\\x00-\x1f]*')
_NUMBER = re.compile(rb"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?")
_ESCAPES = {
    ord('"'): '"',
    ord("\\"): "\\",
    ord("/"): "/",
    ord("b"): "\b",
    ord("f"): "\f",
    ord("n"): "\n",
    ord("r"): "\r",
    ord("t"): "\t",
}
_IDENTS = {b"n": (b"null", None), b"t": (b"true", True), b"f": (b"false", False)}


@dataclass(frozen=True, slots=True)
class Number:
    """A JSON number as it was written."""

    text: str

    @property
    def u64(self) -> int | None:
        """The value, when it is written as an integer from 0 to 2^64-1."""
        if not self.text.isdigit() or len(self.text) > len(str(U64_MAX)):
            return None
        value = int(self.text)
        return value if value <= U64_MAX else None


JsonValue: TypeAlias = "str | bool | Number | list[JsonValue] | dict[str, JsonValue] | None"


class JsonReader:
    """Reads one JSON document from the front to the back.

    `members` lets a caller read an object field by field, so that it can refuse a value before what
    follows it is looked at. Every method raises `JsonTextError` at the first wrong byte.
    """

    def __init__(self, text: str) -> None:
        self._bytes = text.encode("utf-8", "replace")
        self._at = 0
        self._depth = 0

    def value(self) -> JsonValue:
        """Read one value; of a key that an object holds twice, the last value counts."""
        start = self._peek()
        if start == b"{":
            return {key: self.value() for key in self.members()}
        if start == b"[":
            return self._list()
        if start == b'"':
            return self._string()
        if start in _IDENTS:
            return self._ident(*_IDENTS[start])
        if start == b"-" or start.isdigit():
            return self._number()
        raise self._refuse_next("expected value" if start else "EOF while parsing a value")

    def members(self) -> Iterator[str]:
        """Read an object: yields each key, after which the caller reads the key's value."""
        self._enter()
        first = True
        while (next_byte := self._peek()) != b"}":
            if not next_byte:
                raise self._refuse_next("EOF while parsing an object")
            if not first:
                next_byte = self._after_comma(next_byte, "expected `,` or `}`", b"}")
            if next_byte != b'"':
                raise self._refuse_next(
                    "key must be a string" if next_byte else "EOF while parsing a value"
                )
            first = False
            key = self._string()
            if (colon := self._peek()) != b":":
                raise self._refuse_next("expected `:`" if colon else "EOF while parsing an object")
            self._at += 1
            yield key
        self._leave()

    def end(self) -> None:
        """See that nothing but white space follows."""
        if self._peek():
            raise self._refuse_next("trailing characters")

    def peek(self) -> str:
        """The character at which the next value starts; empty at the end of the text."""
        return self._peek().decode("latin-1")

    def refuse(self, message: str) -> JsonTextError:
        """The error that says `message` about what was read last."""
        before = self._bytes[: self._at]
        line = before.count(b"\n") + 1
        column = len(before) - (before.rfind(b"\n") + 1)
        return JsonTextError(f"{message} at line {line} column {column}")

    def _refuse_next(self, message: str) -> JsonTextError:
        """The error that says `message` about the byte that comes next."""
        self._at = min(self._at + 1, len(self._bytes))
        return self.refuse(message)

    def _peek(self) -> bytes:
        """Skip white space and show the next byte, empty at the end."""
        data = self._bytes
        while self._at < len(data) and data[self._at] in _WHITE_SPACE:
            self._at += 1
        return data[self._at : self._at + 1]

    def _take(self, end_message: str) -> int:
        if self._at >= len(self._bytes):
            raise self.refuse(end_message)
        self._at += 1
        return self._bytes[self._at - 1]

    def _enter(self) -> None:
        self._depth += 1
        if self._depth > MAX_DEPTH:
            raise self._refuse_next("recursion limit exceeded")
        self._at += 1

    def _leave(self) -> None:
        self._depth -= 1
        self._at += 1

    def _after_comma(self, next_byte: bytes, expected: str, closing: bytes) -> bytes:
        if next_byte != b",":
            raise self._refuse_next(expected)
        self._at += 1
        next_byte = self._peek()
        if next_byte == closing:
            raise self._refuse_next("trailing comma")
        return next_byte

    def _list(self) -> list[JsonValue]:
        self._enter()
        items: list[JsonValue] = []
        while (next_byte := self._peek()) != b"]":
            if not next_byte:
                raise self._refuse_next("EOF while parsing a list")
            if items:
                self._after_comma(next_byte, "expected `,` or `]`", b"]")
            items.append(self.value())
        self._leave()
        return items

    def _ident(self, word: bytes, value: bool | None) -> bool | None:
        for expected in word:
            if self._take("EOF while parsing a value") != expected:
                raise self.refuse("expected ident")
        return value

    def _number(self) -> Number:
        found = _NUMBER.match(self._bytes, self._at)
        end = found.end() if found else self._at + 1
        # What the grammar leaves over tells how far a broken number was good.
        rest = self._bytes[end : end + 2]
        broken = not found or rest[:1] in (b".", b"e", b"E") or rest[:1].isdigit()
        if broken:
            self._at = end
            raise self._refuse_number(rest)
        text = self._bytes[self._at : end].decode()
        self._at = end
        if math.isinf(float(text)):
            raise self.refuse("number out of range")
        return Number(text)

    def _refuse_number(self, rest: bytes) -> JsonTextError:
        """A number that stops being one: after its sign, zero, point or exponent."""
        if rest[:1] in (b".", b"e", b"E"):
            self._at += 1
            if rest[:1] != b"." and rest[1:2] in (b"+", b"-"):
                self._at += 1
        if self._at >= len(self._bytes):
            return self.refuse("EOF while parsing a value")
        return self._refuse_next("invalid number")

    def _string(self) -> str:
        self._at += 1
        parts: list[str] = []
        while True:
            plain = _PLAIN.match(self._bytes, self._at)
            assert plain is not None, "the pattern matches the empty string"
            parts.append(plain.group().decode())
            self._at = plain.end()
            byte = self._take("EOF while parsing a string")
            if byte == ord('"'):
                return "".join(parts)
            if byte != ord("\\"):
                raise self.refuse(
                    "control character (\\u0000-\\u001F) found while parsing a string"
                )
            parts.append(self._escape())

    def _escape(self) -> str:
        byte = self._take("EOF while parsing a string")
        if byte in _ESCAPES:
            return _ESCAPES[byte]
        if byte != ord("u"):
            raise self.refuse("invalid escape")
        first = self._hex_escape()
        if 0xDC00 <= first <= 0xDFFF:
            raise self.refuse("lone leading surrogate in hex escape")
        if not 0xD800 <= first <= 0xDBFF:
            return chr(first)
        for expected in b"\\u":
            if self._take("EOF while parsing a string") != expected:
                raise self.refuse("unexpected end of hex escape")
        second = self._hex_escape()
        if not 0xDC00 <= second <= 0xDFFF:
            raise self.refuse("lone leading surrogate in hex escape")
        return chr(0x10000 + ((first - 0xD800) << 10) + (second - 0xDC00))

    def _hex_escape(self) -> int:
        digits = self._bytes[self._at : self._at + 4]
        self._at += len(digits)
        if len(digits) < 4:
            raise self.refuse("EOF while parsing a string")
        if not re.fullmatch(rb"[0-9A-Fa-f]{4}", digits):
            raise self.refuse("invalid escape")
        return int(digits, 16)


def kind(value: JsonValue) -> str:
    """Name a value as the reference does in ``invalid type: {kind}, expected u64``."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return f"boolean `{str(value).lower()}`"
    if isinstance(value, Number):
        return _number_kind(value)
    if isinstance(value, str):
        return f"string {_quoted(value)}"
    return "sequence" if isinstance(value, list) else "map"


def _number_kind(number: Number) -> str:
    if number.u64 is not None or _is_negative_i64(number.text):
        return f"integer `{number.text}`"
    # The reference holds any other number as a double and writes it without an exponent.
    written = format(Decimal(repr(float(number.text))), "f")
    return f"floating point `{written if '.' in written else f'{written}.0'}`"


def _is_negative_i64(text: str) -> bool:
    return bool(re.fullmatch(r"-[1-9]\d{0,18}", text)) and int(text) >= -(2**63)


def _quoted(text: str) -> str:
    named = {"\t": "\\t", "\r": "\\r", "\n": "\\n", '"': '\\"', "\\": "\\\\", "\0": "\\0"}
    return '"' + "".join(named.get(character, character) for character in text) + '"'
