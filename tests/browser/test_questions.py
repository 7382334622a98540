"""Questions in the corner of the page, beside the input box under the cell."""

import pytest
from playwright.sync_api import expect

from tests.browser.notebook_page import OpenNotebook

pytestmark = [pytest.mark.browser, pytest.mark.slow]

COMMAND = 'text((await tools.exec_command({cmd: "echo it did run"})).output)'


def test_a_button_answers_and_the_input_box_goes_with_the_question(
    open_notebook: OpenNotebook,
) -> None:
    notebook = open_notebook(COMMAND, "text('next')")
    output = notebook.run(0)
    question = notebook.offered_question
    expect(question).to_contain_text("wants to call exec_command")
    expect(question).to_contain_text("$ echo it did run")
    expect(question).to_contain_text("no rule allows it")
    expect(notebook.question(0)).to_be_visible()
    notebook.screenshot("question")
    notebook.press("Alt+q")
    expect(question.get_by_role("button", name="Allow once")).to_be_focused()
    notebook.press("Tab")
    expect(question.get_by_role("button", name="Allow these arguments")).to_be_focused()
    notebook.press("Enter")
    expect(output.locator("pre", has_text="it did run").last).to_be_visible()
    expect(notebook.question(0)).to_have_count(0)
    expect(question).to_have_count(0)
    # JupyterLab does not take the kernel for one that waits for input, and the answer is kept.
    expect(notebook.run(1)).to_contain_text("next")
    expect(notebook.run(0)).to_contain_text("it did run")
    expect(question).to_have_count(0)


def test_the_input_box_answers_and_the_question_in_the_corner_closes(
    open_notebook: OpenNotebook,
) -> None:
    notebook = open_notebook(COMMAND)
    notebook.run(0)
    expect(notebook.offered_question).to_be_visible()
    notebook.answer(0, "n")
    expect(notebook.error(0)).to_be_visible()
    expect(notebook.offered_question).to_have_count(0)


def test_after_a_reload_the_question_is_asked_again(open_notebook: OpenNotebook) -> None:
    notebook = open_notebook(COMMAND)
    notebook.run(0)
    expect(notebook.offered_question).to_be_visible()
    notebook.reload()
    expect(notebook.offered_question).to_contain_text("$ echo it did run")
    notebook.screenshot("question-after-reload")
    notebook.offered_question.get_by_role("button", name="Allow for the session").click()
    expect(notebook.output(0)).to_contain_text("it did run")
    expect(notebook.offered_question).to_have_count(0)
