"""When an observation yields: defaults, grace, hold, and the time a person is asked."""

import asyncio
import time
from collections.abc import Callable
from unittest.mock import Mock

import pytest
from codemode_kernel.session import deadline
from codemode_kernel.session.calls import CallOutcome
from codemode_kernel.session.cells import Cell
from codemode_kernel.session.deadline import Deadline, with_grace
from codemode_kernel.session.events import AskingChanged, CallEnded, CellYielded
from codemode_kernel.session.observation import Observation, Status

from tests.kernel.session.stage import MakeStage, Shown, Stage
from tests.patience import PATIENCE_S, SLOWDOWN
from toolbridge import Answer, ApprovalRequest, Inquiry, Reply


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
NEVER = "await new Promise(() => {})"


async def test_hold_sets_the_default_deadline_aside(make_stage: MakeStage) -> None:
    stage = await make_stage(exec_yield_time_ms=20)
    observation, texts = await stage.run(LATE, hold=True)
    assert (observation.status, texts) == (Status.COMPLETED, ["a"])


async def test_hold_respects_an_explicit_deadline_and_yield_control(stage: Stage) -> None:
    observation, _ = await stage.run(NEVER, hold=True, yield_time_ms=20)
    assert observation.status is Status.RUNNING
    observation, _ = await stage.run("yield_control(); " + NEVER, hold=True)
    assert observation.status is Status.RUNNING


class PlayedLoop:
    """An event loop whose time is what the test says."""

    def __init__(self) -> None:
        self.now = 0.0
        self.timers: list[float] = []

    def time(self) -> float:
        return self.now

    def call_at(self, when: float, callback: Callable[[], None]) -> Mock:
        self.timers.append(when)
        return Mock(cancel=lambda: self.timers.remove(when))


def test_a_held_deadline_keeps_what_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    loop = PlayedLoop()
    monkeypatch.setattr(deadline, "asyncio", Mock(get_running_loop=lambda: loop))
    held = Deadline(60, lambda: None)
    held.start()
    loop.now = 0.02
    held.hold()
    assert loop.timers == []
    loop.now = 5.0
    held.start()
    assert loop.timers == [pytest.approx(5.04)]


DEADLINE_MS = round(300 * SLOWDOWN)
"""Long enough that a person is asked before it."""


class SlowPerson:
    """Answers when the test says so."""

    def __init__(self) -> None:
        self.asked = asyncio.Event()
        self.answer: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()

    async def ask(self, question: ApprovalRequest) -> Answer:
        self.asked.set()
        return await self.answer

    async def inquire(self, inquiry: Inquiry) -> Reply:
        raise NotImplementedError


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
    cell, running = await ask_at_once(stage, person, "text(await tools.careful())", DEADLINE_MS)
    assert cell.asking == 1
    done, _ = await asyncio.wait({running}, timeout=1.2 * DEADLINE_MS / 1000)
    assert not done
    person.answer.set_result(Answer.ONCE)
    observation = await running
    assert observation.status is Status.COMPLETED
    assert [event.cell.asking for event in stage.events.of(AskingChanged)] == [0, 0]
    (call,) = [event.call for event in stage.events.of(CallEnded)]
    assert call.outcome is CallOutcome.OK
    assert call.asked_s > DEADLINE_MS / 1000


async def test_the_deadline_goes_on_after_the_answer(make_stage: MakeStage) -> None:
    stage = await make_stage(tools=[careful])
    person = SlowPerson()
    await stage.session.start()
    begun = time.monotonic()
    _, running = await ask_at_once(stage, person, f"await tools.careful(); {NEVER}", DEADLINE_MS)
    asked_s = 1.2 * DEADLINE_MS / 1000
    done, _ = await asyncio.wait({running}, timeout=asked_s)
    assert not done
    person.answer.set_result(Answer.ONCE)
    observation = await running
    assert observation.status is Status.RUNNING
    assert observation.wall_time_s > 0.9 * DEADLINE_MS / 1000
    assert observation.wall_time_s <= time.monotonic() - begun - 0.99 * asked_s


async def test_a_wait_stands_still_for_a_question_asked_before_it(make_stage: MakeStage) -> None:
    stage = await make_stage(tools=[careful])
    person = SlowPerson()
    cell, running = await ask_at_once(stage, person, "yield_control(); text(await tools.careful())", DEADLINE_MS)  # fmt: skip
    assert (await running).status is Status.RUNNING
    assert cell.id is not None
    waiting = asyncio.create_task(stage.wait(cell.id, yield_time_ms=DEADLINE_MS))
    done, _ = await asyncio.wait({waiting}, timeout=1.2 * DEADLINE_MS / 1000)
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
