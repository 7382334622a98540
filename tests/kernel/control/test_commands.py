"""What a page may order."""

import pytest

from tests.kernel.control.page import Page
from tests.kernel.notebook import Notebook

pytestmark = pytest.mark.slow

BACKGROUND = "yield_control(); await new Promise((resolve) => setTimeout(resolve, 600000))"

SHELL = """\
const run = await tools.exec_command({cmd: "sleep 600", yield_time_ms: 250});
text(run.session_id);
"""


def test_a_terminated_cell_waits_to_be_collected(notebook: Notebook, page: Page) -> None:
    notebook.run(f"text('a'); yield_control(); text('b'); {BACKGROUND}")
    page.attach()
    assert page.order("t", "terminate", cell_id="1") == {"type": "done", "id": "t"}
    assert page.hear_of("1", "ended")["status"] == "terminated"
    assert notebook.run("%wait 1").text() == "b\n"


def test_all_cells_are_terminated_at_once(notebook: Notebook, page: Page) -> None:
    for _ in range(2):
        notebook.run(BACKGROUND)
    page.attach()
    assert page.order("a", "terminate_all")["type"] == "done"
    for number in "12":
        page.hear_of(number, "ended")
    assert page.order("b", "terminate_all")["reason"] == "No cell runs."


def test_a_cell_that_is_not_there_is_refused(notebook: Notebook, page: Page) -> None:
    notebook.run("yield_control(); text(1)")
    page.attach()
    assert "no cell 9" in page.order("1", "terminate", cell_id="9")["reason"]
    notebook.run("text('another')")
    assert "has ended already" in page.order("2", "terminate", cell_id="1")["reason"]


def test_a_shell_is_ended(notebook: Notebook, page: Page) -> None:
    started = notebook.send(SHELL)
    notebook.answer("o")
    session_id = int(started.done().text())
    (shell,) = page.attach()["shells"]
    assert (shell["session_id"], shell["is_over"]) == (session_id, False)
    assert page.order("s", "stop_shell", session_id=session_id)["type"] == "done"
    assert page.order("t", "stop_shell", session_id=session_id)["type"] == "refused"


def test_a_whole_output_is_read_in_pieces_of_whole_characters(
    notebook: Notebook, page: Page
) -> None:
    run = notebook.run("// @exec: {\"max_output_tokens\": 5}\ntext('€'.repeat(1000000))")
    page.attach()
    pieces: list[str] = []
    offset = 0
    while offset is not None:
        answer = page.order(str(offset), "read_output", output=run.record["cell_id"], offset=offset)
        assert answer["type"] == "output_piece"
        pieces.append(answer["text"])
        offset = answer["next_offset"]
    assert len(pieces) == 3
    assert "".join(pieces) == "€" * 1_000_000 + "\n"


def test_an_output_that_is_small_and_one_that_a_cell_still_gives_can_be_read(
    notebook: Notebook, page: Page
) -> None:
    cell_id = notebook.run(f"text('so far'); {BACKGROUND}").first_record["cell_id"]
    page.attach()
    answer = page.order("r", "read_output", output=cell_id)
    assert (answer["text"], answer["next_offset"]) == ("so far\n", None)


def test_an_output_that_is_not_kept_is_refused(notebook: Notebook, page: Page) -> None:
    page.attach()
    for output in ("99", "shell-9", ""):
        assert "not kept" in page.order(output or "none", "read_output", output=output)["reason"]
