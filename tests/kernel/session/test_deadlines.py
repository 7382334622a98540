"""When an observation yields: defaults, grace, hold, and the time a person is asked."""

import asyncio

import pytest
from codemode_kernel.calls import CallOutcome
from codemode_kernel.cells import Cell
from codemode_kernel.deadline import Deadline, with_grace
from codemode_kernel.events import AskingChanged, CallEnded, CellYielded
from codemode_kernel.observation import Observation, Status

from tests.kernel.session.stage import MakeStage, Shown, Stage
from tests.patience import PATIENCE_S
from toolbridge import Answer, ApprovalRequest


@pytest.mark.parametrize(
    "asked, given", [(0, 0), (9_999, 9_999), (10_000, 11_000), (30_000, 31_000)]
)
def test_a_second_of_grace_from_ten_seconds_up(asked: int, given: int) -> None:
    assert with_grace(asked) == given


async def test_the_default_comes_from_the_settings(make_stage: MakeStage) -> None:
    stage = await make_stage(exec_yield_time_ms=20, wait_yield_time_ms=30)
    observation, _ = await stage.run("await new Promise(() => {})")
    assert observation.status is Status.RUNNING
    observation, _ = await stage.wait(observation.cell_id)
    assert observation.status is Status.RUNNING


LATE = "await new Promise((done) => setTimeout(done, 100)); text('a')"


async def test_hold_sets_the_default_deadline_aside(make_stage: MakeStage) -> None:
    stage = await make_stage(exec_yield_time_ms=20)
    observation, texts = await stage.run(LATE, hold=True)
    assert (observation.status, texts) == (Status.COMPLETED, ["a"])


async def test_hold_respects_an_explicit_deadline_and_yield_control(stage: Stage) -> None:
    observation, _ = await stage.run(LATE, hold=True, yield_time_ms=20)
    assert observation.status is Status.RUNNING
    observation, _ = await stage.run("yield_control(); " + LATE, hold=True)
    assert observation.status is Status.RUNNING


async def test_a_held_deadline_keeps_what_is_left() -> None:
    loop = asyncio.get_running_loop()
    due = asyncio.Event()
    deadline = Deadline(60, due.set)
    begun = loop.time()
    deadline.start()
    deadline.hold()
    loop.call_later(0.1, deadline.start)
    await due.wait()
    assert loop.time() - begun >= 0.15


class SlowPerson:
    """Answers when the test says so."""

    def __init__(self) -> None:
        self.asked = asyncio.Event()
        self.answer: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()

    async def ask(self, question: ApprovalRequest) -> Answer:
        self.asked.set()
        return await self.answer


async def careful() -> str:
    """Needs a yes: no rule speaks of it."""
    return "done"


async def ask_at_once(
    stage: Stage, person: SlowPerson, code: str, yield_time_ms: int
) -> tuple[Cell, asyncio.Task[Observation]]:
    cell = stage.session.new_cell(code, asker=person)
    task = asyncio.create_task(stage.session.run(cell, Shown(), yield_time_ms=yield_time_ms))
    async with asyncio.timeout(PATIENCE_S):
        await person.asked.wait()
    return cell, task


async def test_the_deadline_stands_still_while_a_person_is_asked(make_stage: MakeStage) -> None:
    stage = await make_stage(tools=[careful])
    person = SlowPerson()
    cell, running = await ask_at_once(stage, person, "text(await tools.careful())", 200)
    assert cell.asking == 1
    done, _ = await asyncio.wait({running}, timeout=0.4)
    assert not done
    person.answer.set_result(Answer.ONCE)
    observation = await running
    assert observation.status is Status.COMPLETED
    assert observation.wall_time_s < 0.3
    assert [event.cell.asking for event in stage.events.of(AskingChanged)] == [0, 0]
    (call,) = [event.call for event in stage.events.of(CallEnded)]
    assert call.outcome is CallOutcome.OK
    assert call.asked_s >= 0.35


async def test_the_deadline_goes_on_after_the_answer(make_stage: MakeStage) -> None:
    stage = await make_stage(tools=[careful])
    person = SlowPerson()
    code = "await tools.careful(); await new Promise(() => {})"
    _, running = await ask_at_once(stage, person, code, 100)
    done, _ = await asyncio.wait({running}, timeout=0.3)
    assert not done
    person.answer.set_result(Answer.ONCE)
    observation = await running
    assert observation.status is Status.RUNNING
    assert 0.08 <= observation.wall_time_s < 0.3


async def test_a_wait_stands_still_for_a_question_asked_before_it(make_stage: MakeStage) -> None:
    stage = await make_stage(tools=[careful])
    person = SlowPerson()
    cell, running = await ask_at_once(stage, person, "yield_control(); text(await tools.careful())", 200)  # fmt: skip
    assert (await running).status is Status.RUNNING
    assert cell.id is not None
    waiting = asyncio.create_task(stage.wait(cell.id, yield_time_ms=20))
    done, _ = await asyncio.wait({waiting}, timeout=0.2)
    assert not done
    person.answer.set_result(Answer.ONCE)
    observation, texts = await waiting
    assert (observation.status, texts) == (Status.COMPLETED, ["done"])


async def test_a_cell_that_ends_withdraws_its_question(make_stage: MakeStage) -> None:
    stage = await make_stage(tools=[careful])
    person = SlowPerson()
    cell, running = await ask_at_once(stage, person, "await tools.careful()", 10_000)
    stage.session.stop(cell)
    assert (await running).status is Status.TERMINATED
    event = await stage.events.next(CallEnded, cell)
    assert event.call.outcome is CallOutcome.CANCELLED
    assert cell.asking == 0
    assert stage.events.of(CellYielded) == []
