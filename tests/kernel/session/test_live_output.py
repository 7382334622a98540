"""Items reach the observation in progress as they come, wait when there is none, and come once."""

import asyncio

import pytest
from codemode_kernel.session.cells import CellState
from codemode_kernel.session.events import CallStarted, CellEnded, CellStarted, OutputWaiting
from codemode_kernel.session.model_calls import exec_text, wait_json
from codemode_kernel.session.observation import Status
from codemode_kernel.session.waiting import CELL_BYTES, NOTICE

from tests.kernel.session.stage import MakeStage, Shown, Stage


async def test_items_are_shown_before_the_cell_ends(stage: Stage) -> None:
    shown = Shown()
    cell = stage.session.new_cell('text("now"); await new Promise(() => {})')
    running = asyncio.create_task(stage.session.run(cell, shown))
    await shown.text("now")
    assert cell.state is CellState.RUNNING
    stage.session.stop(cell)
    assert (await running).item_count == 1
    assert shown.texts == ["now"]


async def test_output_of_an_unobserved_cell_waits_and_is_told_of(stage: Stage) -> None:
    cell = await stage.begin('text("a"); text("b"); await new Promise(() => {})')
    await stage.events.until(lambda: cell.waiting.tail(5) == "a\nb")
    assert cell.id is not None
    shown = Shown()
    waiting = asyncio.create_task(stage.session.wait(cell.id, shown))
    await shown.text("b")
    assert len(cell.waiting) == 0
    stage.session.stop(cell)
    assert (await waiting).item_count == 2
    assert shown.texts == ["a", "b"]


async def test_many_items_over_many_waits_come_once_and_in_order(any_stage: Stage) -> None:
    code = """
      for (let i = 0; i < 400; i += 1) {
        text(String(i));
        if (i % 10 === 9) await new Promise((done) => setTimeout(done, 1));
      }"""
    observation, seen = await any_stage.run(code, yield_time_ms=5)
    while observation.status is Status.RUNNING:
        observation, texts = await any_stage.wait(observation.cell_id, yield_time_ms=5)
        seen += texts
    assert observation.status is Status.COMPLETED
    assert seen == [str(i) for i in range(400)]


async def test_ten_thousand_lines_arrive(any_stage: Stage) -> None:
    _, texts = await any_stage.run("for (let i = 0; i < 10000; i += 1) text(`line ${i}`)")
    assert texts == [f"line {i}" for i in range(10_000)]


async def test_terminate_shows_the_items_once(any_stage: Stage) -> None:
    shown = Shown()
    code = 'text("a"); await tools.echo({value: 1}); while (true) {}'
    cell = any_stage.session.new_cell(code)
    running = asyncio.create_task(any_stage.session.run(cell, shown))
    await any_stage.events.next(CallStarted, cell)
    any_stage.session.stop(cell)
    observation = await running
    assert (observation.status, shown.texts) == (Status.TERMINATED, ["a"])
    assert observation.item_count == 1


async def test_a_terminate_loses_nothing_however_it_races(any_stage: Stage) -> None:
    code = 'text("a"); yield_control(); text("b"); await tools.hang()'
    for _ in range(40):
        cell = any_stage.session.new_cell(code)
        await any_stage.session.run(cell, Shown())
        await any_stage.events.next(CallStarted, cell)
        assert cell.id is not None
        observation, texts = await any_stage.wait(cell.id, terminate=True)
        assert (observation.status, texts) == (Status.TERMINATED, ["b"])


async def test_late_output_can_go_to_the_cell_it_comes_from(any_stage: Stage) -> None:
    origin = Shown()
    cell = any_stage.session.new_cell('yield_control(); text("late")', late_sink=origin)
    await any_stage.session.run(cell, Shown())
    await origin.text("late")
    await any_stage.events.next(CellEnded, cell)
    assert cell.id is not None
    observation, seen_again = await any_stage.wait(cell.id)
    assert seen_again == []
    assert observation.item_count == 1
    assert isinstance(observation.output, list)
    assert observation.output[1] == {"type": "input_text", "text": "late"}


async def test_an_abandoned_wait_of_a_model_loses_nothing(stage: Stage) -> None:
    cell = await stage.begin('text("a"); await new Promise(() => {})')
    await stage.events.next(OutputWaiting, cell)
    abandoned = asyncio.create_task(wait_json(stage.session, f'{{"cell_id": "{cell.id}"}}'))
    await asyncio.sleep(0)
    abandoned.cancel()
    with pytest.raises(asyncio.CancelledError):
        await abandoned
    assert cell.id is not None
    observation, texts = await stage.wait(cell.id, terminate=True)
    assert (observation.status, texts) == (Status.TERMINATED, ["a"])


async def test_an_abandoned_exec_goes_on_and_can_be_collected(stage: Stage) -> None:
    cell = stage.session.new_cell('text("a")')
    abandoned = asyncio.create_task(stage.session.run(cell, None))
    await stage.events.next(CellStarted, cell)
    abandoned.cancel()
    with pytest.raises(asyncio.CancelledError):
        await abandoned
    await stage.events.next(CellEnded, cell)
    assert cell.id is not None
    observation, texts = await stage.wait(cell.id)
    assert (observation.status, texts) == (Status.COMPLETED, ["a"])


async def test_what_comes_after_a_yield_belongs_to_the_next_observation(any_stage: Stage) -> None:
    """Also for a model, whose items are put together at the end of the observation."""
    code = 'text("a"); yield_control(); text("b"); await tools.hang()'
    output, *_ = await exec_text(any_stage.session, code)
    assert isinstance(output, list)
    assert [item["text"] for item in output[1:]] == ["a"]
    (cell,) = any_stage.session.cells
    await any_stage.events.next(CallStarted, cell)
    output, *_ = await wait_json(any_stage.session, f'{{"cell_id":"{cell.id}","terminate":true}}')
    assert isinstance(output, list)
    assert [item["text"] for item in output[1:]] == ["b"]


class BrokenSink:
    """Cannot show anything."""

    def take(self, items: object) -> None:
        raise RuntimeError("the page is gone")


async def test_a_sink_that_fails_costs_its_observation_and_not_the_host(stage: Stage) -> None:
    await stage.run('store("k", 1)')
    cell = stage.session.new_cell('text("a"); await tools.hang()')
    with pytest.raises(RuntimeError, match="the page is gone"):
        await stage.session.run(cell, BrokenSink())
    assert cell.id is not None
    observation, texts = await stage.wait(cell.id, terminate=True)
    assert observation.status is Status.TERMINATED
    _, texts = await stage.run('text(load("k"))')
    assert texts == ["1"]


async def test_a_late_sink_that_fails_loses_nothing(stage: Stage) -> None:
    cell = stage.session.new_cell('yield_control(); text("late")', late_sink=BrokenSink())
    await stage.session.run(cell, Shown())
    await stage.events.next(CellEnded, cell)
    assert cell.id is not None
    observation, texts = await stage.wait(cell.id)
    assert (observation.status, texts) == (Status.COMPLETED, ["late"])


@pytest.mark.slow
async def test_a_flood_that_nobody_collects_is_bounded(make_stage: MakeStage) -> None:
    stage = await make_stage()
    cell = await stage.begin("while (true) text('x'.repeat(100000))")
    await stage.events.until(lambda: cell.waiting.tail(1) == NOTICE)
    assert cell.id is not None
    observation, texts = await stage.wait(cell.id, terminate=True)
    assert observation.status is Status.TERMINATED
    in_flight = 16 * 1024 * 1024
    assert sum(map(len, texts)) < CELL_BYTES + in_flight
