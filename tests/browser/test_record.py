"""Records in JupyterLab, where nothing of ours draws them."""

import json
from pathlib import Path

import nbformat
import pytest
from codemode_kernel.record import MIME
from nbformat import NotebookNode
from playwright.sync_api import Page, expect

from tests.browser.lab_server import LabServer
from tests.browser.notebook_page import NotebookPage, OpenNotebook
from tests.kernel.record_check import records_of

pytestmark = [pytest.mark.browser, pytest.mark.slow]

TRUNCATED = "// @exec: {\"max_output_tokens\": 20}\ntext('x'.repeat(500))"
LINE = "A model got 20 of 125 tokens of this"
RECORD = {
    "version": 1,
    "cell_id": "1",
    "kind": "exec",
    "status": "completed",
    "started": "2026-01-31T12:00:00.000Z",
    "wall_time_s": 0.1,
}


def test_a_cell_shows_what_it_shows_and_no_record(open_notebook: OpenNotebook) -> None:
    notebook = open_notebook("text('seen')", "throw new Error('no')", TRUNCATED)
    expect(notebook.run(0)).to_have_text("seen")
    notebook.run(1)
    expect(notebook.error(1)).to_contain_text("Error: no")
    expect(notebook.run(2)).to_contain_text(LINE)
    for index in range(3):
        expect(notebook.output(index)).not_to_contain_text("wall_time_s")
    expect(notebook.errors).to_have_count(1)
    notebook.screenshot("record")


def test_it_is_saved_with_the_notebook_and_brought_up_to_date(
    open_notebook: OpenNotebook, lab: LabServer, page: Page
) -> None:
    notebook = open_notebook("text('a'); yield_control(); text('b')", "%wait")
    notebook.run(0)
    notebook.expect_execution_count(0)
    expect(notebook.run(1)).to_have_text("b")
    notebook.expect_execution_count(1)
    page.keyboard.press("Control+s")
    path = lab.folder / "test_it_is_saved_with_the_notebook_and_brought_up_to_date.ipynb"
    expect(page.get_by_text("Saving completed")).to_be_visible()
    cell, wait = nbformat.read(path, as_version=4).cells
    (exec_record,), (wait_record,) = records_of(cell), records_of(wait)
    assert (exec_record.kind, exec_record.status) == ("exec", "completed")
    assert (wait_record.kind, wait_record.cell_id) == ("wait", exec_record.cell_id)


def test_an_untrusted_notebook_shows_its_outputs_and_no_record(
    lab: LabServer, page: Page, screenshots: Path
) -> None:
    bare = _output("display_data", data={MIME: RECORD})
    told = _output("display_data", data={MIME: RECORD, "text/plain": f"[{LINE}]"})
    notebook = nbformat.v4.new_notebook(
        cells=[
            nbformat.v4.new_code_cell(
                "text('seen')", outputs=[_output("stream", text="seen\n"), output]
            )
            for output in (bare, told)
        ],
        metadata={"kernelspec": {"name": "codemode", "display_name": "Code Mode"}},
    )
    nbformat.write(notebook, lab.folder / "untrusted.ipynb")
    opened = NotebookPage(page, lab.page_of("untrusted.ipynb"), screenshots)
    expect(opened.output(0)).to_have_text("seen")
    expect(opened.output(1)).to_contain_text(LINE)
    expect(page.locator(".jp-Notebook")).not_to_contain_text(json.dumps(RECORD["started"])[1:-1])


def _output(kind: str, **content: object) -> NotebookNode:
    return nbformat.v4.new_output(kind, **content)
