"""Cases from the field: bug reports and requests, restated, and a few of our own in that form."""

import json
from pathlib import Path

import pytest

from tests.adapters import run_field_case
from tests.pacing import paces
from tests.recorded import JsonObject, field_cases, judge

MORE = (Path(__file__).parent / "more.jsonl").read_text().splitlines()
CASES = [*field_cases(), *map(json.loads, MORE)]


@pytest.mark.slow
@pytest.mark.parametrize("case", CASES, ids=[case["id"] for case in CASES])
def test_a_case_from_the_field_goes_as_it_should(case: JsonObject) -> None:
    for paced in paces(case):
        complaints = judge("field-cases").judge(paced, run_field_case(paced))
        if not complaints:
            break
    assert complaints == []
