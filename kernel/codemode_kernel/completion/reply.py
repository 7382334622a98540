"""The content of a `complete_reply`."""

from __future__ import annotations

from typing import Any

from codemode_kernel.completion.magic_lines import is_pragma, magic_offers, pragma_offers
from codemode_kernel.completion.offers import Offers
from codemode_kernel.completion.script import script_offers
from codemode_kernel.completion.surroundings import Surroundings

MAX_MATCHES = 500
"""What a front end is given at most."""


def complete_reply(code: str, cursor: int, surroundings: Surroundings) -> dict[str, Any]:
    """What can be typed at `cursor` of a notebook cell; positions count code points."""
    cursor = max(0, min(cursor, len(code)))
    found = _offers(code, cursor, surroundings)
    start = cursor - len(found.typed)
    matches = found.matching()[:MAX_MATCHES]
    types = [
        {
            "start": start,
            "end": cursor,
            "text": offer.text,
            "type": offer.kind,
            "signature": offer.signature,
        }
        for offer in matches
    ]
    return {
        "matches": [offer.text for offer in matches],
        "cursor_start": start,
        "cursor_end": cursor,
        "metadata": {"_jupyter_types_experimental": types},
        "status": "ok",
    }


def _offers(code: str, cursor: int, surroundings: Surroundings) -> Offers:
    if code.startswith("%"):
        return magic_offers(code, cursor, surroundings)
    if is_pragma(code, cursor):
        return pragma_offers(code, cursor, surroundings)
    return script_offers(code, cursor, surroundings)
