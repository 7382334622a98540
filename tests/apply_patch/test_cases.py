"""The patches of `shared/apply-patch`, each applied by a cell of a real session.

The contract is the profile `both` and `pi`. `codex` cases are what the reference does instead; what
we do with the same patches is written down here.
"""

import json
from typing import Any

import pytest

from tests.adapters import run_apply_patch
from tests.recorded import SHARED, JsonObject, shared

FILE = SHARED / "apply-patch" / "cases.jsonl"
ALL = [json.loads(line) for line in FILE.read_text().splitlines()] if FILE.exists() else []
CASES = [case for case in ALL if case["profile"] in ("both", "pi")]

DIFFERENCES: dict[str, Any] = {
    # Neither overwrites a file without a word, nor leaves half of a patch behind.
    "cx-010-move-overwrites-existing-destination": "path-conflict",
    "cx-015-failure-after-partial-success": "missing",
    # A missing final newline is kept.
    "cx-014-update-appends-trailing-newline": {"no_newline.txt": "first line\nsecond line"},
    # Whatever is to be found has to be in one place.
    "cx-016-pure-addition": "ambiguous",
    "cb-11-dash-tier-codex": "context",
    # The text is the patch and nothing else.
    "cb-01-heredoc-wrapper": "syntax",
    # What is meant is clear.
    "cb-04-move-without-hunk": {"n.txt": "m\n"},
    "cb-07-two-locators-in-a-row": {"s.py": "class A:\n    def go(self):\n        x = 2\n"},
}
"""Case -> the error, or the files in the end. With the others of the profile we do as Codex."""


def test_the_cases_are_there() -> None:
    assert (shared("apply-patch") / "cases.jsonl").is_file()


@pytest.mark.slow
@pytest.mark.parametrize("case", [pytest.param(case, id=case["id"]) for case in CASES])
def test_a_patch_of_the_contract(case: JsonObject) -> None:
    assert run_apply_patch(case) in case.get("accept", [_expected(case)])


@pytest.mark.slow
@pytest.mark.parametrize(
    "case", [pytest.param(case, id=case["id"]) for case in ALL if case["profile"] == "codex"]
)
def test_a_patch_of_the_reference(case: JsonObject) -> None:
    got = run_apply_patch(case)
    ours = DIFFERENCES.get(case["id"])
    if ours is None:
        assert got == _expected(case)
    elif isinstance(ours, str):
        assert got == {"error": ours, "files_after": case["files_before"]}
    else:
        assert got == {"files_after": ours}


def _expected(case: JsonObject) -> JsonObject:
    return {key: case[key] for key in ("error", "files_after") if key in case}
