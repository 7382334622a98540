"""JavaScript source cut into tokens: enough of the grammar to find things in code and not in text."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

_TOKEN = re.compile(
    r"""
    (?P<space>\s+|//[^\n\r\u2028\u2029]*|/\*.*?\*/)
  | (?P<string>"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')
  | (?P<word>[\w$\u0080-\U0010ffff]+)
  | (?P<mark>=>|\?\.(?!\d)|.)
    """,
    re.VERBOSE | re.DOTALL,
)
_REGEX = re.compile(r"/(?![*/])(?:[^/\\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+/\w*")
_TEMPLATE_PART = re.compile(r"(?:[^`\\$]|\\.|\$(?!\{))*(`|\$\{)?", re.DOTALL)

# A slash after one of these divides nothing: it begins a regular expression.
_OPERATORS = frozenset([*"([{},;=:?!&|+-*%~^<>/", "=>"])
KEYWORDS = frozenset(
    """
    await case delete do else if in instanceof new of return switch throw typeof void while with
    yield for catch
    """.split()  # noqa: SIM905 - a list of forty strings reads worse
)


class Token(NamedTuple):
    """A word, a string, a mark, or a piece of a template up to `${` or from `}`."""

    start: int
    text: str

    @property
    def end(self) -> int:
        return self.start + len(self.text)


def tokens(source: str) -> Iterator[Token]:
    """The tokens of `source`, without white space and comments."""
    place, before = 0, ""
    substitutions: list[int] = []  # for each template around us, how many braces are open in it
    while place < len(source):
        match = _TOKEN.match(source, place)
        assert match is not None
        text = match[0]
        if text == "/" and (before == "" or before in _OPERATORS or before in KEYWORDS):
            text = (_REGEX.match(source, place) or match)[0]
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
        if match["space"] is None:
            yield Token(place, text)
            before = "{" if text.endswith("${") else text
        place += len(text)


def is_word(text: str) -> bool:
    """Whether a token is a name, a keyword or a number."""
    return text[0].isalnum() or text[0] in "$_" or text[0] > "\x7f"
