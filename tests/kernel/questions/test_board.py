"""The questions that pages can answer."""

import asyncio
from typing import Any

import pytest
from codemode_kernel.questions import wording
from codemode_kernel.questions.board import Board, QuestionGone
from codemode_kernel.questions.question import Question, Said

from toolbridge import ApprovalRequest, Inquiry, Tool

MAY_RUN = wording.approval(
    ApprovalRequest(Tool("save", "notes"), {}, "{}", "no rule allows it", "tool-1", "1", None),
    "In [1]",
)
TEXT = wording.free_question(Inquiry("Where to?", "ask_user"), "In [1]")
FORM = wording.free_question(Inquiry("Where to?", "ask_user", {"properties": {}}), "In [1]")


async def test_a_question_is_open_until_it_is_taken_down() -> None:
    changes = 0

    def changed() -> None:
        nonlocal changes
        changes += 1

    board = Board(changed)
    with board.post(MAY_RUN, "cell-a") as answered:
        (posted,) = board.open
        assert (posted.question, posted.notebook_cell) == (MAY_RUN, "cell-a")
        board.answer(posted.id, "same")
        assert await answered == Said("same")
    assert board.open == []
    assert changes == 2


async def test_the_first_answer_counts() -> None:
    board = Board()
    with board.post(MAY_RUN, None) as answered:
        board.answer(board.open[0].id, "no")
        with pytest.raises(QuestionGone, match="answered already"):
            board.answer(board.open[0].id, "session")
        assert answered.result() == Said("no")


async def test_an_answer_to_a_question_that_is_gone_is_refused() -> None:
    board = Board()
    with board.post(MAY_RUN, None):
        late = board.open[0].id
    with board.post(MAY_RUN, None) as answered:
        with pytest.raises(QuestionGone, match="answered already, or its cell has ended"):
            board.answer(late, "once")
        assert not answered.done()


@pytest.mark.parametrize(
    "question, choice, content, said",
    [
        (TEXT, "accept", "home", Said("accept", "home")),
        (TEXT, "decline", "home", Said("decline")),
        (FORM, "accept", {"a": 1}, Said("accept", {"a": 1})),
        (MAY_RUN, "once", "home", Said("once", "home")),
    ],
)
async def test_what_is_filled_in_comes_with_the_answer(
    question: Question, choice: str, content: Any, said: Said
) -> None:
    board = Board()
    with board.post(question, None) as answered:
        board.answer(board.open[0].id, choice, content)
        assert answered.result() == said


@pytest.mark.parametrize(
    "question, choice, content",
    [(MAY_RUN, "perhaps", None), (TEXT, "accept", None), (FORM, "accept", "home")],
)
async def test_what_is_no_answer_is_refused_and_the_question_stays(
    question: Question, choice: str, content: Any
) -> None:
    board = Board()
    with board.post(question, None) as answered:
        with pytest.raises(QuestionGone):
            board.answer(board.open[0].id, choice, content)
        assert not answered.done()


async def test_a_withdrawn_question_is_taken_down() -> None:
    board = Board()

    async def ask() -> None:
        with board.post(MAY_RUN, None) as answered:
            await answered

    asking = asyncio.create_task(ask())
    await asyncio.sleep(0)
    assert len(board.open) == 1
    asking.cancel()
    with pytest.raises(asyncio.CancelledError):
        await asking
    assert board.open == []
