"""The questions that are open, for whoever can show them. Pages come, go and are reloaded.

A question stays on the board until it is answered, by a page or elsewhere, or withdrawn.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from codemode_kernel.errors import KernelError
from codemode_kernel.questions.question import Question, Said


class QuestionGone(KernelError):
    """An answer comes too late, or fits no question; the text says so."""


@dataclass(frozen=True, eq=False)
class Posted:
    """A question on the board."""

    id: str
    question: Question
    notebook_cell: str | None
    """The front end's id of the notebook cell that it belongs to."""
    answered: asyncio.Future[Said]


class Board:
    """Used from one event loop."""

    def __init__(self, on_change: Callable[[], None] = lambda: None) -> None:
        self._on_change = on_change
        self._last_number = 0
        self._posted: dict[str, Posted] = {}

    @property
    def open(self) -> Sequence[Posted]:
        """What is to be answered, oldest first."""
        return list(self._posted.values())

    @contextmanager
    def post(self, question: Question, notebook_cell: str | None) -> Iterator[asyncio.Future[Said]]:
        """Put a question up and take it down in the end; the future is what a page says to it."""
        self._last_number += 1
        answered: asyncio.Future[Said] = asyncio.get_running_loop().create_future()
        posted = Posted(str(self._last_number), question, notebook_cell, answered)
        self._posted[posted.id] = posted
        self._on_change()
        try:
            yield answered
        finally:
            answered.cancel()
            del self._posted[posted.id]
            self._on_change()

    def answer(self, question_id: str, choice: str, content: Any = None) -> None:
        """A page answers; raises `QuestionGone`. The first answer counts."""
        posted = self._posted.get(question_id)
        if posted is None or posted.answered.done():
            raise QuestionGone("The question was answered already, or its cell has ended.")
        question = posted.question
        if choice not in {known.word for known in question.choices}:
            raise QuestionGone(f"{choice!r} is no answer to this question.")
        if choice != question.choices[0].word:
            content = None
        elif question.form is not None and not isinstance(content, dict):
            raise QuestionGone("The form is not filled in.")
        elif question.takes_text and not isinstance(content, str):
            raise QuestionGone("The text is missing.")
        posted.answered.set_result(Said(choice, content))
