"""Free questions that a source puts while it serves a call."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from toolbridge.sources.ask_user import ASK_USER, AskUserSource

from tests.toolbridge.boxes import ALLOW_ALL, Person, StubSource, call
from toolbridge import (
    Answer,
    CallContext,
    Gate,
    GateMode,
    Inquiry,
    NobodyThereError,
    Reply,
    ReplyAction,
    Tool,
    Toolbox,
    ToolCall,
    ToolError,
)

TRAVEL, SAVE = Tool("travel", "trips"), Tool("save", "notes")
WHERE = Inquiry("Where to?", "server trips")


class Trips(StubSource):
    """Asks where to go, and gives the reply."""

    async def call(self, call: ToolCall, admitted: Any, context: CallContext) -> Any:
        reply = await context.inquire(WHERE)
        return {"action": reply.action.value, "content": reply.content}


@pytest.fixture
def toolbox() -> Toolbox:
    box = Toolbox(ALLOW_ALL)
    box.add(Trips("trips", [TRAVEL]))
    box.add(StubSource("notes", [SAVE]))
    return box


async def test_a_source_gets_what_the_person_says(toolbox: Toolbox) -> None:
    person = Person()
    person.replies = [Reply(ReplyAction.ACCEPT, "home"), Reply(ReplyAction.DECLINE)]
    context = CallContext(asker=person, principal="amy")
    assert await call(toolbox, "travel", {}, context) == {"action": "accept", "content": "home"}
    assert await call(toolbox, "travel", {}, context) == {"action": "decline", "content": None}
    first, _ = person.inquiries
    assert first == Inquiry("Where to?", "server trips", cell_id="1", principal="amy")


async def test_a_question_quotes_no_secret_of_the_call(toolbox: Toolbox) -> None:
    person = Person()
    person.replies = [Reply(ReplyAction.DECLINE)]
    await call(toolbox, "travel", {"password": "Where"}, CallContext(asker=person))
    (inquiry,) = person.inquiries
    assert inquiry.message == "(secret left out) to?"


async def test_without_a_person_the_source_is_told(toolbox: Toolbox) -> None:
    with pytest.raises(ToolError, match="nobody is there to ask"):
        await call(toolbox, "travel", {})
    with pytest.raises(NobodyThereError):
        await CallContext().inquire(WHERE)


async def test_it_stands_in_the_queue_of_approvals_and_no_deadline_runs(toolbox: Toolbox) -> None:
    toolbox.gate = Gate()
    both_wait = asyncio.Event()
    asking: list[str] = []

    @contextmanager
    def counted() -> Iterator[None]:
        asking.append("one")
        if len(asking) == 2:
            both_wait.set()
        try:
            yield
        finally:
            asking.pop()

    answering, waiting = Person(), Person(Answer.ONCE)
    toolbox.questions.grants.remember(Answer.SESSION, TRAVEL, {}, None, shown={})
    travel = asyncio.create_task(
        call(toolbox, "travel", {}, CallContext(asker=answering, asking=counted))
    )
    await answering.asked.wait()
    save = asyncio.create_task(
        call(toolbox, "save", {}, CallContext(asker=waiting, asking=counted))
    )
    await both_wait.wait()
    assert not waiting.questions
    travel.cancel()  # the cell has ended, and takes its question along
    assert await save == {}
    assert asking == []


async def test_a_question_that_nobody_answers_in_time_is_cancelled(toolbox: Toolbox) -> None:
    toolbox.questions.timeout_s = 0
    answer = await call(toolbox, "travel", {}, CallContext(asker=Person()))
    assert answer == {"action": "cancel", "content": None}


async def test_an_answer_after_the_cell_has_ended_does_nothing(toolbox: Toolbox) -> None:
    open_looks = iter([True, True, False])
    person = Person()
    person.replies = [Reply(ReplyAction.ACCEPT, "home")]
    context = CallContext(asker=person, cell_is_open=lambda: next(open_looks))
    with pytest.raises(ToolError, match="code mode nested tool call cancelled"):
        await call(toolbox, "travel", {}, context)


class TestAskUser:
    @pytest.fixture
    def toolbox(self) -> Toolbox:
        box = Toolbox(Gate(mode=GateMode.PLAN))
        box.add(AskUserSource())
        return box

    async def ask(self, toolbox: Toolbox, arguments: Any, *replies: Reply) -> Any:
        """As a model asks, directly."""
        person = Person()
        person.replies = list(replies)
        context = CallContext(asker=person)
        answer = await toolbox.invoke(ToolCall(ASK_USER, arguments), context)
        return answer, person.inquiries[0]

    async def test_a_model_gets_the_answer(self, toolbox: Toolbox) -> None:
        reply = Reply(ReplyAction.ACCEPT, "the blue one")
        answer, inquiry = await self.ask(toolbox, {"question": "Which one?"}, reply)
        assert answer == {"answer": "the blue one"}
        assert (inquiry.message, inquiry.form) == ("Which one?", None)

    async def test_options_are_a_form(self, toolbox: Toolbox) -> None:
        arguments = {"question": "Which?", "options": ["a", "b"]}
        reply = Reply(ReplyAction.ACCEPT, {"answer": "b"})
        answer, inquiry = await self.ask(toolbox, arguments, reply)
        assert answer == {"answer": "b"}
        assert inquiry.form["properties"]["answer"]["enum"] == ["a", "b"]

    @pytest.mark.parametrize(
        "action, said",
        [
            (ReplyAction.DECLINE, "the person does not want to answer"),
            (ReplyAction.CANCEL, "the person has not answered in time"),
        ],
    )
    async def test_no_answer_is_an_error(
        self, toolbox: Toolbox, action: ReplyAction, said: str
    ) -> None:
        with pytest.raises(ToolError, match=said):
            await self.ask(toolbox, {"question": "?"}, Reply(action))

    async def test_scripts_cannot_ask(self, toolbox: Toolbox) -> None:
        assert toolbox.catalog().called("ask_user") is None
        assert toolbox.catalog().direct == (ASK_USER,)
        nested = ToolCall(ASK_USER, {"question": "?"}, id="tool-1", cell_id="1")
        with pytest.raises(ToolError, match="tool `ask_user` is not available"):
            await toolbox.invoke(nested, CallContext(asker=Person()))
