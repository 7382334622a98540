"""What a model got from the Codex CLI, it gets from us."""

from typing import Any

import pytest

from tests.adapters import run_model_view
from tests.pacing import paces
from tests.recorded import JsonObject, judge, model_view_cases

AREAS = (
    "text",
    "errors",
    "pragma",
    "wait",
    "notify_store",
    "notify_order",
    "timing",
    "undocumented",
    "truncation",
    "truncation_more",
    "call_forms",
    "mcp",
    "media",
    "media_more",
    "audio_budget",
    "audio_cost",
)


def _case(case: JsonObject) -> Any:
    marks = [] if case["area"] == "text" else [pytest.mark.slow]
    return pytest.param(case, id=case["id"], marks=marks)


@pytest.mark.parametrize("case", [_case(case) for case in model_view_cases(*AREAS)])
def test_the_model_gets_what_it_got_from_the_reference(case: JsonObject) -> None:
    for paced in paces(case):
        complaints = complaints_about(paced)
        if not complaints:
            break
    assert complaints == []


def complaints_about(case: JsonObject) -> list[tuple[Any, Any]]:
    """The calls of a case that did not give what is recorded, with what they gave."""
    outputs = run_model_view(case)
    expected = judge("model-view").Case(case)
    pairs = zip(expected.calls, outputs, strict=True)
    return [(call, seen) for call, seen in pairs if not expected.same(call, seen)]
