"""What is said of a cell, and that nothing is said of cells that are as they should be."""

from collections.abc import AsyncIterator

import pytest
import pytest_asyncio

from tests.kernel.hints.examples import SAID, UNSAID
from tests.kernel.hints.stage import HintStage, hint_stage, recorded_scripts
from tests.recorded import shared

pytestmark = pytest.mark.asyncio(loop_scope="module")

LONGEST = 220
"""Characters of a hint that still read as one line."""

MEANT = {
    "139-mistake-powershell-as-js.js": "shell command",
    "140-mistake-top-level-return.js": "`text(r)`",
    "142-mistake-extra-brace.js": "`}` in line 1 closes nothing",
    "143-mistake-unclosed-call.js": "`(` in line 1 is never closed",
    "145-mistake-no-await-no-output.js": "not awaited",
    "146-mistake-call-without-args-object.js": "takes one object",
    "148-mistake-json-parse-object.js": "leave out `JSON.parse`",
    "149-mistake-markdown-fence.js": "Markdown fence",
    "151-mistake-dollar-in-template.js": "JavaScript fills in `${f}`",
    "152-mistake-require-fs.js": "nothing of Node",
    "154-mistake-textencoder.js": "no `TextEncoder`",
    "155-mistake-error-message-of-string.js": "`e.message` is undefined",
}
"""The recorded mistakes, and what their hints must speak of."""

MODEL_WRITTEN = [entry for entry in recorded_scripts() if entry["class"] == "model-written"]


@pytest_asyncio.fixture(loop_scope="module", scope="module")
async def shared_stage() -> AsyncIterator[HintStage]:
    async with hint_stage() as stage:
        yield stage


@pytest.fixture
def stage(shared_stage: HintStage) -> HintStage:
    """The module's stage, which has forgotten the cells of other tests."""
    shared_stage.forget()
    return shared_stage


def as_cells(example: str | tuple[str, ...]) -> tuple[str, ...]:
    return (example,) if isinstance(example, str) else example


@pytest.mark.parametrize("example, words", SAID, ids=lambda value: str(value)[:40])
async def test_a_slip_gets_its_hint(
    stage: HintStage, example: str | tuple[str, ...], words: str
) -> None:
    hint = await stage.hint_of_last(as_cells(example))
    assert hint is not None
    assert words in hint
    assert "\n" not in hint
    assert len(hint) <= LONGEST
    assert hint.count("`") % 2 == 0, "what can be typed stands between two backticks"


@pytest.mark.parametrize("example", UNSAID, ids=lambda value: str(value)[:40])
async def test_nothing_is_said_of_what_is_meant(
    stage: HintStage, example: str | tuple[str, ...]
) -> None:
    assert await stage.hint_of_last(as_cells(example)) is None


@pytest.mark.parametrize("entry", recorded_scripts(), ids=lambda entry: entry["file"])
async def test_recorded_mistakes_get_hints_and_nothing_else_does(
    stage: HintStage, entry: dict[str, str]
) -> None:
    hint = await stage.hint(entry["source"])
    if entry["class"] == "mistake":
        assert hint is not None
        assert MEANT[entry["file"]] in hint
    elif entry["class"] == "model-written":
        assert hint is None


async def test_there_are_recorded_scripts() -> None:
    shared("scripts")
    assert len(MODEL_WRITTEN) > 80
    assert MEANT.keys() == {e["file"] for e in recorded_scripts() if e["class"] == "mistake"}
