"""What a model gets of sounds."""

import pytest
from toolbridge.media import MediaPreparation, media_rules
from toolbridge.media.notices import (
    LARGE_AUDIO,
    NO_AUDIO_INPUT,
    UNPROCESSABLE_AUDIO,
    UNSUPPORTED_AUDIO,
)
from toolbridge.prompt.model_facts import ModelFacts

from tests.toolbridge.media.corpus import data_url

HEARS = ModelFacts(audio_input=True)
LARGE = data_url(bytes(11 * 1024 * 1024), "audio/ogg")


@pytest.mark.parametrize(
    "profile, facts, url, notice",
    [
        ("codex", ModelFacts(), "data:audio/wav;base64,AAAA", NO_AUDIO_INPUT),
        ("codex", ModelFacts(audio_input=False), "data:audio/wav;base64,%", NO_AUDIO_INPUT),
        ("codex", HEARS, "data:audio/wav;base64,AAAA", None),
        ("codex", HEARS, "data:audio/mpeg;base64,AAAA", None),
        ("codex", HEARS, "data:audio/flac;base64,AAAA", UNSUPPORTED_AUDIO),
        ("codex", HEARS, "data:image/png;base64,AAAA", UNSUPPORTED_AUDIO),
        ("codex", HEARS, "data:audio/wav,AAAA", UNPROCESSABLE_AUDIO),
        ("codex", HEARS, LARGE, LARGE_AUDIO),
        ("seed", ModelFacts(), "data:audio/flac;base64,AAAA", None),
        ("seed", ModelFacts(), "data:audio/wav;base64,AAAA", None),
    ],
)
async def test_a_sound_is_kept_or_a_notice(
    profile: str, facts: ModelFacts, url: str, notice: str | None
) -> None:
    slot = MediaPreparation(media_rules(profile, facts)).begin().audio(url)
    assert slot.notice == notice
    assert slot.url == url


async def test_a_sound_costs_what_it_did_even_as_a_notice() -> None:
    slot = MediaPreparation(media_rules("codex")).begin().audio("data:audio/ogg;base64,AAAA")
    assert slot.audio_tokens == 7
