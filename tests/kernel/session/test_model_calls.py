"""The `exec` and `wait` tools as a model calls them: raw text in, outputs out (model view 2)."""

import pytest

from tests.kernel.session.stage import Stage


def header(status: str) -> str:
    return f"Script {status}\nWall time 0.0 seconds\nOutput:\n"


async def test_a_result_without_items_is_a_string(any_stage: Stage) -> None:
    assert await any_stage.session.exec_text("1") == [header("completed")]


async def test_notifications_are_outputs_of_their_own(any_stage: Stage) -> None:
    outputs = await any_stage.session.exec_text('text("a"); notify("n")')
    result, note = outputs
    assert isinstance(result, list)
    assert [item["text"] for item in result] == [header("completed"), "a"]
    assert note == "n"


async def test_a_pragma_sets_deadline_and_budget(any_stage: Stage) -> None:
    source = '// @exec: {"yield_time_ms": 0}\nawait new Promise(() => {})'
    assert await any_stage.session.exec_text(source) == [header("running with cell ID 1")]
    source = '// @exec: {"max_output_tokens": 1}\ntext("long enough to be cut")'
    ((_, cut),) = await any_stage.session.exec_text(source)
    assert isinstance(cut, dict)
    assert cut["text"].startswith("Warning: truncated output")


@pytest.mark.parametrize(
    "source, error",
    [("", "exec expects raw JavaScript source text"), ("// @exec: 1\n1", "exec pragma must be")],
)
async def test_what_does_not_parse_is_a_bare_string_and_takes_no_cell_id(
    any_stage: Stage, source: str, error: str
) -> None:
    (output,) = await any_stage.session.exec_text(source)
    assert isinstance(output, str)
    assert output.startswith(error)
    await any_stage.session.exec_text("yield_control(); await new Promise(() => {})")
    assert [cell.id for cell in any_stage.session.cells] == ["1"]


async def test_wait_takes_json_text(any_stage: Stage) -> None:
    await any_stage.session.exec_text('yield_control(); text("b"); text("c")')
    arguments = '{"cell_id": "1", "yield_time_ms": 5000, "max_tokens": null}'
    (result,) = await any_stage.session.wait_json(arguments)
    assert isinstance(result, list)
    assert [item["text"] for item in result] == [header("completed"), "b", "c"]
    (again,) = await any_stage.session.wait_json(arguments)
    assert isinstance(again, list)
    assert [item["text"] for item in again] == [
        header("failed"),
        "Script error:\nexec cell 1 not found",
    ]


async def test_wait_arguments_that_do_not_decode_are_a_bare_string(any_stage: Stage) -> None:
    (output,) = await any_stage.session.wait_json('{"cell_id": 4}')
    assert isinstance(output, str)
    assert output.startswith("failed to parse function arguments: invalid type: integer `4`")
