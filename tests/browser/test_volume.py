"""A page stays usable beside a cell that says far too much."""

import pytest
from playwright.sync_api import expect

from tests.browser.notebook_page import OpenNotebook
from tests.kernel.captures.test_volume import IMAGES, LENGTH, SCRIPT, TEXTS
from tests.patience import PATIENCE_S

pytestmark = [pytest.mark.browser, pytest.mark.slow]

FLOOD = f'// @exec: {{"yield_time_ms": 3600000}}\n{SCRIPT.lstrip()}'


def test_after_200_megabytes_and_1000_images_a_cell_is_typed_and_answers(
    open_notebook: OpenNotebook,
) -> None:
    assert TEXTS * LENGTH == 200_000_000
    assert IMAGES == 1000
    notebook = open_notebook(FLOOD, "", "%view 1")
    flooded = notebook.run(0)
    expect(flooded.locator("img").first).to_be_visible()

    # While it goes on.
    notebook.cell(1).locator(".cm-content").click()
    notebook.press("t")
    notebook.press("e")
    expect(notebook.cell(1).locator(".cm-content")).to_have_text("te")
    notebook.expect_execution_count(0, timeout=4000 * PATIENCE_S)
    expect(flooded).to_contain_text("bytes of text: the rest is not shown")

    # And after it.
    notebook.cell(1).locator(".cm-content").fill("text(6 * 7)")
    expect(notebook.run(1)).to_contain_text("42")
    expect(notebook.run(2)).to_contain_text("a model got 10,000 of")
    notebook.screenshot("after-the-flood")
