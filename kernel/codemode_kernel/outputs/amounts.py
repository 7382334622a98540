"""Amounts in words: lengths of time and sizes."""

from __future__ import annotations


def duration(seconds: float) -> str:
    """A length of time in words, such as `12 s` or `3 min 5 s`."""
    if seconds < 60:
        return f"{seconds:.0f} s"
    minutes, rest = divmod(int(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h {minutes} min" if hours else f"{minutes} min {rest} s"


def byte_count(count: int) -> str:
    """A size in words, such as `79 bytes` or `1.5 MB`."""
    if count < 1024:
        return f"{count} bytes"
    if count < 1024 * 1024:
        return f"{count / 1024:.0f} kB"
    return f"{count / (1024 * 1024):.1f} MB"
