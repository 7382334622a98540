"""The small magics: %cells, %store, and what is no magic."""

import pytest

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


def test_store_shows_one_or_all_values(notebook: Notebook) -> None:
    assert notebook.run("%store").text() == "No values are stored.\n"
    notebook.run('store("a key", [1]); store("b", "x")')
    (everything,) = notebook.run("%store").of("display_data")
    assert everything["data"]["application/json"] == {"a key": [1], "b": "x"}
    (one,) = notebook.run("%store a key").of("display_data")
    assert one["data"]["application/json"] == {"a key": [1]}
    assert notebook.run("%store c").of("error")[0]["evalue"] == "No value is stored under 'c'."


def test_store_forgets_one_or_all_values(notebook: Notebook) -> None:
    notebook.run('store("a key", 1); store("b", 2); store("c", 3)')
    (left,) = notebook.run("%store --delete a key").of("display_data")
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
        "%reset all",
        "%store --forget",
        "%store --delete",
    ],
)
def test_what_no_magic_understands_is_refused(notebook: Notebook, code: str) -> None:
    (error,) = notebook.run(code).of("error")
    assert error["ename"] == "MagicError"
