"""The patches of `shared/apply-patch`, each applied by a cell of a real session.

The contract is the profile `both` and `pi`. `codex` cases are what the reference does instead; what
we do with the same patches is written down here.
"""

import asyncio
import json
from collections.abc import AsyncIterator
from typing import Any

import pytest
import pytest_asyncio

from tests.adapters import run_apply_patch
from tests.apply_patch.patch_session import PatchSession, patch_session
from tests.recorded import SHARED, JsonObject, shared

pytestmark = pytest.mark.asyncio(loop_scope="module")

FILE = SHARED / "apply-patch" / "cases.jsonl"
ALL = [json.loads(line) for line in FILE.read_text().splitlines()] if FILE.exists() else []
CASES = [case for case in ALL if case["profile"] in ("both", "pi")]
OF_CODEX = [case for case in ALL if case["profile"] == "codex"]

DIFFERENCES: dict[str, Any] = {
    # Neither overwrites a file without a word, nor leaves half of a patch behind.
    "cx-010-move-overwrites-existing-destination": "path-conflict",
    "cx-015-failure-after-partial-success": "missing",
    # A missing final newline is kept.
    "cx-014-update-appends-trailing-newline": {"no_newline.txt": "first line\nsecond line"},
    "cb-20-crlf-new-final-newline-codex": {"w.ini": "alpha=9\r\nbeta=2"},
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


@pytest_asyncio.fixture(loop_scope="module", scope="module")
async def session() -> AsyncIterator[PatchSession]:
    async with patch_session() as session:
        yield session


async def test_the_cases_are_there() -> None:
    assert (shared("apply-patch") / "cases.jsonl").is_file()


@pytest.mark.parametrize("case", CASES, ids=[case["id"] for case in CASES])
async def test_a_patch_of_the_contract(session: PatchSession, case: JsonObject) -> None:
    assert await session.run(case) in case.get("accept", [_expected(case)])


@pytest.mark.parametrize("case", OF_CODEX, ids=[case["id"] for case in OF_CODEX])
async def test_a_patch_of_the_reference(session: PatchSession, case: JsonObject) -> None:
    got = await session.run(case)
    ours = DIFFERENCES.get(case["id"])
    if ours is None:
        assert got == _expected(case)
    elif isinstance(ours, str):
        assert got == {"error": ours, "files_after": case["files_before"]}
    else:
        assert got == {"files_after": ours}


async def test_the_adapter_applies_a_patch() -> None:
    patch = "*** Begin Patch\n*** Delete File: a\n*** End Patch"
    case = {"files_before": {"a": "1\n", "b": "2\n"}, "patch": patch}
    assert await asyncio.to_thread(run_apply_patch, case) == {"files_after": {"b": "2\n"}}


def _expected(case: JsonObject) -> JsonObject:
    return {key: case[key] for key in ("error", "files_after") if key in case}
