"""What helps a person write and read cells: completion, tooltip, hints, footers; in both themes."""

import re
from typing import Literal

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.notebook_page import NotebookPage, OpenNotebook

pytestmark = [pytest.mark.browser, pytest.mark.slow]

Scheme = Literal["light", "dark"]

TOOL = '''\
%%python
from toolbridge import tool

@tool(read_only=True)
def word_count(text: str, unit: str = "words") -> int:
    """Count the words of a text."""
    return len(text.split())
'''
PRINTING = """\
yield_control();
for (let i = 1; i <= 12; i++) text(`step ${i} of 12 <is done>`);
await new Promise((resolve) => setTimeout(resolve, 600000));
"""
TIMES = """\
yield_control();
throw new Error("the late error");
"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_completion_tooltip_hints_and_footers(
    open_notebook: OpenNotebook, page: Page, scheme: Scheme
) -> None:
    page.emulate_media(color_scheme=scheme)
    notebook = open_notebook("tools.", TOOL, "console.log('x')", "'never shown'", PRINTING, TIMES)
    notebook.run(1)
    notebook.expect_execution_count(1)
    completions_have_icons(notebook, page, scheme)
    tooltip_shows_the_declaration(notebook, page, scheme)
    for index in (2, 3, 4, 5):
        notebook.run(index)
    expect(notebook.error(2)).to_contain_text("text(")
    expect(notebook.output(3).locator(".codemode-hint")).to_be_visible()
    window = notebook.output(4).locator(".codemode-footer")
    expect(window).to_contain_text("step 12 of 12 <is done>")
    expect(window).not_to_contain_text("step 4 of 12")
    expect(notebook.output(5).locator(".codemode-footer")).to_contain_text("the late error")
    notebook.output(5).scroll_into_view_if_needed()
    page.locator(".codemode-status").click()
    notebook.screenshot(f"footers-{scheme}")


def completions_have_icons(notebook: NotebookPage, page: Page, scheme: Scheme) -> None:
    write(notebook, page, "tools.")
    page.keyboard.press("Tab")
    popup = page.locator(".jp-Completer")
    offered = popup.locator(".jp-Completer-item")
    expect(offered.filter(has_text="exec_command")).to_be_visible()
    expect(offered.filter(has_text="word_count")).to_be_visible()
    expect(offered.first.locator(".jp-Completer-monogram")).to_be_visible()
    expect(popup.locator(".jp-Completer-docpanel")).to_contain_text("apply_patch")
    notebook.screenshot(f"completion-{scheme}")
    page.keyboard.press("Escape")


def tooltip_shows_the_declaration(notebook: NotebookPage, page: Page, scheme: Scheme) -> None:
    write(notebook, page, "tools.word_count(")
    page.keyboard.press("Shift+Tab")
    tooltip = page.locator(".jp-Tooltip")
    expect(tooltip).to_contain_text("Count the words of a text.")
    expect(tooltip).to_contain_text(re.compile(r"text\s*:\s*string"))
    notebook.screenshot(f"tooltip-{scheme}")
    page.keyboard.press("Escape")


def write(notebook: NotebookPage, page: Page, source: str) -> Locator:
    """Replace the source of the first cell."""
    editor = notebook.cell(0).locator(".cm-content")
    editor.click()
    page.keyboard.press("Control+a")
    page.keyboard.insert_text(source)
    return editor
