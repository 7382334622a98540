"""The `exec` and `wait` tools as a model calls them: raw text in, outputs out (model view 2)."""

import re
from typing import Any

import pytest
from codemode_kernel.session.model_calls import exec_text, wait_json
from codemode_kernel.session.observation import ModelOutput

from tests.kernel.session.stage import Stage


def header(status: str) -> str:
    return f"Script {status}\nWall time <t> seconds\nOutput:\n"


def untimed(output: ModelOutput) -> Any:
    """The output with `<t>` for its wall time; items as their texts."""
    if isinstance(output, list):
        return [untimed(item["text"]) for item in output]
    return re.sub(r"Wall time \d+\.\d seconds", "Wall time <t> seconds", output)


async def test_a_result_without_items_is_a_string(any_stage: Stage) -> None:
    (output,) = await exec_text(any_stage.session, "1")
    assert untimed(output) == header("completed")


async def test_notifications_are_outputs_of_their_own(any_stage: Stage) -> None:
    result, note = await exec_text(any_stage.session, 'text("a"); notify("n")')
    assert untimed(result) == [header("completed"), "a"]
    assert note == "n"


async def test_a_pragma_sets_deadline_and_budget(any_stage: Stage) -> None:
    source = '// @exec: {"yield_time_ms": 0}\nawait new Promise(() => {})'
    (output,) = await exec_text(any_stage.session, source)
    assert untimed(output) == header("running with cell ID 1")
    source = '// @exec: {"max_output_tokens": 1}\ntext("long enough to be cut")'
    (output,) = await exec_text(any_stage.session, source)
    _, cut = untimed(output)
    assert cut.startswith("Warning: truncated output")


@pytest.mark.parametrize(
    "source, error",
    [("", "exec expects raw JavaScript source text"), ("// @exec: 1\n1", "exec pragma must be")],
)
async def test_what_does_not_parse_is_a_bare_string_and_takes_no_cell_id(
    any_stage: Stage, source: str, error: str
) -> None:
    (output,) = await exec_text(any_stage.session, source)
    assert isinstance(output, str)
    assert output.startswith(error)
    await exec_text(any_stage.session, "yield_control(); await new Promise(() => {})")
    assert [cell.id for cell in any_stage.session.cells] == ["1"]


async def test_wait_takes_json_text(any_stage: Stage) -> None:
    await exec_text(any_stage.session, 'yield_control(); text("b"); text("c")')
    arguments = '{"cell_id": "1", "yield_time_ms": 5000, "max_tokens": null}'
    (result,) = await wait_json(any_stage.session, arguments)
    assert untimed(result) == [header("completed"), "b", "c"]
    (again,) = await wait_json(any_stage.session, arguments)
    assert untimed(again) == [header("failed"), "Script error:\nexec cell 1 not found"]


async def test_wait_arguments_that_do_not_decode_are_a_bare_string(any_stage: Stage) -> None:
    (output,) = await wait_json(any_stage.session, '{"cell_id": 4}')
    assert isinstance(output, str)
    assert output.startswith("failed to parse function arguments: invalid type: integer `4`")
