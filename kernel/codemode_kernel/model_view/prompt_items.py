"""Items on their way into the prompt, where every tool output is bounded once more.

Theory: the bound counts the header, and the header is known only when the observation ends. So the
items are kept until then, but no more of them than the bound can let through: texts that come after
it is spent are counted, the one text on the edge keeps its two ends.
"""

from __future__ import annotations

from typing import Any, TypeAlias

from codemode_rules.budget import BYTES_PER_TOKEN, ItemBudget, TextEnds, cut, tokens
from toolbridge.media import Slot

PromptItem: TypeAlias = dict[str, Any]
"""A content item as a model gets it: `input_text`, `input_image` or `input_audio`."""

MAX_MEDIA_BYTES = 64 * 1024 * 1024
"""Media of one output: what a frame of the wire can hold at most."""

MEDIA_ITEM_BYTES = 256
"""What a media item takes beside its URL, so that tiny ones cannot add up either."""


class PromptItems:
    """The items of one output; its memory is bounded by `max_tokens` and `MAX_MEDIA_BYTES`."""

    def __init__(self, max_tokens: int) -> None:
        self._max_tokens = max_tokens
        self._items: list[str | TextEnds | Slot] = []
        self._text_left = max_tokens
        self._texts_beyond = 0
        self._media_bytes = 0
        self._media_beyond = 0
        self.shown_media: list[Slot] = []
        """The images and sounds of the output, in its order; set by `after`."""
        self.taken: int | None = None
        """Tokens that the bound let through, the header left out, if that was not everything; set
        by `after`."""

    def add_text(self, text: str, size: int) -> None:
        """Append a text of `size` bytes; an empty one is dropped."""
        if not size:
            return
        if not self._text_left:
            self._texts_beyond += 1
            return
        self._text_left = max(0, self._text_left - tokens(size))
        if size > self._max_tokens * BYTES_PER_TOKEN:
            ends = TextEnds(self._max_tokens)
            ends.add(text.encode())
            self._items.append(ends)
        else:
            self._items.append(text)

    def add_media(self, slot: Slot) -> None:
        """Append an image or a clip."""
        size = len(slot.url) + MEDIA_ITEM_BYTES
        if self._media_bytes + size > MAX_MEDIA_BYTES:
            self._media_beyond += 1
            return
        self._media_bytes += size
        self._items.append(slot)

    def after(self, header: str) -> list[PromptItem]:
        """The output: the header and what the bound lets through.

        An image that became a notice counts as the text it is now, a sound as what it was.
        """
        budget = ItemBudget(self._max_tokens)
        shown: list[PromptItem] = []
        for item in (header, *self._items):
            if isinstance(item, Slot) and item.audio_tokens is not None:
                if budget.take_audio(item.audio_tokens):
                    shown.append(self._shown(item))
            elif isinstance(item, Slot) and item.notice is None:
                shown.append(self._shown(item))
            elif text := _bounded(_text_of(item), budget):
                shown.append(_text_item(text))
        budget.texts_omitted += self._texts_beyond
        if budget.taken < budget.asked or self._texts_beyond or self._media_beyond:
            self.taken = max(0, budget.taken - tokens(len(header.encode())))
        notices = budget.omissions()
        if self._media_beyond:
            notices.append(f"[omitted {self._media_beyond} media items ...]")
        return shown + [_text_item(notice) for notice in notices]

    def _shown(self, slot: Slot) -> PromptItem:
        if slot.notice is not None:
            return _text_item(slot.notice)
        self.shown_media.append(slot)
        if slot.audio_tokens is not None:
            return {"type": "input_audio", "audio_url": slot.url}
        detail = {} if slot.detail is None else {"detail": slot.detail}
        return {"type": "input_image", "image_url": slot.url, **detail}


def _bounded(text: str | TextEnds, budget: ItemBudget) -> str:
    size = text.size if isinstance(text, TextEnds) else len(text.encode())
    taken = budget.take_text(size)
    if not taken:
        return ""
    return text.cut(taken) if isinstance(text, TextEnds) else cut(text, taken)


def _text_of(item: str | TextEnds | Slot) -> str | TextEnds:
    return item.notice or "" if isinstance(item, Slot) else item


def _text_item(text: str) -> PromptItem:
    return {"type": "input_text", "text": text}
