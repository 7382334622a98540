"""The beginning of a text, for a place with little room."""

from __future__ import annotations


def shortened(text: str, limit: int) -> str:
    """`text`, of which a dot dot dot stands for what is past `limit` characters."""
    return text if len(text) <= limit else f"{text[:limit]}…"
