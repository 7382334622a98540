"""The one line that stands for a deferred tool."""

from __future__ import annotations

import re

MAX_CODE_POINTS = 140

SCRIPT_WHITE_SPACE = "\t\n\v\f\r \xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff"
r"""What `\s` matches in JavaScript, as the inside of a character class. Python's differs."""

_RUN = re.compile(f"[{SCRIPT_WHITE_SPACE}]+")


def preview(description: str) -> str:
    """`description` on one line, at most 140 code points, cut without a mark.

    White space is collapsed before the cut, so the result can end in a space.
    """
    return _RUN.sub(" ", description).strip(" ")[:MAX_CODE_POINTS]
