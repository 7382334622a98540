"""A page attaches: snapshot, events, several pages, and what is no message."""

import pytest
from codemode_kernel import __version__

from tests.kernel.conftest import StartKernel
from tests.kernel.control.conftest import OpenPage
from tests.kernel.control.page import Page
from tests.kernel.notebook import Notebook

pytestmark = pytest.mark.slow

BACKGROUND = "yield_control(); await new Promise((resolve) => setTimeout(resolve, 600000))"

PRINTING = """\
yield_control();
for (let i = 0; i < 40; i++) {
    text(i);
    await new Promise((resolve) => setTimeout(resolve, 25));
}
"""


def test_a_snapshot_tells_of_the_kernel_and_its_cells(notebook: Notebook, page: Page) -> None:
    notebook.run(f"text('x'); {BACKGROUND}", cell_id="a-cell")
    snapshot = page.attach()
    assert snapshot["version"] == 1
    assert snapshot["kernel"]["version"] == __version__
    assert snapshot["kernel"]["host_pid"] > 0
    (cell,) = snapshot["cells"]
    assert (cell["notebook_cell"], cell["stage"], cell["observed"]) == ("a-cell", "running", False)
    assert cell["label"].startswith("In [")
    assert cell["age_s"] >= 0


def test_it_is_answered_while_a_cell_runs_in_the_foreground(notebook: Notebook, page: Page) -> None:
    looping = notebook.send("text('on'); while (true) {}")
    looping.until(lambda: looping.text() == "on\n")
    (cell,) = page.attach()["cells"]
    assert (cell["stage"], cell["observed"]) == ("running", True)
    assert page.order("1", "terminate", cell_id=cell["cell_id"])["type"] == "done"
    assert looping.status == "error"


def test_events_follow_a_cell_from_its_start_to_its_end(notebook: Notebook, page: Page) -> None:
    page.attach()
    notebook.run("yield_control(); text('late'); await tools.exec_command({cmd: 'true'})")
    notebook.answer("o")
    ended = page.hear_of("1", "ended")
    assert (ended["stage"], ended["status"], ended["waiting_items"]) == ("ended", "completed", 1)
    assert (ended["call_count"], ended["open_calls"], ended["asking"]) == (1, 0, 0)
    notebook.run("%wait")
    assert page.hear_of("1", "collected")["stage"] == "collected"


def test_a_reset_is_told_as_forgotten(notebook: Notebook, page: Page) -> None:
    notebook.run(BACKGROUND)
    page.attach()
    notebook.run("%reset")
    assert page.hear_of("1", "forgotten")["stage"] == "forgotten"


def test_sequences_of_events_have_no_gap(notebook: Notebook, page: Page) -> None:
    sequence = page.attach()["sequence"]
    for _ in range(2):
        notebook.run("text(1)")
        sequence += 1
        assert page.hear("events")["sequence"] == sequence


def test_many_cells_that_print_are_told_in_a_few_messages(notebook: Notebook, page: Page) -> None:
    page.attach()
    for _ in range(5):
        notebook.run(PRINTING)
    for number in range(1, 6):
        page.hear_of(str(number), "ended")
    events = [message for message in page.all_told if message["type"] == "events"]
    assert len(events) < 40  # of 200 that happened


def test_two_pages_are_told_the_same(notebook: Notebook, open_page: OpenPage) -> None:
    pages = [open_page(), open_page()]
    for page in pages:
        page.attach()
    notebook.run("text(1)")
    for page in pages:
        assert page.hear_of("1", "collected")["status"] == "completed"


def test_a_page_that_left_is_told_nothing_more(notebook: Notebook, open_page: OpenPage) -> None:
    stays, leaves, detaches = open_page(), open_page(), open_page()
    for page in (stays, leaves, detaches):
        page.attach()
    leaves.leave()
    detaches.say("detach")
    detaches.until(lambda: detaches.is_closed)
    notebook.run("text(1)")
    stays.hear_of("1", "collected")
    leaves.ask("kernel_info")  # whatever was sent to it before has come
    assert leaves.told == detaches.told == []
    status = notebook.run("%status").of("display_data")[0]["data"]["text/plain"]
    assert "1 page attached" in status


@pytest.mark.parametrize(
    "content, words",
    [
        ({"data": {"type": "dance"}}, "Invalid value 'dance'"),
        ({"data": {"type": "terminate", "cell_id": 3, "id": "1"}}, "Expected `str`, got `int`"),
        ({"data": {"version": 1}}, "missing required field `type`"),
        ({"data": [1]}, "Expected `object`, got `array`"),
        ({}, "Expected `object`, got `null`"),
    ],
)
def test_what_is_no_message_is_answered_and_the_comm_lives(
    page: Page, content: dict[str, object], words: str
) -> None:
    page.attach()
    page.send_content(content)
    assert words in page.hear("error")["reason"]
    page.say("attach", version=1)
    page.hear("snapshot")


def test_another_version_is_refused_and_both_are_named(page: Page) -> None:
    page.open(type="attach", version=7)
    reason = page.hear("refused")["reason"]
    assert "version 7" in reason
    assert "version 1" in reason
    assert not any(message["type"] == "snapshot" for message in page.told)


def test_a_page_that_comes_before_the_kernel_is_ready_is_let_in(start_kernel: StartKernel) -> None:
    page = Page(start_kernel().manager)
    page.manager.restart_kernel()
    page.attach()
    page.close()
