"""What a page gets that was opened anew."""

from typing import Any

import pytest
from codemode_kernel.record import MIME

from tests.kernel.control.conftest import OpenPage
from tests.kernel.control.page import Page
from tests.kernel.notebook import Notebook

pytestmark = pytest.mark.slow


def run_of(page: Page, notebook_cell: str) -> dict[str, Any]:
    """The replay of a notebook cell."""
    return next(run for run in page.hear("replay")["runs"] if run["notebook_cell"] == notebook_cell)


def stream(text: str, name: str = "stdout") -> dict[str, Any]:
    return {"output_type": "stream", "name": name, "text": text}


def test_an_ended_run_is_given_as_a_notebook_holds_it(notebook: Notebook, page: Page) -> None:
    ran = notebook.run("text('a'); text('b'); text({c: 1}); throw new Error('no')", cell_id="x")
    page.attach({"notebook_cell": "x"})
    run = run_of(page, "x")
    assert (run["run"], run["in_foreground"], run["adds"]) == (ran.msg_id, False, False)
    first, tree, record, error = run["outputs"]
    assert MIME in record["data"]
    assert first == stream("a\nb\n")
    assert tree["data"]["application/json"] == {"c": 1}
    assert (error["output_type"], error["ename"]) == ("error", "Error")


def test_a_page_that_has_it_all_gets_nothing(notebook: Notebook, page: Page) -> None:
    count = notebook.run("text('ä𝄞')", cell_id="x").reply["execution_count"]  # type: ignore[index]
    seen = {"notebook_cell": "x", "outputs": 2, "characters": 3}  # its text and its record
    page.attach({**seen, "execution_count": count})
    page.say("attach", version=1, cells=[{**seen, "execution_count": count - 1}])
    page.hear("snapshot")
    assert run_of(page, "x")["execution_count"] == count
    assert [message["type"] for message in page.all_told] == ["snapshot", "snapshot", "replay"]


def test_live_output_begins_where_the_replay_ends(notebook: Notebook, page: Page) -> None:
    printing = (
        "for (let i = 0; i < 300; i++) { text(i); await new Promise(r => setTimeout(r, 3)); }"
    )
    running = notebook.send(printing, cell_id="x")
    running.until(lambda: "20\n" in running.text())
    page.attach({"notebook_cell": "x"})
    run = run_of(page, "x")
    assert run["in_foreground"]
    page.until(lambda: page.is_idle(run["run"]))
    text = run["outputs"][0]["text"] + page.text_after_replay(run["run"])
    assert text == "".join(f"{i}\n" for i in range(300))


def test_a_footer_is_given_as_it_is_and_can_be_updated(notebook: Notebook, page: Page) -> None:
    notebook.run("yield_control(); text('late')", cell_id="x")
    notebook.run("%wait")
    page.attach({"notebook_cell": "x"})
    footer, *_ = run_of(page, "x")["outputs"]
    assert "collected by" in footer["data"]["text/plain"]
    assert footer["transient"]["display_id"].startswith("codemode-")


def test_the_page_that_ran_a_cell_needs_no_replay(notebook: Notebook, page: Page) -> None:
    notebook.run("text('other')", cell_id="y")
    page.run("text('own')", cell_id="x")
    page.attach({"notebook_cell": "x"}, {"notebook_cell": "y"})
    assert [run["notebook_cell"] for run in page.hear("replay")["runs"]] == ["y"]


def test_a_page_that_attaches_again_may_lack_what_it_ran(page: Page) -> None:
    """Its connection was cut for a while."""
    page.attach({"notebook_cell": "x"})
    page.run("text('own')", cell_id="x")
    page.say("attach", version=1, cells=[{"notebook_cell": "x"}])
    run = run_of(page, "x")
    assert run["outputs"][0] == stream("own\n")
    assert not run["shown_elsewhere"]


def test_a_run_whose_turn_comes_after_the_reload_is_told(notebook: Notebook, page: Page) -> None:
    """It was queued by a page that is gone."""
    first = notebook.send("text('on'); while (true) {}", cell_id="x", stop_on_error=False)
    queued = notebook.send("text('at last')", cell_id="y")
    first.until(lambda: first.text() == "on\n")
    page.attach({"notebook_cell": "x"}, {"notebook_cell": "y"})
    assert run_of(page, "x")["run"] == first.msg_id
    page.order("1", "terminate_all")
    run = run_of(page, "y")
    assert (run["run"], run["outputs"], run["in_foreground"]) == (queued.msg_id, [], True)
    page.until(lambda: page.is_idle(queued.msg_id))
    assert page.text_after_replay(queued.msg_id) == "at last\n"


def test_a_run_is_told_to_no_other_page_while_its_own_is_there(
    notebook: Notebook, open_page: OpenPage
) -> None:
    runs_it, watches = open_page(), open_page()
    runs_it.attach()
    watches.attach()
    runs_it.run("text('own')", cell_id="x")
    watches.hear_of("1", "collected")
    assert not any(message["type"] == "replay" for message in watches.told)
