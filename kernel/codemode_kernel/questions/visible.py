"""Text that is safe to be read on a screen by whoever has to decide about it."""

from __future__ import annotations


def visible(text: str) -> str:
    """`text` with everything escaped that could make it look like something else."""
    return "".join(
        char if char.isprintable() else char.encode("unicode_escape").decode() for char in text
    )
