"""A page whose connection to the server is cut for a while loses nothing."""

import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.lab_server import LabServer
from tests.browser.line import Line
from tests.browser.notebook_page import NotebookPage, OpenNotebook, RunningNotebookPage
from tests.browser.test_reload import COUNTING, last_line, saved_outputs
from tests.patience import PATIENCE_S, SLOWDOWN

pytestmark = [pytest.mark.browser, pytest.mark.slow]

REJOINED = 90_000 * SLOWDOWN
"""Milliseconds: JupyterLab takes its time to try again, half a minute after some seconds."""

ENDS_UNSEEN = """\
%%python
import pathlib, time
print("waits")
while not pathlib.Path("line-is-down").exists():
    time.sleep(0.1)
print("unseen")
"""

AFTER_IT = """\
%%python
pathlib.Path("all-ended").touch()
"""


@pytest.fixture
def line(lab: LabServer) -> Iterator[Line]:
    with Line(lab.port) as line:
        yield line


@pytest.fixture
def open_notebook(open_notebook: OpenNotebook, line: Line) -> OpenNotebook:
    return lambda *cells: open_notebook(*cells, port=line.port)


def test_a_cell_in_the_foreground_is_complete_and_goes_on(
    open_notebook: OpenNotebook, lab: LabServer, line: Line
) -> None:
    notebook = open_notebook(COUNTING, "%status")
    expect(notebook.run(0)).to_contain_text("line 5.")
    for _ in range(2):
        line.cut()
        expect(notebook.output(0)).to_contain_text(f"line {last_line(notebook, 0) + 20}.")
    notebook.stop()
    notebook.expect_execution_count(0)
    expect_every_line(lab, notebook)
    # It is the same page to the kernel, not another one each time.
    expect(notebook.run(1)).to_contain_text("1 page attached")


def test_what_came_while_the_line_was_down_is_shown(
    open_notebook: OpenNotebook, lab: LabServer, line: Line
) -> None:
    notebook = open_notebook(ENDS_UNSEEN, AFTER_IT, "text('and on')")
    notebook.run_all()
    expect(notebook.output(0)).to_contain_text("waits")
    with line.down():
        (lab.folder / "line-is-down").touch()
        wait_for(lab.folder / "all-ended")
    expect(notebook.output(0)).to_contain_text("unseen", timeout=REJOINED)
    expect(notebook.output(2)).to_contain_text("and on")
    for index in range(3):
        notebook.expect_execution_count(index)
    (stream,) = saved_outputs(lab, notebook, 0)
    assert stream.text == "waits\nunseen\n"


def test_a_page_that_is_cut_off_alone_catches_up(
    open_notebook: OpenNotebook, lab: LabServer, line: Line, page: Page, screenshots: Path
) -> None:
    """The server keeps messages only for the last page that leaves; the kernel tells the others."""
    notebook = open_notebook(COUNTING)
    expect(notebook.run(0)).to_contain_text("line 2.")
    url = lab.page_of(notebook.name)
    other = RunningNotebookPage(page.context.new_page(), url, screenshots)
    with line.down():
        expect(other.output(0)).to_contain_text(f"line {last_line(other, 0) + 20}.")
    caught_up = f"line {last_line(other, 0) + 10}."
    expect(notebook.output(0)).to_contain_text(caught_up, timeout=REJOINED)
    other.stop()
    notebook.expect_execution_count(0)
    expect_every_line(lab, notebook)


def expect_every_line(lab: LabServer, notebook: NotebookPage) -> None:
    """The first cell was stopped and saved, and nothing that it printed is missing or doubled."""
    stream, error = saved_outputs(lab, notebook, 0)
    lines = stream.text.splitlines()
    assert lines == [f"line {i}." for i in range(len(lines))]
    assert error.output_type == "error"


def wait_for(file: Path) -> None:
    deadline = time.monotonic() + PATIENCE_S
    while not file.exists():
        assert time.monotonic() < deadline, f"no {file.name}"
        time.sleep(0.05)
