"""Yielding, waiting and stopping, seen in JupyterLab."""

import pytest
from playwright.sync_api import expect

from tests.browser.notebook_page import OpenNotebook

pytestmark = [pytest.mark.browser, pytest.mark.slow]

GATED = """\
text("before");
yield_control();
text("waiting line");
while (load("go") === undefined) await new Promise((resolve) => setTimeout(resolve, 50));
text("after");
"""
"""Runs until it is terminated: no other cell's store reaches one that runs already."""


def test_a_yielded_cell_has_a_live_footer_until_a_wait_collects_it(
    open_notebook: OpenNotebook,
) -> None:
    notebook = open_notebook(GATED, "%wait 1 --terminate")
    yielded = notebook.run(0)
    footer = yielded.locator(".codemode-footer")
    expect(footer).to_contain_text("running")
    notebook.screenshot("footer-running")

    waited = notebook.run(1)
    expect(waited).to_contain_text("waiting line")
    expect(footer).to_contain_text("collected by")
    expect(yielded).not_to_contain_text("waiting line")
    notebook.screenshot("footer-collected")


def test_the_footer_shows_what_waits_and_other_cells_run_meanwhile(
    open_notebook: OpenNotebook,
) -> None:
    notebook = open_notebook(GATED, "text('another cell')", "%terminate 1")
    footer = notebook.run(0).locator(".codemode-footer")
    expect(footer).to_contain_text("waiting line")
    expect(notebook.run(1)).to_contain_text("another cell")
    notebook.screenshot("footer-window")

    notebook.run(2)
    expect(footer).to_contain_text("terminated")


def test_stop_ends_an_endless_loop_and_keeps_the_session(open_notebook: OpenNotebook) -> None:
    notebook = open_notebook(
        "store('kept', 'still here')", "text('looping');\nwhile (true) {}", "text(load('kept'))"
    )
    notebook.run(0)
    notebook.expect_execution_count(0)
    looping = notebook.run(1)
    expect(looping).to_contain_text("looping")
    notebook.stop()
    notebook.expect_execution_count(1)
    expect(notebook.error(1)).to_be_visible()
    notebook.screenshot("stopped")
    expect(notebook.run(2)).to_contain_text("still here")


def test_run_all_stops_at_a_script_error(open_notebook: OpenNotebook) -> None:
    notebook = open_notebook("text('one')", "nonsense();", "text('three')")
    notebook.run_all()
    expect(notebook.error(1)).to_contain_text("ReferenceError")
    notebook.wait_until_idle()
    expect(notebook.output(0)).to_contain_text("one")
    expect(notebook.output(2)).not_to_contain_text("three")
