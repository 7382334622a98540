"""%tools, %describe, %deferral and %call in a real kernel."""

import re
from pathlib import Path
from typing import Any

import pytest

from tests.kernel.notebook import Execution, Notebook

TWO_OF_A_NAME = '''%%python
from toolbridge import tool

@tool(name="a-b", read_only=True)
def first(n: int) -> int:
    """Doubles a number."""
    return 2 * n

@tool(name="a.b", read_only=True)
def second(n: int) -> int:
    """Triples a number."""
    print("tripling")
    return 3 * n
'''

UNFIT = '''%%python
from toolbridge import tool

@tool(read_only=True)
def unfit() -> dict:
    """Gives what is no JSON."""
    return {"deep": [float("nan")]}
'''

HELD = '''%%python
import threading
from toolbridge import tool

released = threading.Event()

@tool(read_only=True)
def held() -> None:
    """Waits."""
    released.wait()
'''


def rows_of(bundle: dict[str, Any]) -> list[list[str]]:
    """The cells of a plain table, without its head."""
    return [re.split(r"  +", line) for line in bundle["data"]["text/plain"].split("\n")[1:]]


def plain(execution: Execution) -> list[str]:
    return [content["data"]["text/plain"] for content in execution.of("display_data")]


def error_of(execution: Execution) -> str:
    (error,) = execution.of("error")
    return str(error["evalue"])


@pytest.fixture
def clashing(notebook: Notebook) -> Notebook:
    """A kernel with two Python tools that want one callable name."""
    assert notebook.run(TWO_OF_A_NAME).status == "ok"
    return notebook


def test_everything_agrees_on_the_names_of_tools(clashing: Notebook) -> None:
    tools = clashing.run("%tools")
    (table,) = tools.of("display_data")
    rows = rows_of(table)
    named = [row[0] for row in rows]
    assert {row[0]: row[1] for row in rows if row[2] == "python"} == {"a_b": "a-b", "a_b_2": "a.b"}
    script = clashing.run(
        "text(ALL_TOOLS.map(tool => tool.name)); text(Object.keys(tools));"
        "text(await tools.a_b_2({n: 1}))"
    )
    listed, keys = (shown["data"]["application/json"] for shown in script.of("display_data"))
    assert listed == keys == named
    code = "await tools."
    offered = clashing.ask("complete", code=code, cursor_pos=len(code))["matches"]
    assert sorted(offered) == sorted(named)
    assert "3" in script.text().split()
    assert "`a.b` of python is called `a_b_2`: `a-b` of python has `a_b`." in tools.text("stderr")
    assert "declare const tools: { a_b_2(args" in plain(clashing.run("%describe a_b_2"))[0]


def test_a_query_finds_the_best_tool_first(notebook: Notebook) -> None:
    (table,) = notebook.run("%tools change the files of a patch").of("display_data")
    assert rows_of(table)[0][0] == "apply_patch"
    assert "<table>" in table["data"]["text/html"]
    assert notebook.run("%tools zygomorphic").text() == "No tool matches.\n"


def test_exec_is_described_to_the_letter(notebook: Notebook) -> None:
    described, news = notebook.run("%describe exec").of("display_data")
    text = described["data"]["text/plain"]
    assert text.startswith("Run a JavaScript program")
    assert "Promise.all" in text
    assert "### `exec_command`" in text
    assert "the default is 10000 ms" in text
    assert "<span style" in described["data"]["text/html"]
    assert "has not changed since the session began" in news["data"]["text/plain"]
    definition = notebook.run("%describe exec --json").of("display_data")[0]
    assert definition["data"]["application/json"]["description"] == text
    assert definition["data"]["application/json"]["format"]["syntax"] == "lark"


def test_wait_and_a_tool_are_described_as_functions(notebook: Notebook) -> None:
    wait = notebook.run("%describe wait --json").of("display_data")[0]["data"]["application/json"]
    assert wait["parameters"]["required"] == ["cell_id"]
    tool = notebook.run("%describe --json exec_command").of("display_data")[0]["data"]
    assert tool["application/json"]["parameters"]["required"] == ["cmd"]
    assert tool["application/json"]["name"] == "exec_command"


@pytest.mark.slow
def test_a_changed_description_says_what_changed_it(notebook: Notebook) -> None:
    notebook.run("text(1)")
    assert "has not changed" in plain(notebook.run("%deferral"))[-1]
    notebook.run(TWO_OF_A_NAME)
    for magic in ("%deferral", "%describe exec"):
        news = plain(notebook.run(magic))[-1]
        assert "has changed since the session began: `a-b` and `a.b` are new" in news
    notebook.run("%reset")
    assert "has not changed" in plain(notebook.run("%deferral"))[-1]


