"""The record under a cell: one line that opens to all that the cell did."""

import re
from typing import Literal

import nbformat
import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.lab_server import LabServer
from tests.browser.notebook_page import NotebookPage, OpenNotebook, OpenSaved
from tests.browser.saved_records import (
    DAMAGED,
    DRAWN_CHARACTERS,
    LONG,
    ORDINARY,
    RICH,
    SEEN,
    bundle,
    picture_bundle,
)
from tests.kernel.record_check import records_of

pytestmark = [pytest.mark.browser, pytest.mark.slow]

Scheme = Literal["light", "dark"]

TWO_CALLS = """\
const command = {cmd: "git log --oneline | head -3"};
await Promise.all([tools.exec_command(command), tools.exec_command(command)]);
"""

YIELDING = """\
yield_control();
while (load("go") === undefined) await new Promise((resolve) => setTimeout(resolve, 50));
"""


def summary(notebook: NotebookPage, index: int) -> Locator:
    """The one line of the record under a cell."""
    return notebook.output(index).locator("summary")


def opened(notebook: NotebookPage, page: Page, index: int) -> Locator:
    """The record under a cell, opened from the keyboard."""
    summary(notebook, index).focus()
    page.keyboard.press("Enter")
    details = notebook.output(index).locator("details")
    expect(details.get_by_text("Wall time", exact=True)).to_be_visible()
    return details


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_line_opens_to_everything_the_cell_did(
    open_saved: OpenSaved, page: Page, scheme: Scheme
) -> None:
    page.emulate_media(color_scheme=scheme)
    notebook = open_saved(bundle(ORDINARY), bundle(RICH))
    is_light = str(scheme == "light").lower()
    expect(page.locator("body")).to_have_attribute("data-jp-theme-light", is_light)
    expect(summary(notebook, 0)).to_have_text("Completed · 340 ms · 12 tokens")
    expect(summary(notebook, 1)).to_have_text(
        "Failed · 4.2 s · 10,000 tokens · 3 calls · 1 failed · 1 cancelled truncated"
    )
    notebook.screenshot(f"record-{scheme}")

    record = opened(notebook, page, 1)
    for title in ("Nested calls", "What a model got", "Notifications"):
        expect(record.get_by_role("region", name=title)).to_be_visible()
    expect(record).to_contain_text("quickjs-ng 0.17.0.2")
    expect(record).to_contain_text(
        "Image · image/png · 31 kB · detail high · SHA-256 ab12ab12ab12…"
    )
    expect(record).to_contain_text("1,200 characters of the model view")
    notebook.screenshot(f"record-open-{scheme}")
    page.keyboard.press("Enter")
    expect(record.get_by_text("What a model got")).to_be_hidden()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_models_view_is_drawn_beside_the_outputs_from_the_notebook_alone(
    open_saved: OpenSaved, page: Page, scheme: Scheme
) -> None:
    page.emulate_media(color_scheme=scheme)
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    notebook = open_saved([picture_bundle(), {"text/plain": "what else it gave"}, bundle(SEEN)])
    seen = opened(notebook, page, 0)
    view = seen.get_by_role("region", name="What a model got")
    expect(view.get_by_text("1 · header · 12 tokens")).to_be_visible()
    expect(view.get_by_role("img", name="Image · image/png")).to_be_visible()
    expect(view.locator("mark")).to_have_text([LONG.split("\n")[0], "…80000 tokens truncated…"])
    expect(seen.get_by_role("region", name="Notifications")).to_contain_text("from cell 2")

    notebook.screenshot(f"record-view-{scheme}")
    beside = view.get_by_role("button", name="Beside the output")
    beside.focus()
    page.keyboard.press("Enter")
    expect(beside).to_have_attribute("aria-pressed", "true")
    own, models = notebook.output(0).locator(".jp-RenderedImage"), view
    assert _right_edge(own) <= _left_edge(models)
    notebook.screenshot(f"record-beside-{scheme}")

    text = view.locator("pre").last
    assert len(text.inner_text()) == DRAWN_CHARACTERS
    view.get_by_role("button", name=f"Show all {len(LONG):,} characters").press("Enter")
    expect(text).to_contain_text("end of it")
    expect(text).to_be_focused()

    for command in ("%view 3 --full", "%view 3 --call tool-1"):
        if "call" in command:
            seen.get_by_text("read_file", exact=True).click()
        copy = seen.get_by_role("button", name=f"Copy {command}")
        copy.press("Enter")
        expect(copy).to_have_text("Copied")
        assert page.evaluate("navigator.clipboard.readText()") == command
    notebook.screenshot(f"record-call-{scheme}")


def _left_edge(shown: Locator) -> float:
    box = shown.bounding_box()
    assert box is not None
    return box["x"]


def _right_edge(shown: Locator) -> float:
    box = shown.bounding_box()
    assert box is not None
    return box["x"] + box["width"]


