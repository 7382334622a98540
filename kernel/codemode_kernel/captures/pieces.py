"""Reads a capture piece by piece, with whole characters in each."""

from __future__ import annotations

from dataclasses import dataclass

from codemode_kernel.captures.merged import Readable


@dataclass(frozen=True)
class Piece:
    """A part of the text of a capture."""

    text: str
    next_offset: int | None
    """First byte of the next one; None at the end."""


def read_piece(capture: Readable, offset: int, limit: int) -> Piece:
    """The piece from byte `offset` of at most `limit` bytes, which are 4 or more.

    Blocks, and raises `OSError`.
    """
    # One byte more than is asked for tells whether this is the end.
    data = capture.read(offset, limit + 1)
    is_end = len(data) <= limit
    whole = data if is_end else _whole_characters(data[:limit])
    return Piece(whole.decode("utf-8", "replace"), None if is_end else offset + len(whole))


def _whole_characters(data: bytes) -> bytes:
    """`data` without the beginning of a character that its end cuts; it has at least four bytes."""
    for cut in range(1, 4):
        if data[-cut] & 0xC0 == 0xC0:  # the first byte of a longer character
            length = 2 + (data[-cut] >= 0xE0) + (data[-cut] >= 0xF0)
            return data if length == cut else data[:-cut]
        if data[-cut] < 0x80:
            break
    return data