@pytest.mark.slow
def test_deferral_counts_calls_of_scripts_and_of_the_person(clashing: Notebook) -> None:
    clashing.run("await tools.a_b({n: 1}); await tools.a_b({n: 2})")
    clashing.run('%call a_b {"n": 3}')
    table, costs, break_even, _ = clashing.run("%deferral").of("display_data")
    calls = {row[0]: row[-1] for row in rows_of(table)}
    assert (calls["a_b"], calls["a_b_2"]) == ("3", "0")
    assert any(row[0] == "route: code mode" for row in rows_of(costs))
    assert "nothing to break even" in break_even["data"]["text/plain"]


@pytest.mark.slow
def test_a_call_shows_what_the_tool_prints_and_gives(clashing: Notebook) -> None:
    called = clashing.run('%call a_b_2 {"n":\n 5}')
    assert called.text().split() == ["tripling", "15"]


@pytest.mark.parametrize(
    "call, error",
    [
        ("%call exec_command {", "The arguments of exec_command are no JSON: "),
        ('%call exec_command {"cmd": NaN}', "The arguments of exec_command are no JSON: NaN"),
        ("%call exec_command [1]", "tool `exec_command` expects a JSON object for arguments"),
        ("%call exec_commande", "There is no tool exec_commande. Is exec_command meant?"),
        ("%call", "Name a tool."),
        ("%call exec text(1)", "exec is what every cell is"),
        ("%describe", "Name one of exec, wait and the tools."),
        ("%deferral now", "now is no option. Usage: %deferral"),
        ("%deferral --threshold 0", "This cannot be chosen: The value of the 'deferral_threshold'"),
    ],
)
def test_what_cannot_be_done_is_said(notebook: Notebook, call: str, error: str) -> None:
    assert error_of(notebook.run(call)).startswith(error)


def test_a_call_passes_the_gate(notebook: Notebook) -> None:
    call = notebook.send('%call exec_command {"cmd": "echo through"}')
    notebook.until(lambda: bool(notebook.questions))
    assert "echo through" in notebook.questions[0]["content"]["prompt"]
    notebook.answer("n")
    assert "policy refused `exec_command`" in error_of(call.done())
    call = notebook.send('%call exec_command {"cmd": "echo through"}')
    notebook.answer("o")
    (shown,) = call.done().of("display_data")
    assert shown["data"]["application/json"]["output"] == "through\n"


def test_a_result_that_a_model_gets_in_part_says_so(notebook: Notebook) -> None:
    call = notebook.send('%call exec_command {"cmd": "seq 1 20000"}')
    notebook.answer("o")
    *_, notice = call.done().of("display_data")
    assert "A model gets 10,000 of " in notice["data"]["text/plain"]


def test_a_call_that_nobody_can_be_asked_about_is_refused(notebook: Notebook) -> None:
    call = notebook.run('%call exec_command {"cmd": "echo through"}', allow_stdin=False)
    assert "policy refused" in error_of(call)


def test_text_goes_to_a_freeform_tool_as_it_is(notebook: Notebook, kernel_folder: Path) -> None:
    patch = "*** Begin Patch\n*** Add File: called.md\n+  indented\n*** End Patch"
    call = notebook.send(f"%call apply_patch\n{patch}")
    notebook.answer("o")
    assert call.status == "ok"
    assert (kernel_folder / "called.md").read_text() == "  indented\n"


def test_stop_ends_a_call(notebook: Notebook, kernel_folder: Path) -> None:
    call = notebook.send('%call exec_command {"cmd": "touch begun; sleep 600"}')
    notebook.answer("o")
    notebook.until((kernel_folder / "begun").exists)
    notebook.stop()
    assert error_of(call.done()) == "The call was stopped."


@pytest.mark.slow
def test_arguments_are_refused_with_the_path_of_the_fault(clashing: Notebook) -> None:
    said = error_of(clashing.run('%call a_b {"n": "x"}'))
    assert said.startswith("invalid arguments for tool `a_b`: n: ")
    script = clashing.run("try { await tools.a_b({n: 'x'}) } catch (error) { text(error) }")
    assert script.text() == f"{said}\n"


@pytest.mark.slow
def test_a_result_that_is_no_json_is_refused(notebook: Notebook) -> None:
    notebook.run(UNFIT)
    said = error_of(notebook.run("%call unfit"))
    assert said.startswith("tool `unfit` gave a result that JSON cannot hold: deep[0]")
    script = notebook.run("try { await tools.unfit() } catch (error) { text(error) }")
    assert script.text() == f"{said}\n"


@pytest.mark.slow
def test_a_running_cell_keeps_its_tools_and_the_next_has_the_new_ones(notebook: Notebook) -> None:
    notebook.run(HELD)
    notebook.run("yield_control(); await tools.held(); text(typeof tools.a_b)")
    notebook.run(TWO_OF_A_NAME)
    assert notebook.run("text(typeof tools.a_b)").text() == "function\n"
    notebook.run("%%python\nreleased.set()")
    assert notebook.run("%wait").text() == "undefined\n"
