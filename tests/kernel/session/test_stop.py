"""Stop ends a cell wherever it is, and only that cell."""

import asyncio

import pytest
from codemode_kernel.session.calls import CallOutcome
from codemode_kernel.session.events import CallEnded, CallStarted, CellStarted
from codemode_kernel.session.observation import Status

from tests.kernel.session.stage import Shown, Stage

pytestmark = pytest.mark.slow

ENDLESS = ["while (true) {}", "await new Promise(() => {})", "for (;;) await null"]


@pytest.mark.parametrize("code", ENDLESS)
async def test_an_endless_cell_ends(any_stage: Stage, code: str) -> None:
    cell = any_stage.session.new_cell(code)
    running = asyncio.create_task(any_stage.session.run(cell, Shown()))
    await any_stage.events.next(CellStarted, cell)
    any_stage.session.stop(cell)
    assert (await running).status is Status.TERMINATED


@pytest.mark.parametrize("turns", range(8))
async def test_a_stop_while_the_cell_is_starting_is_kept(any_stage: Stage, turns: int) -> None:
    """`turns` of the loop after the start: before, during and after the request is sent."""
    await any_stage.session.start()
    cell = any_stage.session.new_cell("while (true) {}")
    running = asyncio.create_task(any_stage.session.run(cell, Shown()))
    for _ in range(turns):
        await asyncio.sleep(0)
    any_stage.session.stop(cell)
    assert (await running).status is Status.TERMINATED


async def test_a_stop_cancels_the_call_in_flight(any_stage: Stage) -> None:
    cell = any_stage.session.new_cell("await tools.hang()")
    running = asyncio.create_task(any_stage.session.run(cell, Shown()))
    await any_stage.events.next(CallStarted, cell)
    any_stage.session.stop(cell)
    assert (await running).status is Status.TERMINATED
    event = await any_stage.events.next(CallEnded, cell)
    assert event.call.outcome is CallOutcome.CANCELLED
    assert cell.open_calls == 0


async def test_other_cells_and_stored_values_are_kept(any_stage: Stage) -> None:
    await any_stage.run('store("k", 1)')
    other = await any_stage.begin("await new Promise((done) => setTimeout(done, 100)); text('b')")
    stopped = await any_stage.begin("store('k', 2); while (true) {}")
    any_stage.session.stop(stopped)
    assert other.id is not None
    observation, texts = await any_stage.wait(other.id)
    assert (observation.status, texts) == (Status.COMPLETED, ["b"])
    _, texts = await any_stage.run('text(load("k"))')
    assert texts == ["1"]


async def test_an_exec_given_up_before_the_host_is_up_leaves_no_cell(any_stage: Stage) -> None:
    running = asyncio.create_task(any_stage.run("1"))
    await asyncio.sleep(0)
    assert len(any_stage.session.cells) == 1
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running
    assert any_stage.session.cells == []
    observation, _ = await any_stage.run("1")
    assert observation.status is Status.COMPLETED
