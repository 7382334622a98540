"""The status bar's item: what runs, and a list that ends it."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.notebook_page import OpenNotebook

pytestmark = [pytest.mark.browser, pytest.mark.slow]

BACKGROUND = "yield_control(); await new Promise((resolve) => setTimeout(resolve, 600000))"
SHELL = """\
const run = await tools.exec_command({cmd: "sleep 600", yield_time_ms: 250});
text(run.session_id);
"""


def test_it_counts_what_runs_and_what_waits(open_notebook: OpenNotebook, page: Page) -> None:
    notebook = open_notebook(BACKGROUND, BACKGROUND, "yield_control(); text('x')", "%wait --all")
    item = page.locator(".codemode-status")
    expect(item).to_have_text("Code Mode: nothing runs")
    for index in range(3):
        notebook.run(index)
    expect(item).to_have_text("Code Mode: 2 running, 1 waiting")
    expect(item).to_have_attribute("title", re.compile("2 cells running\n1 cell ended"))
    notebook.screenshot("status-item")


def test_a_cell_is_terminated_from_the_keyboard(open_notebook: OpenNotebook, page: Page) -> None:
    notebook = open_notebook(BACKGROUND, "%wait 1")
    notebook.run(0)
    item = page.locator(".codemode-status")
    expect(item).to_have_text("Code Mode: 1 running")
    item.focus()
    page.keyboard.press("Enter")
    opened = page.get_by_role("dialog", name="Code Mode cells and shells")
    expect(opened).to_contain_text(re.compile(r"Cell 1In \[1\]running \d+ s"))
    notebook.screenshot("status-list")
    page.keyboard.press("Tab")
    expect(opened.get_by_role("button", name="Terminate cell 1")).to_be_focused()
    page.keyboard.press("Enter")
    expect(opened).to_contain_text("terminated, to be collected with %wait 1")
    expect(item).to_have_text("Code Mode: 1 waiting")
    page.keyboard.press("Escape")
    expect(opened).to_have_count(0)
    expect(item).to_be_focused()
    expect(notebook.output(0)).to_contain_text("terminated")
    notebook.run(1)
    expect(item).to_have_text("Code Mode: nothing runs")


def test_a_shell_is_ended(open_notebook: OpenNotebook, page: Page) -> None:
    notebook = open_notebook(SHELL)
    notebook.run(0)
    notebook.answer(0, "o")
    notebook.expect_execution_count(0)
    page.locator(".codemode-status").click()
    opened = page.get_by_role("dialog", name="Code Mode cells and shells")
    expect(opened).to_contain_text("sleep 600")
    notebook.screenshot("status-shell")
    opened.get_by_role("button", name=re.compile("End shell")).click()
    expect(opened).to_contain_text("No cell runs")


def test_it_is_hidden_for_another_kernel(open_notebook: OpenNotebook, page: Page) -> None:
    open_notebook("text(1)")
    item = page.locator(".codemode-status")
    expect(item).to_be_visible()
    page.get_by_role("menuitem", name="File", exact=True).click()
    page.get_by_text("New Launcher", exact=True).click()
    page.locator(".jp-LauncherCard[data-category='Notebook']", has_text="Python 3").click()
    expect(page.get_by_text("Python 3 (ipykernel) | Idle")).to_be_visible(timeout=60_000)
    expect(item).to_be_hidden()


def test_it_comes_back_after_a_restart(open_notebook: OpenNotebook, page: Page) -> None:
    notebook = open_notebook(BACKGROUND)
    notebook.run(0)
    item = page.locator(".codemode-status")
    expect(item).to_have_text("Code Mode: 1 running")
    for key in ("Escape", "0", "0"):
        page.keyboard.press(key)
    page.get_by_role("button", name="Confirm Kernel Restart").click()
    expect(item).to_have_text("Code Mode: nothing runs")
    notebook.run(0)
    expect(item).to_have_text("Code Mode: 1 running")
