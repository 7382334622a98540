"""The gate asks in the input box under the cell that calls."""

import pytest
from playwright.sync_api import expect

from tests.browser.notebook_page import OpenNotebook

pytestmark = [pytest.mark.browser, pytest.mark.slow]

COMMAND = 'text((await tools.exec_command({cmd: "echo it did run"})).output)'
LATE_COMMAND = f"yield_control();\n{COMMAND}"


def test_a_command_runs_once_it_is_approved(open_notebook: OpenNotebook) -> None:
    notebook = open_notebook(COMMAND)
    output = notebook.run(0)
    expect(notebook.question(0)).to_contain_text("echo it did run")
    notebook.screenshot("approval")
    notebook.answer(0, "o")
    expect(output.locator("pre", has_text="it did run").last).to_be_visible()
    notebook.expect_execution_count(0)


def test_a_no_is_a_refusal_that_the_script_gets(open_notebook: OpenNotebook) -> None:
    notebook = open_notebook(COMMAND)
    notebook.run(0)
    notebook.answer(0, "n")
    expect(notebook.error(0)).to_be_visible()
    notebook.screenshot("approval-refused")


def test_a_yes_for_the_session_is_asked_once(open_notebook: OpenNotebook) -> None:
    notebook = open_notebook(COMMAND, COMMAND)
    notebook.run(0)
    notebook.answer(0, "s")
    notebook.expect_execution_count(0)
    again = notebook.run(1)
    notebook.expect_execution_count(1)
    expect(again).to_contain_text("it did run")
    expect(notebook.question(1)).to_have_count(0)


def test_a_cell_that_has_yielded_asks_under_itself(open_notebook: OpenNotebook) -> None:
    notebook = open_notebook(LATE_COMMAND, "%wait")
    footer = notebook.run(0).locator(".codemode-footer")
    expect(notebook.question(0)).to_be_visible()
    expect(footer).to_contain_text("waiting for your answer")
    notebook.screenshot("approval-late")
    notebook.answer(0, "o")
    expect(notebook.run(1)).to_contain_text("it did run")
