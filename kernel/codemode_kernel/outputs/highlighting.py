"""Colours for TypeScript inside a text, in those of JupyterLab's own theme."""

from __future__ import annotations

import re
from html import escape

_FENCE = re.compile(r"(?<=```ts\n)(.*?)(?=\n```)", re.DOTALL)

_COLOURS = (
    ("Comment", "--jp-mirror-editor-comment-color", "#408080"),
    ("Keyword", "--jp-mirror-editor-keyword-color", "#008000"),
    ("Literal.String", "--jp-mirror-editor-string-color", "#ba2121"),
    ("Literal.Number", "--jp-mirror-editor-number-color", "#0550ae"),
)
"""Kind of token, the theme's variable for it, and the colour where there is no theme."""


def described_html(text: str) -> str:
    """`text` letter by letter, with the blocks fenced as `ts` in colour."""
    parts = _FENCE.split(text)
    body = "".join(_coloured(part) if at % 2 else escape(part) for at, part in enumerate(parts))
    return f'<pre style="white-space: pre-wrap">{body}</pre>'


def _coloured(code: str) -> str:
    # A hundred lexers come with it: loaded when somebody reads a declaration.
    from pygments.lexers.javascript import TypeScriptLexer

    lexer = TypeScriptLexer(stripnl=False, ensurenl=False)
    return "".join(_span(str(kind), value) for kind, value in lexer.get_tokens(code))


def _span(kind: str, value: str) -> str:
    for name, variable, fallback in _COLOURS:
        if kind.startswith(f"Token.{name}"):
            return f'<span style="color: var({variable}, {fallback})">{escape(value)}</span>'
    return escape(value)
