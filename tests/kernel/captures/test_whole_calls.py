"""Calls that a record cuts are kept whole, but for their secrets."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.kernel.conftest import StartKernel
from tests.kernel.notebook import Notebook

TOOL = """%%python
from toolbridge import tool

@tool
def echo(text: str, password: str = "") -> dict:
    \"\"\"Gives the text back.\"\"\"
    return {"text": text, "api_key": "hidden-result"}
"""


@pytest.fixture(scope="module")
def cut(start_kernel: StartKernel, runtime: Path) -> Notebook:
    """A kernel with a tool that gives back what it was given."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("JUPYTER_RUNTIME_DIR", str(runtime))
        notebook = start_kernel(gate_rules=[{"decision": "allow"}])
    assert notebook.run(TOOL).status == "ok"
    return notebook


def whole(notebook: Notebook, cell_id: str, call_id: str) -> Any:
    return json.loads(notebook.run(f"%view {cell_id} --call {call_id}").text())


def test_a_call_that_was_cut_is_shown_whole_without_its_secrets(
    cut: Notebook, runtime: Path
) -> None:
    cell = cut.run(
        "await tools.echo({text: 'short'});"
        "await tools.echo({text: 'é'.repeat(200_000), password: 'hidden-argument'})"
    )
    record = cell.record
    assert [call.get("cut", False) for call in record["calls"]] == [False, True]
    call = whole(cut, record["cell_id"], "tool-2")
    assert call["arguments"]["text"] == call["result"]["text"] == "é" * 200_000
    assert call["outcome"] == "ok"
    (path,) = runtime.rglob("cell-*-calls.txt")
    assert "hidden" not in path.read_text()
    (error,) = cut.run(f"%view {record['cell_id']} --call tool-1").of("error")
    assert error["evalue"] == (
        f"No more is kept of call tool-1 of cell {record['cell_id']} than its record has."
    )


def test_calls_that_a_full_record_has_no_room_for_are_kept_too(cut: Notebook) -> None:
    cell = cut.run(
        "for (let i = 0; i < 6; i++) await tools.echo({text: String(i).repeat(2500)});"
        "text('x'.repeat(36_000)); text('\\u0001'.repeat(4000))"
    )
    record = cell.record
    stripped = [call["id"] for call in record["calls"] if call.get("cut")]
    assert stripped
    for call_id in stripped:
        digit = str(int(call_id.removeprefix("tool-")) - 1)
        assert whole(cut, record["cell_id"], call_id)["result"]["text"] == digit * 2500


def test_every_call_of_thousands_is_in_the_record_or_kept(cut: Notebook) -> None:
    cell = cut.run(
        "await Promise.all(Array.from({length: 2000},"
        " (_, i) => tools.echo({text: `n${i}`, password: 'hidden-argument'})))"
    )
    record = cell.record
    recorded = {call["id"] for call in record["calls"]}
    assert len(recorded) + record["left_out"]["calls"] == 2000
    for number in (len(recorded) + 1, 1000, 2000):
        call = whole(cut, record["cell_id"], f"tool-{number}")
        assert call["arguments"]["password"] == "(secret left out)"
        assert call["result"] == {"text": f"n{number - 1}", "api_key": "(secret left out)"}
        assert (call["outcome"], call["approval"]["decision"]) == ("ok", "rule")
        assert call["duration_s"] > 0
    (error,) = cut.run(f"%view {record['cell_id']} --call tool-2001").of("error")
    assert error["evalue"].startswith("No more is kept of call tool-2001 ")


def test_a_call_that_is_cut_off_when_the_record_is_full_is_kept_too(cut: Notebook) -> None:
    cell = cut.run(
        "for (let i = 0; i < 300; i++) await tools.echo({text: String(i)});"
        "tools.exec_command({cmd: 'sleep 1000', yield_time_ms: 30000});"
        "await tools.echo({text: 'last'})"
    )
    call = whole(cut, cell.record["cell_id"], "tool-301")
    assert (call["outcome"], call["arguments"]["cmd"]) == ("cancelled", "sleep 1000")


def test_with_names_alone_a_call_without_room_is_kept_without_its_values(
    start_kernel: StartKernel,
) -> None:
    notebook = start_kernel(gate_rules=[{"decision": "allow"}], record_calls="names")
    notebook.run(TOOL)
    cell = notebook.run("for (let i = 0; i < 300; i++) await tools.echo({text: 'a'})")
    call = whole(notebook, cell.record["cell_id"], "tool-300")
    assert (call["tool"], call["outcome"]) == ("echo", "ok")
    assert "arguments" not in call
    assert "result" not in call


def test_a_call_is_named_with_its_cell(cut: Notebook) -> None:
    (error,) = cut.run("%view --call tool-1").of("error")
    assert error["evalue"] == "Name a cell and one of its calls, such as `%view 3 --call tool-1`."
