"""The small magics: %cells, %store, and what is no magic."""

import re

import pytest

from tests.kernel.conftest import StartKernel
from tests.kernel.notebook import Notebook


def test_cells_lists_what_runs_and_what_waits(notebook: Notebook) -> None:
    assert notebook.run("%cells").text().startswith("No cell runs")
    notebook.run("yield_control(); await new Promise(() => {})")
    ended = notebook.run("yield_control(); text('late')")
    ended.until(lambda: "completed" in ended.footer)
    (table,) = notebook.run("%cells").of("display_data")
    head, running, completed = table["data"]["text/plain"].split("\n")
    assert head.split()[0] == "cell"
    assert "running" in running
    assert "completed" in completed
    assert "<table>" in table["data"]["text/html"]


def test_cells_tells_of_cells_that_were_collected(notebook: Notebook) -> None:
    notebook.run("text(1)")
    cells = notebook.run("%cells")
    assert cells.text().startswith("No cell runs")
    (shown,) = cells.of("display_data")
    assert "completed, collected" in shown["data"]["text/plain"]
    notebook.run("%reset")
    assert notebook.run("%cells").of("display_data") == []


def test_a_shell_whose_handle_was_never_printed_can_be_ended(start_kernel: StartKernel) -> None:
    notebook = start_kernel(gate_rules='[{"decision": "allow"}]')
    notebook.run('await tools.exec_command({cmd: "sleep 600", yield_time_ms: 250})')
    *_, shells = notebook.run("%cells").of("display_data")
    line = shells["data"]["text/plain"].split("\n")[1]
    assert "sleep 600" in line
    assert "running" in line
    shell = line.split()[0]
    ended = notebook.run(f"%terminate --shell {shell}")
    assert ended.text() == f"Shell {shell} has ended with exit code 143.\n"
    assert notebook.run(f"%terminate --shell {shell}").status == "error"
    assert "sleep 600" not in str(notebook.run("%cells").of("display_data"))


def test_status_says_what_is_active_and_why_the_rest_is_not(notebook: Notebook) -> None:
    (shown,) = notebook.run("%status").of("display_data")
    assert "<table>" in shown["data"]["text/html"]
    states = states_of(shown["data"]["text/plain"])
    assert states["host"].startswith("active  our own, process ")
    assert states["engine"].startswith("active  QuickJS")
    assert states["live output"].startswith("active")
    assert states["approvals"].startswith("active")
    assert states["Python"] == "off  %%python starts it"
    assert states["servers"] == "off  no MCP server is named; %mcp add does"
    assert states.keys() >= {
        "profile",
        "model facts",
        "gate rules",
        "shells",
        "capture",
        "extension",
    }
    assert any(name.startswith("hardening: ") for name in states)


def test_status_of_a_client_without_input_says_that_nobody_can_be_asked(notebook: Notebook) -> None:
    (shown,) = notebook.run("%status", allow_stdin=False).of("display_data")
    states = states_of(shown["data"]["text/plain"])
    assert states["approvals"].startswith("unavailable  this client takes no input")


def test_status_of_a_host_that_does_not_start_says_why(start_kernel: StartKernel) -> None:
    (shown,) = start_kernel(host_command="/nowhere/host").run("%status").of("display_data")
    states = states_of(shown["data"]["text/plain"])
    assert "/nowhere/host" in states["host"]
    of_the_host = ("host", "engine", "hardening", "live output", "held deadlines", "stored values")
    assert [states.get(name, "")[:13] for name in of_the_host] == ["unavailable  "] * 6


def states_of(plain: str) -> dict[str, str]:
    """State and detail by capability, from the plain table."""
    rows = [re.split(r"  +", line) for line in plain.split("\n")[1:]]
    return {name: f"{state}  {detail}" for name, state, detail in rows}


def test_store_shows_one_or_all_values(notebook: Notebook) -> None:
    assert notebook.run("%store").text() == "No values are stored.\n"
    notebook.run('store("a key", [1]); store("b", "x")')
    sizes, everything = notebook.run("%store").of("display_data")
    assert sizes["data"]["text/plain"].split("\n")[1].split() == ["a", "key", "3", "array"]
    assert "<table>" in sizes["data"]["text/html"]
    assert everything["data"]["application/json"] == {"a key": [1], "b": "x"}
    (one,) = notebook.run("%store a key").of("display_data")
    assert one["data"]["application/json"] == {"a key": [1]}
    assert notebook.run("%store c").of("error")[0]["evalue"] == "No value is stored under 'c'."


def test_store_forgets_one_or_all_values(notebook: Notebook) -> None:
    notebook.run('store("a key", 1); store("b", 2); store("c", 3)')
    _, left = notebook.run("%store --delete a key").of("display_data")
    assert left["data"]["application/json"] == {"b": 2, "c": 3}
    assert notebook.run("%store --delete a key").status == "error"
    assert notebook.run("%store --clear").text() == "No values are stored.\n"
    assert notebook.run('text(String(load("b")))').text() == "undefined\n"


@pytest.mark.parametrize(
    "code",
    [
        "%nothing",
        "%%javascript\n1",
        "%cells now",
        "%status now",
        "%terminate 1 --shell 12345",
        "%terminate --shell 12345",
        "%reset all",
        "%store --forget",
        "%store --delete",
    ],
)
def test_what_no_magic_understands_is_refused(notebook: Notebook, code: str) -> None:
    (error,) = notebook.run(code).of("error")
    assert error["ename"] == "MagicError"


def test_a_misspelt_magic_is_guessed(notebook: Notebook) -> None:
    (error,) = notebook.run("%stauts").of("error")
    assert error["evalue"].startswith("There is no magic %stauts: did you mean %status? There are")
    (error,) = notebook.run("%matplotlib inline").of("error")
    assert error["evalue"].startswith("There is no magic %matplotlib. There are: %wait ")
