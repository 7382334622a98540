"""Media in a provider's request; the vectors say what becomes of whole ones."""

from typing import Any

import pytest
from toolbridge.media.provider_seam import AnnotatedResult, ProviderSeamError, project

URL = "data:image/png;base64,AAAA"
IMAGE = {"type": "image", "url": URL}
INPUT = [{"type": "function_call_output", "call_id": "c", "output": "text"}]
BLOCKS = [{"type": "text", "text": "a"}, {"type": "image", "data": "AAAA"}]


def descriptor(*entries: Any) -> dict[str, Any]:
    return {"version": 1, "entries": list(entries)}


def test_a_result_without_a_descriptor_changes_nothing() -> None:
    assert project("codex-responses", INPUT, [AnnotatedResult("c", BLOCKS, None)]) == INPUT


def test_other_apis_take_images() -> None:
    result = AnnotatedResult("c", BLOCKS, descriptor(IMAGE))
    (item,) = project("anthropic-messages", INPUT, [result])
    assert item["output"] == [{"type": "input_image", "image_url": URL}]


def test_images_that_a_history_gave_up_are_not_brought_back() -> None:
    cleared = AnnotatedResult("c", [{"type": "text", "text": "cleared"}], descriptor(IMAGE))
    assert project("codex-responses", INPUT, [cleared]) == INPUT


@pytest.mark.parametrize(
    "wrong",
    [
        "no object",
        {"version": 1},
        descriptor({"type": "text", "index": 1}),
        descriptor({"type": "text", "index": -1}),
        descriptor({"type": "video", "url": URL}),
        descriptor({"type": "audio", "url": "file:///etc/passwd"}),
    ],
)
def test_a_descriptor_that_is_wrong_is_refused(wrong: Any) -> None:
    with pytest.raises(ProviderSeamError, match="invalid descriptor"):
        project("codex-responses", INPUT, [AnnotatedResult("c", BLOCKS, wrong)])
