"""What a model gets for one observation: header, items, truncation (model view 2 and 6).

Theory: whether the rule for all-text outputs or the one for outputs with media applies is known
only at the end, and so is the header, while items come one by one and never stop with an endless
printer. So both rules are followed side by side, each in bounded memory, and the first image or
audio item ends the one for text.
"""

from __future__ import annotations

import ctypes
import math
from collections.abc import Sequence

from codemode_host.wire import AudioItem, ContentItem, ImageItem, TextItem
from codemode_rules.budget import (
    DEFAULT_MAX_TOKENS,
    PROMPT_MAX_TOKENS,
    ItemBudget,
    JoinedText,
    cut,
    tokens,
)
from toolbridge.media import ObservationMedia, Slot, audio_slot, image_slot

from codemode_kernel.model_view.prompt_items import PromptItems
from codemode_kernel.session.observation import ModelOutput, OutputSize, Status


def header(status: Status, cell_id: str, wall_time_s: float) -> str:
    """The first item of every result; `cell_id` shows in a running cell's only."""
    line = f"running with cell ID {cell_id}" if status is Status.RUNNING else status.value
    return f"Script {line}\nWall time {_tenths(wall_time_s)} seconds\nOutput:\n"


def prompt_text(text: str, prompt_max_tokens: int = PROMPT_MAX_TOKENS) -> str:
    """An output that is a string, such as a notification or a bare error, as it is prompted."""
    return cut(text, prompt_max_tokens)


class ModelView:
    """Gathers the items of one observation and makes the model's output of them.

    Memory is bounded by the budget, by what the prompt lets through and by a frame's worth of media,
    however much is added.
    """

    def __init__(
        self,
        max_tokens: int = DEFAULT_MAX_TOKENS,
        media: ObservationMedia | None = None,
        prompt_max_tokens: int = PROMPT_MAX_TOKENS,
    ) -> None:
        """`max_tokens`: the budget of this exec or wait.

        `prompt_max_tokens` bounds the output once more, on its way into the prompt; a transcript
        may hold what came before that, which `FRAME_TOKENS` gives.

        `media` prepares images and sounds; it is settled before `finish`. Without it a model gets
        them as they were emitted.
        """
        self._media = media
        self.size = OutputSize(0, 0, truncated=False)
        """Of the output that `finish` gave."""
        self.shown_media: Sequence[Slot] = ()
        """Its images and sounds, in its order."""
        self._is_empty = True
        self._prompt_max_tokens = prompt_max_tokens
        self._text_alone: _TextAlone | None = _TextAlone(max_tokens, prompt_max_tokens)
        self._with_media = _WithMedia(max_tokens, prompt_max_tokens)

    def add(self, *items: ContentItem) -> None:
        """Append the next items."""
        texts: list[str] = []
        for item in items:
            self._is_empty = False
            if isinstance(item, TextItem):
                texts.append(item.text)
                continue
            self._add_texts(texts)
            texts.clear()
            self._with_media.add_media(self._place(item))
            self._text_alone = None
        self._add_texts(texts)

    def _add_texts(self, texts: Sequence[str]) -> None:
        """Append texts that follow each other; a call for each would cost more than they do."""
        data = [text.encode() for text in texts]
        self._with_media.add_texts(texts, [len(encoded) for encoded in data])
        if self._text_alone and texts:
            self._text_alone.add(texts, data)

    def _place(self, item: ImageItem | AudioItem) -> Slot:
        """The place of an image or a sound, on which work begins."""
        if isinstance(item, ImageItem):
            place = self._media.image if self._media else image_slot
            return place(item.image_url, item.detail)
        return (self._media.audio if self._media else audio_slot)(item.audio_url)

    def finish(
        self, status: Status, cell_id: str, wall_time_s: float, error_text: str | None = None
    ) -> ModelOutput:
        """The output: the header alone as a string, or the list of header and items.

        `error_text` is the script's error and becomes the last item.
        """
        if error_text is not None:
            self.add(TextItem(f"Script error:\n{error_text}"))
        first = header(status, cell_id, wall_time_s)
        if self._is_empty:
            return prompt_text(first, self._prompt_max_tokens)
        rule = self._text_alone or self._with_media
        items = rule.items()
        output = items.after(first)
        self.shown_media = items.shown_media
        shown = rule.shown if items.taken is None else min(rule.shown, items.taken)
        truncated = rule.shown < rule.emitted or items.taken is not None
        self.size = OutputSize(rule.emitted, shown, truncated)
        return output


class _TextAlone:
    """The output as long as all items are text."""

    def __init__(self, max_tokens: int, prompt_max_tokens: int) -> None:
        self._max_tokens = max_tokens
        self._prompt_max_tokens = prompt_max_tokens
        self._joined = JoinedText(max_tokens)
        self._as_they_were: PromptItems | None = PromptItems(prompt_max_tokens)

    def add(self, texts: Sequence[str], data: Sequence[bytes]) -> None:
        self._joined.add(*data)
        if not self._joined.fits:
            self._as_they_were = None
        elif self._as_they_were:
            for text, encoded in zip(texts, data, strict=True):
                self._as_they_were.add_text(text, len(encoded))

    @property
    def emitted(self) -> int:
        return self._joined.tokens

    @property
    def shown(self) -> int:
        return min(self._joined.tokens, self._max_tokens)

    def items(self) -> PromptItems:
        if self._as_they_were:
            return self._as_they_were
        one_text = self._joined.truncated()
        items = PromptItems(self._prompt_max_tokens)
        items.add_text(one_text, len(one_text.encode()))
        return items


class _WithMedia:
    """The output if there is an image or audio among the items."""

    def __init__(self, max_tokens: int, prompt_max_tokens: int) -> None:
        self._budget = ItemBudget(max_tokens)
        self._items = PromptItems(prompt_max_tokens)

    def add_texts(self, texts: Sequence[str], sizes: Sequence[int]) -> None:
        if not self._budget.left:
            self._budget.omit_texts([size for size in sizes if size])
            return
        for text, size in zip(texts, sizes, strict=True):
            if size:
                self._add_text(text, size)

    def _add_text(self, text: str, size: int) -> None:
        taken = self._budget.take_text(size)
        if taken == tokens(size):
            self._items.add_text(text, size)
        elif taken:
            self._add(cut(text, taken))

    def add_media(self, slot: Slot) -> None:
        if slot.audio_tokens is None or self._budget.take_audio(slot.audio_tokens):
            self._items.add_media(slot)

    @property
    def emitted(self) -> int:
        return self._budget.asked

    @property
    def shown(self) -> int:
        return self._budget.taken

    def items(self) -> PromptItems:
        for notice in self._budget.omissions():
            self._add(notice)
        return self._items

    def _add(self, text: str) -> None:
        self._items.add_text(text, len(text.encode()))


def _tenths(seconds: float) -> str:
    """One decimal, rounded half away from zero in single precision (contract 2.2)."""
    single = ctypes.c_float(seconds).value
    return f"{math.floor(ctypes.c_float(single * 10).value + 0.5) / 10:.1f}"
