"""A page that is reloaded loses nothing."""

import re

import nbformat
import pytest
from codemode_kernel.record import MIME
from playwright.sync_api import expect

from tests.browser.lab_server import LabServer
from tests.browser.notebook_page import NotebookPage, OpenNotebook

pytestmark = [pytest.mark.browser, pytest.mark.slow]

COUNTING = """\
// @exec: {"yield_time_ms": 600000}
for (let i = 0; ; i++) {
    text(`line ${i}.`);
    await new Promise((resolve) => setTimeout(resolve, 100));
}
"""
"""Counts in the foreground until it is stopped."""

UNTIL_TOLD = """\
%%python
import pathlib, time
print("waits")
while not pathlib.Path("go-on").exists():
    time.sleep(0.1)
print("was told")
"""
"""Stays in the foreground until the test makes a file."""

PATIENT = """\
text("before");
yield_control();
text("waiting line");
while (load("go") === undefined) await new Promise((resolve) => setTimeout(resolve, 50));
"""


def saved_outputs(
    lab: LabServer, notebook: NotebookPage, index: int
) -> list[nbformat.NotebookNode]:
    """What the file holds of a cell, its record aside, after the notebook was saved."""
    notebook.save()
    cells = nbformat.read(lab.folder / notebook.name, as_version=4).cells
    return [output for output in cells[index].outputs if MIME not in output.get("data", {})]


def last_line(notebook: NotebookPage, index: int) -> int:
    """The highest number that a counting cell shows."""
    return int(re.findall(r"line (\d+)\.", notebook.output(index).inner_text())[-1])


def test_a_cell_in_the_foreground_is_complete_and_goes_on(
    open_notebook: OpenNotebook, lab: LabServer
) -> None:
    notebook = open_notebook(COUNTING)
    expect(notebook.run(0)).to_contain_text("line 5.")
    notebook.reload()
    output = notebook.output(0)
    expect(output).to_contain_text("line 0.")
    expect(notebook.prompt(0)).to_have_text("[*]:")
    notebook.screenshot("reload-foreground")
    expect(output).to_contain_text(f"line {last_line(notebook, 0) + 10}.")
    notebook.stop()
    notebook.expect_execution_count(0)
    expect(notebook.error(0)).to_have_count(1)
    stream, error = saved_outputs(lab, notebook, 0)
    lines = stream.text.splitlines()
    assert lines == [f"line {i}." for i in range(len(lines))]
    assert error.output_type == "error"


def test_a_yielded_cell_lives_on_and_is_collected(open_notebook: OpenNotebook) -> None:
    notebook = open_notebook(PATIENT, "%terminate 1", "%status")
    expect(notebook.run(0).locator(".codemode-footer")).to_contain_text("waiting line")
    notebook.reload()
    footer = notebook.output(0).locator(".codemode-footer")
    expect(footer).to_have_count(1)
    expect(footer).to_contain_text(re.compile(r"running · \d+ s"))
    first = footer.inner_text()
    expect(footer).not_to_have_text(first, use_inner_text=True)
    expect(footer).to_contain_text(re.compile(r"running · \d+ s"))
    notebook.screenshot("reload-yielded")
    expect(notebook.run(1)).to_contain_text("waiting line")
    expect(footer).to_contain_text("collected by")
    expect(notebook.output(0)).to_contain_text("before")
    # The page that was reloaded has said goodbye.
    expect(notebook.run(2)).to_contain_text("1 page attached")


def test_a_cell_that_ended_before_anything_was_saved_is_complete(
    open_notebook: OpenNotebook, lab: LabServer
) -> None:
    notebook = open_notebook("text('one'); text({a: 1}); throw new TypeError('two')")
    notebook.run(0)
    notebook.expect_execution_count(0)
    notebook.reload()
    expect(notebook.error(0)).to_contain_text("TypeError: two")
    notebook.expect_execution_count(0)
    kinds = [output.output_type for output in saved_outputs(lab, notebook, 0)]
    assert kinds == ["stream", "display_data", "error"]


def test_cells_that_were_queued_are_shown_when_their_turn_comes(
    open_notebook: OpenNotebook, lab: LabServer
) -> None:
    notebook = open_notebook(UNTIL_TOLD, "text('at last')")
    notebook.run_all()
    expect(notebook.output(0)).to_contain_text("waits")
    notebook.reload()
    expect(notebook.output(0)).to_contain_text("waits")
    expect(notebook.prompt(0)).to_have_text("[*]:")
    (lab.folder / "go-on").touch()
    expect(notebook.output(0)).to_contain_text("was told")
    expect(notebook.output(1)).to_contain_text("at last")
    notebook.expect_execution_count(1)


def test_a_second_page_shows_what_runs_in_the_first(open_notebook: OpenNotebook) -> None:
    first = open_notebook(COUNTING, "%status")
    expect(first.run(0)).to_contain_text("line 5.")
    second = first.in_another_page()
    expect(second.output(0)).to_contain_text("line 0.")
    expect(second.output(0)).to_contain_text(f"line {last_line(second, 0) + 5}.")
    second.stop()
    for page in (first, second):
        page.expect_execution_count(0)
        expect(page.error(0)).to_have_count(1)
        assert page.output(0).inner_text().count("line 5.") == 1
    assert last_line(first, 0) == last_line(second, 0)
    expect(second.run(1)).to_contain_text("2 pages attached")
    expect(first.output(1)).not_to_contain_text("pages attached")


def test_a_cell_that_is_run_again_after_the_reload_shows_only_the_new_run(
    open_notebook: OpenNotebook,
) -> None:
    notebook = open_notebook(
        "text(`run ${(load('n') ?? 0) + 1}`); store('n', (load('n') ?? 0) + 1)"
    )
    expect(notebook.run(0)).to_contain_text("run 1")
    notebook.expect_execution_count(0)
    notebook.reload()
    expect(notebook.output(0)).to_contain_text("run 1")
    output = notebook.run(0)
    expect(output).to_contain_text("run 2")
    expect(output).not_to_contain_text("run 1")


def test_a_deleted_cell_and_an_edited_notebook_do_no_harm(open_notebook: OpenNotebook) -> None:
    notebook = open_notebook("text('gone')", COUNTING)
    notebook.save()
    notebook.run(0)
    expect(notebook.run(1)).to_contain_text("line 2.")
    notebook.delete(0)
    notebook.save()
    notebook.reload()
    expect(notebook.output(0)).to_contain_text("line 2.")
    expect(notebook.output(0)).not_to_contain_text("gone")
    expect(notebook.output(0)).to_contain_text(f"line {last_line(notebook, 0) + 5}.")
    notebook.stop()
    notebook.expect_execution_count(0)


def test_help_is_there_again(open_notebook: OpenNotebook) -> None:
    notebook = open_notebook("%help")
    expect(notebook.run(0)).to_contain_text("A cell that starts with % is a magic")
    notebook.reload()
    expect(notebook.output(0)).to_contain_text("A cell that starts with % is a magic")
