"""Questions that an attached page can answer beside the input box."""

from tests.kernel.control.conftest import OpenPage
from tests.kernel.control.page import Page
from tests.kernel.notebook import Execution, Notebook

ECHO = 'text((await tools.exec_command({cmd: "echo hi"})).output)'


def ask(notebook: Notebook) -> Execution:
    """A cell whose input box is open."""
    cell = notebook.send(ECHO, cell_id="cell-a")
    notebook.until(lambda: bool(notebook.questions))
    return cell


def test_a_page_is_offered_the_question_and_its_answer_counts(
    notebook: Notebook, page: Page
) -> None:
    page.attach()
    cell = ask(notebook)
    (question,) = page.hear("questions")["questions"]
    assert question["title"].endswith("wants to call exec_command")
    assert question["text"].startswith("$ echo hi\nin ")
    assert question["reason"] == "no rule allows it"
    assert question["notebook_cell"] == "cell-a"
    words = [choice["word"] for choice in question["choices"]]
    assert words == ["once", "same", "session", "no", "never"]
    answer = {"question_id": question["question_id"], "choice": "once"}
    assert page.order("1", "answer_question", **answer) == {"type": "done", "id": "1"}
    assert cell.done().text() == "hi\n"
    assert page.hear("questions") == {"type": "questions", "questions": []}
    # What is typed into the box that is still on the screen answers nothing.
    notebook.questions.clear()
    notebook.client.input("s")
    assert ask(notebook).reply is None
    notebook.answer("n")


def test_the_input_box_answers_first_and_the_page_is_told(notebook: Notebook, page: Page) -> None:
    page.attach()
    cell = ask(notebook)
    (question,) = page.hear("questions")["questions"]
    notebook.answer("n")
    assert cell.status == "error"
    assert page.hear("questions")["questions"] == []
    late = {"question_id": question["question_id"], "choice": "session"}
    refused = page.order("1", "answer_question", **late)
    assert refused["reason"] == "The question was answered already, or its cell has ended."
    asked_again = ask(notebook)
    notebook.answer("n")
    assert asked_again.status == "error"


def test_a_page_that_comes_later_is_asked_again(notebook: Notebook, open_page: OpenPage) -> None:
    gone, reloaded = open_page(), open_page()
    gone.attach()
    cell = ask(notebook)
    gone.hear("questions")
    gone.leave()
    reloaded.attach()
    (question,) = reloaded.hear("questions")["questions"]
    answer = {"question_id": question["question_id"], "choice": "session"}
    assert reloaded.order("1", "answer_question", **answer)["type"] == "done"
    assert cell.done().text() == "hi\n"


def test_a_cell_that_is_stopped_withdraws_the_question(notebook: Notebook, page: Page) -> None:
    page.attach()
    cell = ask(notebook)
    page.hear("questions")
    notebook.stop()
    assert cell.status == "error"
    assert page.hear("questions")["questions"] == []
    notebook.questions.clear()


def test_what_is_no_choice_is_refused(notebook: Notebook, page: Page) -> None:
    page.attach()
    cell = ask(notebook)
    (question,) = page.hear("questions")["questions"]
    answer = {"question_id": question["question_id"], "choice": "perhaps"}
    assert page.order("1", "answer_question", **answer)["type"] == "refused"
    notebook.answer("n")
    assert cell.status == "error"
