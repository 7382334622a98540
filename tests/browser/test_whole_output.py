"""All that a cell gave is a click away, although browsers open no file for a page of a server."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.notebook_page import OpenNotebook

pytestmark = [pytest.mark.browser, pytest.mark.slow]

WHOLE = "é€😀 0123456789\n" * 200_000
CUT = """\
// @exec: {"max_output_tokens": 5}
text("é€😀 0123456789\\n".repeat(200000));
"""


def saved(page: Page, link: Locator) -> tuple[str, str]:
    """Name and content of the file that a click saves."""
    with page.expect_download() as started:
        link.click()
    download = started.value
    return download.suggested_filename, Path(download.path()).read_text(encoding="utf-8")


def test_the_footer_of_a_cell_saves_all_of_it(open_notebook: OpenNotebook, page: Page) -> None:
    notebook = open_notebook(f"{CUT}yield_control(); await new Promise(() => {{}})", "%terminate 1")
    link = notebook.run(0).get_by_role("link", name="whole output")
    expect(link).to_be_visible()
    notebook.screenshot("whole-output-footer")
    assert saved(page, link) == ("cell-1.txt", WHOLE)
    notebook.run(1)
    expect(notebook.output(0)).to_contain_text("terminated")
    assert saved(page, link) == ("cell-1.txt", WHOLE)


def test_so_do_the_record_and_the_line_of_the_view(open_notebook: OpenNotebook, page: Page) -> None:
    notebook = open_notebook(CUT, "%view 1 --full", "%reset")
    output = notebook.run(0)
    output.locator(".codemode-summary").click()
    button = output.get_by_role("button", name="Save to a file")
    assert saved(page, button) == ("cell-1.txt", WHOLE)
    path = notebook.run(1).get_by_role("link", name=re.compile(r"cell-\d+\.txt"))
    expect(path).to_be_visible()
    notebook.screenshot("whole-output-record")
    assert saved(page, path) == ("cell-1.txt", WHOLE)

    notebook.run(2)
    notebook.expect_execution_count(2)
    button.click()
    expect(
        page.get_by_text("This output is not kept any more: its session is over.")
    ).to_be_visible()
