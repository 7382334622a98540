"""Calls before a person: one question at a time, looked at again after the answer."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from toolbridge.errors import ArgumentsRefusedError, Outcome, PolicyRefusedError

from tests.toolbridge.boxes import ALLOW_ALL, Person, StubSource, call
from toolbridge import (
    Answer,
    Approval,
    ApprovalRequest,
    CallContext,
    CallEvent,
    CallState,
    Decision,
    Gate,
    NobodyThereError,
    Tool,
    Toolbox,
    ToolError,
    parse_rules,
)

SAVE = Tool("save", "notes", input_schema={"type": "object", "required": ["text"]})
SEND = Tool("send", "notes")
NOTE = {"text": "hello"}


@pytest.fixture
def notes() -> StubSource:
    return StubSource("notes", [SAVE, SEND])


@pytest.fixture
def toolbox(notes: StubSource) -> Toolbox:
    box = Toolbox()
    box.add(notes)
    return box


async def refusal(toolbox: Toolbox, context: CallContext, tool: str = "save") -> ToolError:
    with pytest.raises(ToolError) as refused:
        await call(toolbox, tool, NOTE, context)
    return refused.value


async def test_nobody_there_means_refusal_before_any_effect(
    toolbox: Toolbox, notes: StubSource
) -> None:
    error = await refusal(toolbox, CallContext())
    assert str(error) == (
        "policy refused `save`: it needs a person's approval and nobody is there to ask; "
        "a gate rule can allow it"
    )
    assert error.outcome is Outcome.REFUSED
    assert not notes.calls


async def test_an_asker_without_a_person_is_nobody(toolbox: Toolbox, notes: StubSource) -> None:
    class Empty(Person):
        async def ask(self, question: ApprovalRequest) -> Answer:
            raise NobodyThereError("no input here")

    assert "nobody is there" in str(await refusal(toolbox, CallContext(asker=Empty())))
    assert not notes.calls


async def test_the_question_says_what_would_run(toolbox: Toolbox) -> None:
    person = Person(Answer.ONCE)
    context = CallContext(asker=person, principal="amy")
    assert await call(toolbox, "save", NOTE, context) == NOTE
    (question,) = person.questions
    assert question == ApprovalRequest(
        tool=SAVE,
        arguments=dict(NOTE),
        text='{\n  "text": "hello"\n}',
        reason="no rule allows it",
        call_id="tool-1",
        cell_id="1",
        principal="amy",
    )


async def test_question_and_refusal_name_the_tool_as_the_script_calls_it() -> None:
    box = Toolbox()
    box.add(
        StubSource("shop", [Tool(name, "shop", namespace="mcp__shop") for name in ("a-b", "a_b")])
    )
    person = Person(Answer.NO)
    error = await refusal(box, CallContext(asker=person), "mcp__shop__a_b_2")
    (question,) = person.questions
    assert (question.tool.identifier, question.tool.name) == ("mcp__shop__a_b_2", "a_b")
    assert str(error) == "policy refused `mcp__shop__a_b_2`: the person who was asked said no"


async def test_once_is_once(toolbox: Toolbox) -> None:
    person = Person(Answer.ONCE, Answer.NO)
    await call(toolbox, "save", NOTE, CallContext(asker=person))
    error = await refusal(toolbox, CallContext(asker=person))
    assert str(error) == "policy refused `save`: the person who was asked said no"


async def test_a_yes_for_the_session_is_for_that_tool_and_that_person(toolbox: Toolbox) -> None:
    person = Person(Answer.SESSION, Answer.NO, Answer.NO)
    amy = CallContext(asker=person, principal="amy")
    await call(toolbox, "save", NOTE, amy)
    await call(toolbox, "save", {"text": "other"}, CallContext(principal="amy"))
    assert len(person.questions) == 1
    await refusal(toolbox, amy, "send")
    await refusal(toolbox, CallContext(asker=person, principal="bob"))
    assert len(person.questions) == 3


async def test_a_yes_for_the_same_arguments_is_for_no_others(toolbox: Toolbox) -> None:
    person = Person(Answer.SAME, Answer.NO)
    context = CallContext(asker=person)
    await call(toolbox, "save", {"text": "hello", "tags": {"a": 1, "b": 2}}, context)
    # The order of keys is no difference, in JSON.
    await call(toolbox, "save", {"tags": {"b": 2, "a": 1}, "text": "hello"}, context)
    assert len(person.questions) == 1
    with pytest.raises(PolicyRefusedError):
        await call(toolbox, "save", {"text": "hello", "tags": {"a": True, "b": 2}}, context)
    await call(toolbox, "save", {"text": "hello", "tags": {"a": 1, "b": 2}}, CallContext())


async def test_a_never_is_not_asked_again_in_this_session(toolbox: Toolbox) -> None:
    person = Person(Answer.NEVER, Answer.ONCE)
    context = CallContext(asker=person)
    assert str(await refusal(toolbox, context)) == (
        "policy refused `save`: the person who was asked said no"
    )
    assert str(await refusal(toolbox, context)) == (
        "policy refused `save`: the person said no to all its calls in this session"
    )
    assert len(person.questions) == 1
    toolbox.questions.forget()
    await call(toolbox, "save", NOTE, context)


async def test_a_question_that_nobody_answers_in_time_is_a_refusal(
    toolbox: Toolbox, notes: StubSource
) -> None:
    toolbox.questions.timeout_s = 0
    person = Person()
    error = await refusal(toolbox, CallContext(asker=person))
    assert str(error) == "policy refused `save`: nobody has answered in time"
    assert person.open == 0
    assert not notes.calls


async def test_rules_that_came_with_the_answer_decide(toolbox: Toolbox, notes: StubSource) -> None:
    class Agreeing(Person):
        async def ask(self, question: ApprovalRequest) -> Answer:
            toolbox.gate = Gate(parse_rules([{"decision": "allow", "tool": "save"}]))
            return await super().ask(question)

    events: list[CallEvent] = []
    agreeing = Agreeing(Answer.AGAIN, Answer.NO)
    context = CallContext(asker=agreeing, on_event=events.append)
    assert await call(toolbox, "save", NOTE, context) == NOTE
    assert events[-1].approval is Approval.RULE
    await refusal(toolbox, CallContext(asker=Person(Answer.AGAIN, Answer.NO)), "send")


async def test_reset_forgets_what_was_allowed(toolbox: Toolbox) -> None:
    await call(toolbox, "save", NOTE, CallContext(asker=Person(Answer.SESSION)))
    await toolbox.reset()
    await refusal(toolbox, CallContext())


async def test_a_denying_rule_goes_before_a_yes_for_the_session(toolbox: Toolbox) -> None:
    await call(toolbox, "save", NOTE, CallContext(asker=Person(Answer.SESSION)))
    toolbox.gate = Gate(parse_rules([{"decision": "deny", "reason": "exam"}]))
    assert str(await refusal(toolbox, CallContext())) == "policy refused `save`: exam"


async def test_nobody_is_asked_about_arguments_that_cannot_work(toolbox: Toolbox) -> None:
    person = Person(Answer.ONCE)
    with pytest.raises(ArgumentsRefusedError, match="'text' is a required property"):
        await call(toolbox, "save", {}, CallContext(asker=person))
    assert not person.questions


async def test_questions_come_one_at_a_time_and_in_order(
    toolbox: Toolbox, notes: StubSource
) -> None:
    most = 0

    class Watching(Person):
        async def ask(self, question: ApprovalRequest) -> Answer:
            nonlocal most
            most = max(most, self.open + 1)
            return await super().ask(question)

    person = Watching(*[Answer.ONCE] * 5)
    context = CallContext(asker=person)
    await asyncio.gather(*(call(toolbox, "save", {"text": n}, context) for n in range(5)))
    assert [question.arguments for question in person.questions] == [{"text": n} for n in range(5)]
    assert most == 1
    assert len(notes.calls) == 5


async def test_a_yes_for_the_session_answers_the_questions_behind_it(toolbox: Toolbox) -> None:
    person = Person(Answer.SESSION)
    context = CallContext(asker=person)
    await asyncio.gather(*(call(toolbox, "save", NOTE, context) for _ in range(5)))
    assert len(person.questions) == 1


async def test_a_cancelled_call_withdraws_its_question(toolbox: Toolbox, notes: StubSource) -> None:
    silent, quick = Person(), Person(Answer.ONCE)
    first = asyncio.create_task(call(toolbox, "save", NOTE, CallContext(asker=silent)))
    await silent.asked.wait()
    second = asyncio.create_task(call(toolbox, "save", NOTE, CallContext(asker=quick)))
    first.cancel()
    with pytest.raises(asyncio.CancelledError):
        await first
    assert silent.open == 0
    assert await second == NOTE
    assert notes.calls == [NOTE]


async def meanwhile(toolbox: Toolbox, change: Any, **context: Any) -> ToolError:
    """The refusal of a call that was answered with a yes after `change` had happened."""
    answer = asyncio.Event()

    class Slow(Person):
        async def ask(self, question: ApprovalRequest) -> Answer:
            self.asked.set()
            await answer.wait()
            return Answer.ONCE

    person = Slow()
    running = asyncio.create_task(refusal(toolbox, CallContext(asker=person, **context)))
    await person.asked.wait()
    change()
    answer.set()
    return await running


async def test_a_rule_that_was_tightened_meanwhile_holds(
    toolbox: Toolbox, notes: StubSource
) -> None:
    def tighten() -> None:
        toolbox.gate = Gate(parse_rules([{"decision": "deny"}]))

    assert isinstance(await meanwhile(toolbox, tighten), PolicyRefusedError)
    assert not notes.calls


async def test_a_tool_that_went_away_meanwhile_does_not_run(
    toolbox: Toolbox, notes: StubSource
) -> None:
    def remove() -> None:
        notes.offered.clear()
        notes.changed()

    assert str(await meanwhile(toolbox, remove)) == "tool `save` is not available"
    assert not notes.calls


async def test_an_answer_after_the_cell_has_ended_does_nothing(
    toolbox: Toolbox, notes: StubSource
) -> None:
    cell = {"open": True}
    error = await meanwhile(
        toolbox, lambda: cell.update(open=False), cell_is_open=lambda: cell["open"]
    )
    assert str(error) == "code mode nested tool call cancelled"
    assert not notes.calls


async def test_time_spent_asking_is_reported(toolbox: Toolbox) -> None:
    seen: list[str] = []

    @contextmanager
    def asking() -> Iterator[None]:
        seen.append("begins")
        yield
        seen.append("ends")

    def on_event(event: CallEvent) -> None:
        seen.append(f"{event.state} {event.approval}")

    context = CallContext(asker=Person(Answer.ONCE), asking=asking, on_event=on_event)
    await call(toolbox, "save", NOTE, context)
    assert seen == [
        f"{CallState.ASKING} None",
        "begins",
        "ends",
        f"{CallState.RUNNING} {Approval.ONCE}",
    ]


async def test_a_call_that_a_rule_allows_asks_nobody(toolbox: Toolbox) -> None:
    events: list[CallEvent] = []
    toolbox.gate = ALLOW_ALL
    await call(toolbox, "save", NOTE, CallContext(on_event=events.append))
    assert [(event.state, event.approval) for event in events] == [
        (CallState.RUNNING, Approval.RULE)
    ]


async def test_what_was_asked_or_refused_can_be_explained(toolbox: Toolbox) -> None:
    person = Person(Answer.ONCE, Answer.NO)
    amy = CallContext(asker=person, principal="amy")
    await call(toolbox, "save", NOTE, amy)
    await refusal(toolbox, amy)
    await refusal(toolbox, CallContext())
    once, no = toolbox.questions.lately("amy")
    assert (once.tool, once.arguments, once.verdict.reason) == (SAVE, NOTE, "no rule allows it")
    assert once.ending == "asked: once"
    assert no.ending == "policy refused `save`: the person who was asked said no"
    (nobody,) = toolbox.questions.lately(None)
    assert "nobody is there to ask" in nobody.ending


async def test_a_call_is_explained_without_being_made(toolbox: Toolbox, notes: StubSource) -> None:
    await call(toolbox, "save", NOTE, CallContext(asker=Person(Answer.SAME)))
    same = toolbox.explain(SAVE, dict(NOTE))
    assert (same.verdict.decision, same.grant is not None) == (Decision.ASK, True)
    assert toolbox.explain(SAVE, {"text": "other"}).grant is None
    with pytest.raises(ArgumentsRefusedError):
        toolbox.explain(SAVE, {})
    assert len(notes.calls) == 1