def test_it_is_reached_by_tab_and_its_keys_are_not_the_notebooks(
    open_saved: OpenSaved, page: Page
) -> None:
    notebook = open_saved(bundle(ORDINARY), bundle(RICH))
    expect(summary(notebook, 1)).to_be_visible()
    notebook.cell(0).locator(".jp-InputPrompt").click()
    for _ in range(2):  # past the cell's toolbar
        page.keyboard.press("Tab")
    expect(summary(notebook, 0)).to_be_focused()
    page.keyboard.press("Enter")
    expect(notebook.output(0).get_by_text("Wall time", exact=True)).to_be_visible()
    page.keyboard.press("ArrowDown")
    expect(summary(notebook, 0)).to_be_focused()
    expect(notebook.cell(0)).to_have_class(re.compile("jp-mod-active"))


def test_nested_calls_are_a_tree_for_the_keyboard(open_saved: OpenSaved, page: Page) -> None:
    notebook = open_saved(bundle(RICH))
    calls = opened(notebook, page, 0).get_by_role("tree", name="Nested calls")
    command = calls.get_by_role("treeitem", name="exec_command")
    count = calls.get_by_role("treeitem", name="word_count")
    stdin = calls.get_by_role("treeitem", name="write_stdin")
    result = command.get_by_role("treeitem").filter(has_text="result")

    page.keyboard.press("Tab")
    expect(command).to_be_focused()
    for key, focused in {"End": stdin, "ArrowUp": count, "Home": command}.items():
        page.keyboard.press(key)
        expect(focused).to_be_focused()
    page.keyboard.press("ArrowRight")
    expect(command).to_have_attribute("aria-expanded", "true")
    expect(result).to_contain_text('"exit_code": 0')
    for key in ("ArrowRight", "ArrowDown", "ArrowDown"):  # started, arguments, result
        page.keyboard.press(key)
    expect(result).to_be_focused()
    notebook.screenshot("record-tree")
    page.keyboard.press("ArrowLeft")
    expect(command).to_be_focused()
    page.keyboard.press("ArrowLeft")
    expect(result).to_be_hidden()
    page.keyboard.press("ArrowDown")
    expect(count).to_be_focused()
    page.keyboard.press(" ")
    expect(count).to_contain_text("/arguments/token (secret)")


def test_an_untrusted_notebook_shows_it_and_none_of_it_is_markup(
    open_saved: OpenSaved, page: Page
) -> None:
    notebook = open_saved(bundle(RICH))
    record = opened(notebook, page, 0)
    expect(page.locator(".jp-StatusItem-trust")).to_have_attribute(
        "title", re.compile("not trusted", re.IGNORECASE)
    )
    record.get_by_text("word_count", exact=True).click()
    error = record.get_by_text("no words in <img src=x")
    error.click()  # where text is, to select some of it
    expect(error).to_be_visible()
    expect(record.locator("img, script")).to_have_count(0)


def test_a_damaged_record_is_a_plain_line_and_harms_no_other(
    open_saved: OpenSaved, page: Page
) -> None:
    failures: list[object] = []
    # Playwright marks what it calls, and a built-in method takes no mark.
    page.on("pageerror", lambda error: failures.append(error))  # noqa: PLW0108
    notebook = open_saved(*map(bundle, DAMAGED), bundle(ORDINARY))
    expect(summary(notebook, len(DAMAGED))).to_be_visible()
    for index, record in enumerate(DAMAGED):
        words = "has version 7" if record == {"version": 7} else "is damaged"
        expect(notebook.output(index)).to_contain_text(f"The record of this cell {words}")
    notebook.screenshot("record-damaged")
    assert not failures


def test_a_cell_that_was_run_has_a_record(open_notebook: OpenNotebook, page: Page) -> None:
    notebook = open_notebook(TWO_CALLS)
    notebook.run(0)
    expect(summary(notebook, 0)).to_contain_text("2 calls")
    calls = opened(notebook, page, 0).get_by_role("tree", name="Nested calls")
    expect(calls.locator("> li")).to_have_count(2)
    notebook.screenshot("record-live")


def test_an_opened_record_stays_open_when_it_is_brought_up_to_date(
    open_notebook: OpenNotebook, page: Page
) -> None:
    notebook = open_notebook(YIELDING, "%terminate 1")
    notebook.run(0)
    expect(summary(notebook, 0)).to_contain_text("Yielded after")
    opened(notebook, page, 0)
    notebook.run(1)
    expect(summary(notebook, 0)).to_contain_text("Terminated")
    expect(notebook.output(0).get_by_text("Wall time", exact=True)).to_be_visible()


def test_it_is_saved_with_the_notebook_and_brought_up_to_date(
    open_notebook: OpenNotebook, lab: LabServer, page: Page
) -> None:
    notebook = open_notebook("text('a'); yield_control(); text('b')", "%wait")
    notebook.run(0)
    notebook.expect_execution_count(0)
    expect(notebook.run(1)).to_contain_text("b")
    notebook.expect_execution_count(1)
    page.keyboard.press("Control+s")
    path = lab.folder / "test_it_is_saved_with_the_notebook_and_brought_up_to_date.ipynb"
    expect(page.get_by_text("Saving completed")).to_be_visible()
    cell, wait = nbformat.read(path, as_version=4).cells
    (exec_record,), (wait_record,) = records_of(cell), records_of(wait)
    assert (exec_record.kind, exec_record.status) == ("exec", "completed")
    assert (wait_record.kind, wait_record.cell_id) == ("wait", exec_record.cell_id)
