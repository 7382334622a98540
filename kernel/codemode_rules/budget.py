"""How much of an output a model sees (model view 6, contract 2.4).

A token is four bytes of UTF-8, rounded up. An output that is all text is judged as one document; an
output with media item by item. Both rules work on a stream and remember no more than they may show.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import dropwhile
from operator import not_

from codemode_rules.wav import clip_seconds

BYTES_PER_TOKEN = 4
AUDIO_TOKENS_PER_SECOND = 10
DEFAULT_MAX_TOKENS = 10_000
PROMPT_MAX_TOKENS = 12_000
"""Bound of every tool output on its way into the prompt, header included."""

FRAME_TOKENS = 64 * 1024 * 1024 // BYTES_PER_TOKEN
"""Text of one whole frame of the wire: no larger budget makes a difference (contract 11.1)."""


def tokens(size: int) -> int:
    """Estimated tokens of `size` bytes."""
    return -(-size // BYTES_PER_TOKEN)


def audio_tokens(audio_url: str) -> int:
    """Cost of an audio item: by its length, or as text where that cannot be measured."""
    seconds = clip_seconds(audio_url)
    if seconds is None:
        return tokens(len(audio_url.encode()))
    return math.ceil(seconds * AUDIO_TOKENS_PER_SECOND)


def cut(text: str, max_tokens: int) -> str:
    """Take the middle out of a text; one that fits stays as it is."""
    ends = TextEnds(max_tokens)
    ends.add(text.encode())
    return text if ends.fits(max_tokens) else ends.cut(max_tokens)


def truncate(text: str, max_tokens: int) -> str:
    """Bound one text by the rule for outputs that are all text: warning, line count, `cut`."""
    joined = JoinedText(max_tokens)
    joined.add(text.encode())
    return text if joined.fits else joined.truncated()


class TextEnds:
    """The two ends of a text of any length, enough to cut it to at most `max_tokens`."""

    def __init__(self, max_tokens: int) -> None:
        self.size = 0
        """Bytes of the whole text."""
        self._keep = max_tokens * BYTES_PER_TOKEN // 2
        self._head = bytearray()
        self._tail = bytearray()

    def add(self, data: bytes) -> None:
        """Append UTF-8; characters may not be split between calls."""
        self.size += len(data)
        missing = self._keep - len(self._head)
        if missing > 0:
            self._head += data[:missing]
        self._tail += data[max(0, len(data) - self._keep) :]
        # Trimmed at twice the size, so that each byte is moved at most once.
        if len(self._tail) > 2 * self._keep:
            self._trim()

    def fits(self, max_tokens: int) -> bool:
        """Whether the text needs no cut."""
        return self.size <= max_tokens * BYTES_PER_TOKEN

    def cut(self, max_tokens: int) -> str:
        """Both ends within the budget, shrunk to whole characters, round a marker."""
        budget = max_tokens * BYTES_PER_TOKEN
        self._trim()
        head = self._head[: budget // 2]
        tail = self._tail[max(0, len(self._tail) - budget // 2) :]
        # Decoding drops the parts of a character on the edge: nothing else can be wrong in there.
        return (
            f"{head.decode('utf-8', 'ignore')}"
            f"…{tokens(self.size - budget)} tokens truncated…"
            f"{tail.decode('utf-8', 'ignore')}"
        )

    def _trim(self) -> None:
        del self._tail[: max(0, len(self._tail) - self._keep)]


class JoinedText:
    """The rule for outputs that are all text: one document, an item a line."""

    def __init__(self, max_tokens: int) -> None:
        self._max_tokens = min(max_tokens, FRAME_TOKENS)
        self._ends = TextEnds(self._max_tokens)
        self._newlines = 0
        self._line_is_open = False

    def add(self, *items: bytes) -> None:
        """Append items as UTF-8."""
        if self._ends.size:
            self._append(b"\n" + b"\n".join(items))
        elif data := b"\n".join(dropwhile(not_, items)):
            self._append(data)

    @property
    def tokens(self) -> int:
        """Tokens of the whole document."""
        return tokens(self._ends.size)

    @property
    def fits(self) -> bool:
        """Whether the items stay as they were."""
        return self._ends.fits(self._max_tokens)

    def truncated(self) -> str:
        """The one text that replaces all items when they do not fit."""
        return (
            f"Warning: truncated output (original token count: {tokens(self._ends.size)})\n"
            f"Total output lines: {self._newlines + self._line_is_open}\n\n"
            f"{self._ends.cut(self._max_tokens)}"
        )

    def _append(self, data: bytes) -> None:
        self._ends.add(data)
        self._newlines += data.count(b"\n")
        self._line_is_open = not data.endswith(b"\n")


class ItemBudget:
    """The rule for outputs with media: items in order, each from what is left of the budget."""

    def __init__(self, max_tokens: int) -> None:
        self.left = max_tokens
        """Tokens that the items to come may have."""
        self.asked = 0
        """Tokens of all items so far, kept or not."""
        self.taken = 0
        """Tokens of what was kept of them."""
        self.texts_omitted = 0
        """Texts left out so far; whoever leaves some out in advance counts them in."""
        self.audio_omitted = 0
        """Clips left out so far."""

    def take_text(self, size: int) -> int:
        """Tokens that a text of `size` bytes may show: all it has, fewer, or 0 to leave it out.

        Empty texts are dropped before the rule applies.
        """
        taken = self._take(tokens(size), min(tokens(size), self.left))
        self.texts_omitted += not taken
        return taken

    def omit_texts(self, sizes: Sequence[int]) -> None:
        """Leave out texts of `sizes` bytes, once nothing is left of the budget."""
        self.asked += sum(map(tokens, sizes))
        self.texts_omitted += len(sizes)

    def take_audio(self, cost: int) -> bool:
        """Whether a clip of `cost` tokens is kept; one too long leaves the budget to the rest."""
        kept = cost <= self.left
        self._take(cost, cost * kept)
        self.audio_omitted += not kept
        return kept

    def omissions(self) -> list[str]:
        """The texts that follow the items and say what was left out."""
        counts = {"text": self.texts_omitted, "audio": self.audio_omitted}
        return [f"[omitted {n} {kind} items ...]" for kind, n in counts.items() if n]

    def _take(self, asked: int, taken: int) -> int:
        self.asked += asked
        self.taken += taken
        self.left -= taken
        return taken
