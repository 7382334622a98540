"""The gate asks the person at the notebook."""

import pytest

from tests.kernel.notebook import Notebook
from tests.patience import SLOWDOWN

ECHO = 'const r = await tools.exec_command({cmd: "echo hi"}); text(r.output);'


def question(notebook: Notebook) -> str:
    """The prompt of the input box that is open."""
    notebook.until(lambda: bool(notebook.questions))
    return str(notebook.questions[0]["content"]["prompt"])


@pytest.mark.parametrize("word", ["o", "once", "Yes "])
def test_a_yes_runs_the_call_once(notebook: Notebook, word: str) -> None:
    for _ in range(2):
        cell = notebook.send(ECHO)
        assert "exec_command" in question(notebook)
        assert "echo hi" in question(notebook)
        notebook.answer(word)
        assert cell.done().text() == "hi\n"


def test_a_yes_for_the_session_is_not_asked_again(notebook: Notebook) -> None:
    cell = notebook.send(ECHO)
    assert "this tool for the [s]ession" in question(notebook)
    notebook.answer("s")
    assert cell.done().text() == "hi\n"
    assert notebook.run(ECHO).text() == "hi\n"


def test_a_yes_for_the_same_arguments_is_for_no_others(notebook: Notebook) -> None:
    cell = notebook.send(ECHO)
    assert "these [a]rguments" in question(notebook)
    notebook.answer("a")
    assert cell.done().text() == "hi\n"
    assert notebook.run(ECHO).text() == "hi\n"
    assert notebook.run(ECHO).record["calls"][0]["approval"]["decision"] == "same"
    other = notebook.send(ECHO.replace("hi", "ho"))
    notebook.answer("n")
    assert other.status == "error"


def test_a_never_is_not_asked_again(notebook: Notebook) -> None:
    cell = notebook.send(ECHO)
    notebook.answer("never")
    assert cell.status == "error"
    again = notebook.run(ECHO)
    assert "the person said no to all its calls in this session" in again.of("error")[0]["evalue"]


def test_a_cell_that_is_terminated_withdraws_its_question_and_the_next_is_put(
    notebook: Notebook,
) -> None:
    first = notebook.send(f"yield_control(); {ECHO}").done()
    assert notebook.send(f"yield_control(); {ECHO.replace('hi', 'ho')}").status == "ok"
    assert "echo hi" in question(notebook)
    notebook.run("%terminate 1")
    notebook.until(lambda: len(notebook.questions) == 2)
    withdrawn, following = notebook.questions
    assert withdrawn["parent_header"]["msg_id"] == first.msg_id
    assert "echo ho" in following["content"]["prompt"]
    notebook.questions.clear()
    notebook.client.input("o")
    assert notebook.run("%wait 2").text() == "ho\n"


@pytest.mark.parametrize("word", ["n", ""])
def test_a_no_rejects_the_call_with_a_string(notebook: Notebook, word: str) -> None:
    cell = notebook.send(f"try {{ {ECHO} }} catch (e) {{ text(typeof e) }}")
    notebook.answer(word)
    assert cell.done().text() == "string\n"


def test_an_unclear_answer_is_asked_again(notebook: Notebook) -> None:
    cell = notebook.send(ECHO)
    notebook.answer("perhaps")
    assert question(notebook).startswith("Please answer")
    notebook.answer("o")
    assert cell.done().text() == "hi\n"


def test_a_client_without_stdin_is_refused_with_a_reason(notebook: Notebook) -> None:
    cell = notebook.run(f"try {{ {ECHO} }} catch (e) {{ text(e) }}", allow_stdin=False)
    assert "exec_command" in cell.text()
    assert notebook.questions == []


def test_the_question_stands_under_its_own_cell_and_others_run(notebook: Notebook) -> None:
    asking = notebook.send(f"yield_control(); {ECHO}").done()
    prompt = question(notebook)
    parent = notebook.questions[0]["parent_header"]["msg_id"]
    assert parent == asking.msg_id
    assert prompt.startswith(f"In [{asking.reply['execution_count']}]" if asking.reply else "?")
    assert notebook.run("text('meanwhile')", allow_stdin=False).text() == "meanwhile\n"
    asking.until(lambda: "waiting for your answer" in asking.footer)
    notebook.answer("o")
    assert notebook.run("%wait").text() == "hi\n"


def test_a_deadline_stands_still_while_the_person_is_asked(notebook: Notebook) -> None:
    deadline_ms = round(500 * SLOWDOWN)
    cell = notebook.send(f'// @exec: {{"yield_time_ms": {deadline_ms}}}\n{ECHO}')
    question(notebook)
    notebook.run_for(1.2 * deadline_ms / 1000)
    assert cell.reply is None
    notebook.answer("o")
    assert cell.done().text() == "hi\n"
    assert cell.footer == ""


def test_stop_withdraws_the_question(notebook: Notebook) -> None:
    cell = notebook.send(ECHO)
    question(notebook)
    notebook.stop()
    assert cell.status == "error"
    notebook.questions.clear()
    # The box that is still on the screen answers nothing any more.
    notebook.client.input("o")
    again = notebook.send(ECHO)
    question(notebook)
    assert again.reply is None
    notebook.answer("n")
    assert again.status == "error"


def test_a_very_long_call_is_shown_with_its_middle_left_out(notebook: Notebook) -> None:
    cell = notebook.send("await tools.exec_command({cmd: 'head ' + '#'.repeat(1e6) + ' tail'})")
    prompt = question(notebook)
    assert len(prompt) < 10_000
    assert "$ head ###" in prompt
    assert "characters are NOT SHOWN here" in prompt
    assert "### tail" in prompt
    notebook.answer("n")
    assert cell.status == "error"
