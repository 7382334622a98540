"""What a page may order."""

import pytest

from tests.kernel.control.page import Page
from tests.kernel.notebook import Execution, Notebook

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
        answer = page.order(str(offset), "read_capture", file=file_of(run), offset=offset)
        assert answer["type"] == "capture_piece"
        pieces.append(answer["text"])
        offset = answer["next_offset"]
    assert len(pieces) == 3
    assert "".join(pieces) == "€" * 1_000_000 + "\n"


def test_what_a_cell_still_gives_is_read_as_far_as_it_has_come(
    notebook: Notebook, page: Page
) -> None:
    run = notebook.run(f'// @exec: {{"max_output_tokens": 1}}\ntext("so far"); {BACKGROUND}')
    page.attach()
    answer = page.order("r", "read_capture", file=file_of(run))
    assert (answer["text"], answer["next_offset"]) == ("so far\n", None)
    answer = page.order("s", "read_capture", file=file_of(run), offset=10**15)
    assert (answer["text"], answer["next_offset"]) == ("", None)


def test_no_file_but_those_of_this_session_is_read(notebook: Notebook, page: Page) -> None:
    run = notebook.run("// @exec: {\"max_output_tokens\": 1}\ntext('of a session that is over')")
    file = file_of(run)
    notebook.run("%reset")
    notebook.run("// @exec: {\"max_output_tokens\": 1}\ntext('of another one')")
    page.attach()
    for number, other in enumerate((file, "", "/etc/hostname", "../x", f"x/../{file}")):
        reason = page.order(str(number), "read_capture", file=other)["reason"]
        assert reason == "This output is not kept any more: its session is over."


def file_of(run: Execution) -> str:
    """Folder and name of the file that its record names."""
    return "/".join(run.first_record["capture"]["path"].split("/")[-2:])
