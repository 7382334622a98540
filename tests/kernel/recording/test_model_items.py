"""The model view of a record."""

import hashlib
from base64 import b64encode
from typing import Any

import msgspec
import pytest
from codemode_kernel.record import LIMIT
from codemode_kernel.recording.excerpt import json_bytes
from codemode_kernel.recording.model_items import kept_view

from tests.recorded import JsonObject, judge, model_view_cases

AREAS = ("text", "errors", "pragma", "wait", "notify_store", "timing", "media", "truncation")
BYTES = b"\x89PNG some picture"
URL = f"data:image/PNG;base64,{b64encode(BYTES).decode()}"


def texts(*said: str) -> list[JsonObject]:
    return [{"type": "input_text", "text": text} for text in said]


def recorded(output: Any, limit: int = LIMIT) -> Any:
    return msgspec.json.decode(msgspec.json.encode(kept_view(output, limit).view))


@pytest.mark.parametrize("case", model_view_cases(*AREAS), ids=lambda case: case["id"])
def test_texts_are_those_that_a_model_got(case: JsonObject) -> None:
    for call in judge("model-view").Case(case).calls:
        output = call["outputs"][0]
        kept = kept_view(output, LIMIT)
        assert (kept.items_left_out, kept.characters_left_out) == (0, 0)
        if isinstance(output, str):
            assert kept.view == output
        else:
            same = [item for item in msgspec.to_builtins(kept.view) if "text" in item]
            assert same == [item for item in output if "text" in item]
            assert len(kept.view) == len(output)


def test_media_are_named_by_the_hash_of_their_bytes() -> None:
    output = [
        *texts("header"),
        {"type": "input_image", "image_url": URL, "detail": "high"},
        {"type": "input_audio", "audio_url": "data:audio/wav,%00%01"},
    ]
    picture = {"sha256": hashlib.sha256(BYTES).hexdigest(), "mime_type": "image/png", "bytes": 17}
    sound = {"sha256": hashlib.sha256(b"\0\1").hexdigest(), "mime_type": "audio/wav", "bytes": 2}
    assert recorded(output) == [
        *texts("header"),
        {"type": "input_image", "image": picture, "detail": "high"},
        {"type": "input_audio", "audio": sound},
    ]


def test_a_url_that_does_not_decode_has_no_hash() -> None:
    output = [{"type": "input_image", "image_url": "data:image/png;base64,***", "detail": None}]
    assert recorded(output) == [{"type": "input_image", "image": {}}]


def test_a_view_that_is_too_long_is_cut_and_says_by_how_much() -> None:
    kept = kept_view(texts("header", "x" * 5000, "y" * 10, "z"), 1000)
    assert isinstance(kept.view, tuple)
    assert len(kept.view) == 2
    cut = kept.view[1].text  # type: ignore[union-attr]
    assert cut.endswith(" more characters)")
    assert kept.items_left_out == 2
    assert kept.characters_left_out == 5000 - cut.count("x") + 11
    assert json_bytes(kept.view) <= 1000


def test_a_string_is_cut_as_well() -> None:
    kept = kept_view("x" * 5000, 1000)
    assert isinstance(kept.view, str)
    assert json_bytes(kept.view) <= 1000
    assert kept.characters_left_out == 5000 - kept.view.count("x")


def test_countless_tiny_items_stay_within_the_limit() -> None:
    kept = kept_view(texts(*["x"] * 50_000), 10_000)
    assert json_bytes(kept.view) <= 10_000
    assert len(kept.view) + kept.items_left_out == 50_000
