"""The model view gathers a stream in bounded memory and still gives what the plain rule gives."""

import sys
from typing import Any

import msgspec
import pytest
from codemode_host.wire import AudioItem, ContentItem, ImageItem, TextItem
from codemode_kernel.model_view.model_view import ModelView, header, prompt_text
from codemode_kernel.session.observation import OutputSize, Status
from codemode_rules.budget import FRAME_TOKENS
from hypothesis import given
from hypothesis import strategies as st

from tests.model_view import plain_rule

HEADER = header(Status.COMPLETED, "1", 0.0)
HEADER_TOKENS = plain_rule.tokens(len(HEADER))
PROMPT_TOKENS = HEADER_TOKENS + 20
"""A prompt bound at which small examples already reach every case."""

texts = st.text(alphabet="ab\né😀\r", max_size=60).map(TextItem)
images = st.just(ImageItem("data:image/png;base64,AAAA", "high"))
audio = st.integers(0, 60).map(lambda length: AudioItem("data:" + "x" * length))
all_text = st.lists(texts, max_size=12)
mixed = st.lists(texts | images | audio, max_size=12)


def gathered(
    items: list[ContentItem], max_tokens: int, at_once: int = 1, prompt_tokens: int = PROMPT_TOKENS
) -> Any:
    view = ModelView(max_tokens, prompt_max_tokens=prompt_tokens)
    for start in range(0, len(items), at_once):
        view.add(*items[start : start + at_once])
    return view.finish(Status.COMPLETED, "1", 0.0)


@given(all_text | mixed, st.integers(0, 60), st.integers(1, 12))
def test_a_stream_gives_what_the_plain_rule_gives(
    items: list[ContentItem], budget: int, at_once: int
) -> None:
    plain = plain_rule.output(HEADER, msgspec.to_builtins(items), budget, PROMPT_TOKENS)
    assert gathered(items, budget, at_once) == plain


@given(all_text | mixed, st.integers(0, 60))
def test_the_size_tells_whether_anything_is_missing(items: list[ContentItem], budget: int) -> None:
    view = ModelView(budget, prompt_max_tokens=PROMPT_TOKENS)
    for item in items:
        view.add(item)
    output = view.finish(Status.COMPLETED, "1", 0.0)
    whole = [item for item in items if not (isinstance(item, TextItem) and not item.text)]
    assert view.size.truncated is (bool(items) and output[1:] != msgspec.to_builtins(whole))
    assert 0 <= view.size.shown <= min(view.size.emitted, budget)


def test_the_size_counts_tokens_of_the_content_alone() -> None:
    view = ModelView(10)
    view.add(TextItem("x" * 400))
    view.finish(Status.COMPLETED, "1", 0.0)
    assert view.size == OutputSize(emitted=100, shown=10, truncated=True)


@given(mixed, st.integers(0, 2 * HEADER_TOKENS))
def test_a_prompt_smaller_than_its_header_still_holds(
    items: list[ContentItem], prompt_budget: int
) -> None:
    plain = plain_rule.output(HEADER, msgspec.to_builtins(items), 50, prompt_budget)
    assert not items or gathered(items, 50, prompt_tokens=prompt_budget) == plain


@given(all_text | mixed, st.integers(0, 60))
def test_a_view_that_goes_into_no_prompt_is_bounded_once(
    items: list[ContentItem], budget: int
) -> None:
    unbounded = 10**9
    plain = plain_rule.output(HEADER, msgspec.to_builtins(items), budget, unbounded)
    assert gathered(items, budget, prompt_tokens=FRAME_TOKENS) == plain


@pytest.mark.parametrize(
    "item", [TextItem("x" * 999), TextItem(""), TextItem("\n"), ImageItem("data:image/png,A")]
)
def test_an_endless_printer_does_not_grow_the_view(item: ContentItem) -> None:
    view = ModelView(100)
    sizes = []
    for _ in range(3):
        for _ in range(5_000):
            view.add(item)
        sizes.append(footprint(view))
    if isinstance(item, TextItem):
        assert sizes[-1] <= sizes[0] + 1_000
    assert sizes[-1] < 6_000_000


def footprint(value: object, seen: set[int] | None = None) -> int:
    """Bytes of an object and of all that only it holds."""
    seen = set() if seen is None else seen
    if id(value) in seen:
        return 0
    seen.add(id(value))
    inner = (
        list(value) if isinstance(value, list) else list(getattr(value, "__dict__", {}).values())
    )
    return sys.getsizeof(value) + sum(footprint(part, seen) for part in inner)


def test_a_string_is_cut_without_a_warning() -> None:
    text = "x" * 200_000
    assert prompt_text(text, PROMPT_TOKENS) == plain_rule.cut(text, PROMPT_TOKENS)
    assert prompt_text("short") == "short"


def test_media_beyond_what_a_frame_can_hold_are_counted() -> None:
    view = ModelView()
    picture = ImageItem("data:image/png;base64," + "A" * 20_000_000)
    for _ in range(5):
        view.add(picture)
    shown: Any = view.finish(Status.COMPLETED, "1", 0.0)
    assert [item["type"] for item in shown] == ["input_text", *["input_image"] * 3, "input_text"]
    assert shown[-1]["text"] == "[omitted 2 media items ...]"
