"""Prepares the media of one observation for a model, while the cell goes on."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from codemode_rules.budget import audio_tokens

from toolbridge.media.admission import Admission, MediaRefusedError
from toolbridge.media.notices import (
    LARGE_AUDIO,
    LARGE_IMAGE,
    LOW_DETAIL,
    NO_AUDIO_INPUT,
    UNPROCESSABLE_AUDIO,
    UNPROCESSABLE_IMAGE,
    UNSUPPORTED_AUDIO,
)
from toolbridge.media.rules import Hearing, MediaRules

if TYPE_CHECKING:
    from toolbridge.media.decoders import Decoded, Decoders

SETTLE_S = 60.0
"""How long the end of an observation waits for its images, in seconds."""

AT_A_TIME = 2
"""Images of one observation that are decoded side by side."""

WORTH_A_PROCESS = 64 * 1024
"""Characters of base64 from which an image is worth the start of a second process."""

HEARD_FORMATS = frozenset({"wav", "x-wav", "wave", "vnd.wave", "mpeg", "mp3", "mp4", "m4a", "x-m4a", "webm", "ogg"})  # fmt: skip
"""Subtypes of `audio/` that a model with audio input takes."""


@dataclass(eq=False, slots=True)
class Slot:
    """The place of one image or sound in an output."""

    url: str
    """What a model gets, unless there is a notice."""
    detail: str | None = None
    """Of an image; None: a model is told none."""
    notice: str | None = None
    """The text that a model gets instead."""
    audio_tokens: int | None = None
    """What a sound costs; None for an image, which is free."""
    sha256: str | None = None
    """Of the image as the cell emitted it, in hex; None while it is not known."""
    emitted_type: str = ""
    """Media type under which the cell emitted it."""
    emitted_bytes: int = 0
    """Its size then; what a model gets may be smaller."""


def image_slot(url: str, detail: str | None) -> Slot:
    """The place of an image that a model gets as it was emitted."""
    return Slot(url, detail)


def audio_slot(url: str) -> Slot:
    """The place of a sound that a model gets as it was emitted."""
    return Slot(url, audio_tokens=audio_tokens(url))


@dataclass(frozen=True)
class _Job:
    slot: Slot
    payload: str
    asked_detail: str | None


class ObservationMedia:
    """The media of one exec or wait. Give it every image and sound, and settle it at the end."""

    def __init__(self, rules: MediaRules, decoders: Callable[[], Decoders]) -> None:
        """`decoders` gives the processes; it is called when there is an image."""
        self._rules = rules
        self._decoders = decoders
        self._admission = Admission(rules)
        self._waiting: deque[_Job] = deque()
        self._workers: set[asyncio.Task[None]] = set()

    def image(self, url: str, detail: str | None) -> Slot:
        """Take an image; work on it begins."""
        slot = Slot(url, self._rules.detail_for(detail))
        if detail == "low" and not self._rules.takes_low:
            slot.notice = LOW_DETAIL
            return slot
        try:
            parsed = self._admission.admit(url)
        except MediaRefusedError as error:
            slot.notice = LARGE_IMAGE if error.is_too_large else UNPROCESSABLE_IMAGE
        else:
            slot.emitted_type = parsed.media_type.lower()
            slot.notice = UNPROCESSABLE_IMAGE  # until it is known to be fine
            self._waiting.append(_Job(slot, parsed.payload, detail))
            self._engage(len(parsed.payload))
        return slot

    def audio(self, url: str) -> Slot:
        """Take a sound. It is not decoded: only WAV is measured, and that by arithmetic."""
        slot = audio_slot(url)
        slot.notice = self._audio_notice(url)
        return slot

    def _audio_notice(self, url: str) -> str | None:
        if self._rules.hearing is Hearing.NONE:
            return NO_AUDIO_INPUT
        try:
            parsed = self._admission.admit(url)
        except MediaRefusedError as error:
            return LARGE_AUDIO if error.is_too_large else UNPROCESSABLE_AUDIO
        kind, _, subtype = parsed.media_type.lower().partition("/")
        is_known = kind == "audio" and subtype in HEARD_FORMATS
        if self._rules.hearing is Hearing.KNOWN_FORMATS and not is_known:
            return UNSUPPORTED_AUDIO
        return None

    async def settle(self, timeout_s: float = SETTLE_S) -> None:
        """Wait until every image is prepared; one that takes longer keeps its notice."""
        if self._workers:
            workers = list(self._workers)
            await asyncio.wait(workers, timeout=timeout_s)
            self.cancel()
            await asyncio.gather(*workers, return_exceptions=True)

    def cancel(self) -> None:
        """Give up what is not prepared yet."""
        self._waiting.clear()
        for worker in self._workers:
            worker.cancel()

    def _engage(self, size: int) -> None:
        if not self._workers or (size >= WORTH_A_PROCESS and len(self._workers) < AT_A_TIME):
            worker = asyncio.get_running_loop().create_task(self._work())
            self._workers.add(worker)
            worker.add_done_callback(self._workers.discard)

    async def _work(self) -> None:
        await asyncio.sleep(
            0
        )  # taking the items over has held the loop up, and so does what follows
        while self._waiting:
            job = self._waiting.popleft()
            limits = self._rules.limits_for(job.asked_detail)
            decoded = await self._decoders().decode(job.payload, limits)
            if decoded is not None:
                self._show(job, decoded)

    def _show(self, job: _Job, decoded: Decoded) -> None:
        """Put what a model gets in the slot, under its true media type and with whole padding."""
        slot = job.slot
        slot.sha256, slot.emitted_bytes = decoded.sha256, decoded.size
        payload = decoded.payload
        if payload is None:
            payload = job.payload + "=" * (-len(job.payload) % 4)
        else:
            try:
                self._admission.exchange(job.payload, payload)
            except MediaRefusedError:
                slot.notice = LARGE_IMAGE
                return
        slot.url = f"data:{decoded.media_type};base64,{payload}"
        slot.notice = None


class MediaPreparation:
    """Prepares media by the rules for one model; its processes serve all observations."""

    def __init__(self, rules: MediaRules) -> None:
        self.rules = rules
        self._in_use: Decoders | None = None

    def begin(self) -> ObservationMedia:
        """For one exec or wait."""
        return ObservationMedia(self.rules, self._decoders)

    async def close(self) -> None:
        """End the processes."""
        if self._in_use is not None:
            await self._in_use.close()

    def _decoders(self) -> Decoders:
        from toolbridge.media.decoders import Decoders

        if self._in_use is None:
            self._in_use = Decoders()
        return self._in_use
