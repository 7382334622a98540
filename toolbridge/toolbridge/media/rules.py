"""What a model may get of images and sounds: per profile and model (DESIGN.md, profiles)."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from codemode_rules.image_size import HIGH, ORIGINAL, ImageLimits

from toolbridge.prompt.model_facts import UNKNOWN, ModelFacts

MEBIBYTE = 1024 * 1024


class ShownDetail(StrEnum):
    """What stands beside an image as its detail."""

    NONE = "none"
    ORIGINAL = "original"
    """Whatever the script asked for."""
    ASKED = "asked"
    """What the script asked for, as far as the model can take it."""


class Hearing(StrEnum):
    """What becomes of sounds."""

    ALL = "all"
    """They are kept, whatever their format."""
    KNOWN_FORMATS = "known formats"
    NONE = "none"


@dataclass(frozen=True)
class MediaRules:
    """What is done with the media of an observation."""

    high: ImageLimits
    """For every detail but `original`."""
    original: ImageLimits
    takes_low: bool
    """Whether detail `low` is shown at all."""
    shown_detail: ShownDetail
    takes_original: bool
    """Whether the model can take detail `original`; else it becomes `high`."""
    hearing: Hearing
    max_item_bytes: int = 10 * MEBIBYTE
    """Decoded size of one image or sound, before and after it is prepared."""
    max_observation_bytes: int = 20 * MEBIBYTE
    """Decoded size of all media of one exec or wait together."""
    max_header_characters: int = 256
    """What stands before the comma of a data URL."""

    def limits_for(self, detail: str | None) -> ImageLimits:
        """The size up to which an image stays as it is."""
        return self.original if self.detail_for(detail) == "original" else self.high

    def detail_for(self, detail: str | None) -> str | None:
        """The detail that a model is told; None: none."""
        if self.shown_detail is ShownDetail.NONE:
            return None
        if self.shown_detail is ShownDetail.ORIGINAL:
            return "original"
        if detail is None or (detail == "original" and not self.takes_original):
            return "high"
        return detail


def media_rules(profile: str, facts: ModelFacts = UNKNOWN) -> MediaRules:
    """The rules of a profile (`codex` or `seed`) for a model of which `facts` are known."""
    return _seed(facts) if profile == "seed" else _codex(facts)


def _codex(facts: ModelFacts) -> MediaRules:
    """As measured (model view 7): one budget for all; lite models are told no detail.

    All models of the reference's catalog but one are lite, so an unknown one is taken for lite.
    """
    is_classic = facts.use_responses_lite is False
    return MediaRules(
        high=ORIGINAL,
        original=ORIGINAL,
        takes_low=True,
        shown_detail=ShownDetail.ORIGINAL if is_classic else ShownDetail.NONE,
        takes_original=True,
        hearing=Hearing.KNOWN_FORMATS if facts.audio_input else Hearing.NONE,
    )


def _seed(facts: ModelFacts) -> MediaRules:
    """As documented (deferral document, 9)."""
    return MediaRules(
        high=HIGH,
        original=ORIGINAL,
        takes_low=False,
        shown_detail=ShownDetail.ASKED,
        takes_original=facts.supports_image_detail_original is True,
        hearing=Hearing.ALL,
    )
