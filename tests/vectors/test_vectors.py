"""Every vector of an area that the product has is answered as expected."""

import pytest

from tests.adapters import run_vector
from tests.recorded import JsonObject, judge, vectors

AREAS = (
    "pragma",
    "wait_arguments",
    "identifiers",
    "output_budget",
    "catchable_exit",
    "declarations",
    "tool_declarations",
    "deferral_policy",
    "plan_mode",
    "preview_clipping",
    "deferred_block",
    "activation",
    "tool_search",
    "catalog_order",
    "exec_description",
    "wait_schema",
    "model_metadata",
    "principals",
    "provider_seam",
)
CASES = [(area, case) for area in AREAS for case in vectors(area)]
MEDIA = vectors("media")


@pytest.mark.parametrize("area, case", CASES, ids=[f"{area}-{case['id']}" for area, case in CASES])
def test_a_vector_is_answered_as_expected(area: str, case: JsonObject) -> None:
    answer = run_vector(area, case["input"])
    assert judge("vectors").same(area, case["expected"], answer), (case, answer)


@pytest.mark.slow
@pytest.mark.parametrize("case", MEDIA, ids=[case["id"] for case in MEDIA])
def test_a_cell_takes_media_as_expected(case: JsonObject) -> None:
    answer = run_vector("media", case["input"])
    assert judge("vectors").same("media", case["expected"], answer), (case, answer)
