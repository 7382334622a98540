"""What is still open at the end of a text: brackets, a quote, a comment.

Reads tokens, not syntax: brackets and quotes are what a parser needs to be given before it can make
sense of the rest.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

CLOSERS = {"(": ")", "[": "]", "{": "}", "${": "}`"}

COMMENT = "//"
REGEX = "/"
TEMPLATE = "`"

_TOKEN = re.compile(
    r"""
    (?P<comment> //[^\n]* | /\*.*?(?:\*/|\Z) )
    | (?P<string> "(?:[^"\\\n]|\\.|\\\Z)*"? | '(?:[^'\\\n]|\\.|\\\Z)*'? )
    | (?P<template> ` )
    | (?P<open> [(\[{] )
    | (?P<close> [)\]}] )
    | (?P<word> [\w$]+ )
    | (?P<slash> / )
    | (?P<other> \S )
    """,
    re.DOTALL | re.VERBOSE,
)
_TEMPLATE_PART = re.compile(r"(?:[^`\\$]|\\.|\\\Z|\$(?!\{))*(?P<end>`|\$\{)?", re.DOTALL)
_REGEX = re.compile(r"/(?:[^/\\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+(?P<end>/)?")
_BEFORE_OPERAND = frozenset(
    [
        "await",
        "case",
        "delete",
        "do",
        "else",
        "in",
        "instanceof",
        "new",
        "of",
        "return",
        "throw",
        "typeof",
        "void",
        "yield",
    ]
)


@dataclass(frozen=True)
class Unfinished:
    """What a text leaves open."""

    brackets: tuple[str, ...]
    """Outermost first; `${` for the code part of a template."""
    inside: str = ""
    """A quote, TEMPLATE, COMMENT or REGEX when the text ends within one."""
    start: int = 0
    """Where what it is inside of begins: its quote."""

    @property
    def is_quoted(self) -> bool:
        """Whether the text ends within a string."""
        return self.inside in ('"', "'")

    @property
    def closers(self) -> str:
        """What closes every bracket."""
        return "".join(CLOSERS[bracket] for bracket in reversed(self.brackets))


def unfinished(text: str) -> Unfinished:
    """What `text` leaves open at its end."""
    return _Reader(text).read()


class _Reader:
    def __init__(self, text: str) -> None:
        self._text = text
        self._at = 0
        self._brackets: list[str] = []
        self._previous = ""
        """The last token, for telling a division from a regular expression."""

    def read(self) -> Unfinished:
        while found := _TOKEN.search(self._text, self._at):
            kind, token = found.lastgroup, found[0]
            self._at = found.end()
            inside = ""
            if kind == "comment":
                inside = self._comment(token)
            elif kind == "string":
                inside = self._string(token)
            elif kind == "template":
                inside = self._template()
            elif kind == "slash" and self._is_before_operand():
                inside = self._regex(found.start())
            elif kind == "open":
                self._brackets.append(token)
            elif kind == "close":
                inside = self._close(token)
            if inside:
                return Unfinished(tuple(self._brackets), inside, found.start())
            if kind != "comment":
                self._previous = token
        return Unfinished(tuple(self._brackets))

    def _comment(self, token: str) -> str:
        is_last = self._at == len(self._text)
        closed = token.startswith("/*") and len(token) >= 4 and token.endswith("*/")
        return COMMENT if is_last and not closed else ""

    def _string(self, token: str) -> str:
        closed = len(token) > 1 and token[-1] == token[0] and not _is_escaped(token)
        return token[0] if self._at == len(self._text) and not closed else ""

    def _template(self) -> str:
        part = _TEMPLATE_PART.match(self._text, self._at)
        assert part, "it matches the empty text, too"
        self._at = part.end()
        if part["end"] == "${":
            self._brackets.append("${")
            return ""
        return "" if part["end"] else TEMPLATE

    def _regex(self, start: int) -> str:
        found = _REGEX.match(self._text, start)
        if found is None:
            return REGEX if start + 1 == len(self._text) else ""
        if found["end"] or found.end() == len(self._text):
            self._at = found.end()
            return "" if found["end"] else REGEX
        return ""

    def _close(self, token: str) -> str:
        if not self._brackets or not CLOSERS[self._brackets[-1]].startswith(token):
            return ""  # a stray one opens nothing
        return self._template() if self._brackets.pop() == "${" else ""

    def _is_before_operand(self) -> bool:
        previous = self._previous
        if not previous or previous in _BEFORE_OPERAND:
            return True
        return not (previous[-1].isalnum() or previous[-1] in "_$)]}\"'`")


def _is_escaped(token: str) -> bool:
    """Whether the last character of `token` belongs to an escape."""
    body = token[1:-1]
    return (len(body) - len(body.rstrip("\\"))) % 2 == 1
