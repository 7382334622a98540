"""The names under which tools are called from a script (contract 8.1)."""

from __future__ import annotations

import re

_REFUSED = re.compile(r"^[^A-Za-z_$]|(?<!^)[^A-Za-z0-9_$]", re.DOTALL)


def normalise(name: str) -> str:
    """Turn a raw tool name into an ASCII identifier, one underscore for each refused code point.

    Different names may become the same identifier; what then counts is the caller's business.
    """
    return _REFUSED.sub("_", name) or "_"
