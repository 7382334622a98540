"""Completion and inspection in a real kernel, also while a cell runs."""

from typing import Any

import pytest

from tests.kernel.notebook import Notebook

ENDLESS = "text('started'); await new Promise(() => {})"
YIELDED = "store('kept', [1, 2]); yield_control(); await new Promise(() => {})"


def complete(notebook: Notebook, code: str) -> list[str]:
    reply = notebook.ask("complete", code=code, cursor_pos=len(code))
    assert reply["status"] == "ok"
    matches: list[str] = reply["matches"]
    return matches


def inspect(notebook: Notebook, code: str) -> dict[str, Any]:
    reply = notebook.ask("inspect", code=code, cursor_pos=len(code), detail_level=0)
    data: dict[str, Any] = reply["data"]
    return data


def test_tools_are_those_of_the_session(notebook: Notebook) -> None:
    assert complete(notebook, "await tools.exec_") == ["exec_command"]
    assert complete(notebook, "await tools.exec_command({cm") == ["cmd"]
    assert (
        "```ts\ntools.exec_command(args: {"
        in inspect(notebook, "tools.exec_command")["text/markdown"]
    )


def test_stored_names_are_known_once_their_cell_has_ended(notebook: Notebook) -> None:
    # On a loaded machine the host's answer may be late: the next request has it.
    notebook.run("store('first name', {a: 1})")
    notebook.until(lambda: complete(notebook, 'load("') == ["first name"])
    assert complete(notebook, "%store ")[0] == "first name"
    assert inspect(notebook, 'load("first name')["text/plain"].endswith('{"a":1}')
    notebook.run("%store --clear")
    notebook.until(lambda: complete(notebook, 'load("') == [])


def test_cells_can_be_waited_for_by_id(notebook: Notebook) -> None:
    cell = notebook.run(YIELDED)
    (cell_id,) = [match for match in complete(notebook, "%wait ") if not match.startswith("-")]
    assert cell.footer.startswith(f"[Cell {cell_id}:")
    assert cell_id in complete(notebook, "%terminate ")


@pytest.mark.parametrize(
    "code, wanted",
    [
        ("await tools.exec_command({", "cmd"),
        ("te", "text"),
        ('load("', "kept"),
        ("%wait --", "--terminate"),
    ],
)
def test_answers_while_a_cell_runs(notebook: Notebook, code: str, wanted: str) -> None:
    notebook.run("store('kept', 1)")
    notebook.until(lambda: wanted in complete(notebook, code))
    cell = notebook.send(ENDLESS)
    cell.until(lambda: cell.text() == "started\n")
    reply = notebook.ask("complete", code=code, cursor_pos=len(code))
    assert wanted in reply["matches"]
    assert cell.reply is None
    notebook.stop()
    cell.done()


def test_an_inspection_is_answered_while_a_cell_runs(notebook: Notebook) -> None:
    cell = notebook.send(ENDLESS)
    cell.until(lambda: cell.text() == "started\n")
    assert inspect(notebook, "text(")["text/plain"].startswith("function text(")
    assert cell.reply is None
    notebook.stop()
    cell.done()


def test_what_python_defines_is_offered(notebook: Notebook) -> None:
    notebook.run(
        "%%python\nfrom typing import Literal\nfrom toolbridge import tool\n@tool\n"
        "def paint(colour: Literal['red', 'green']) -> str:\n    '''Paints.'''\n    return colour"
    )
    assert complete(notebook, 'tools.paint({colour: "r') == ["red"]
    assert inspect(notebook, "tools.paint")["text/plain"].endswith("Paints.")
