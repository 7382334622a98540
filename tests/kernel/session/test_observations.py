"""What exec, wait and terminate give, on any host (contract 2 to 4)."""

import asyncio

import pytest
from codemode_kernel.errors import CellBusy, CellTerminating
from codemode_kernel.session.cells import CellState
from codemode_kernel.session.events import (
    CallStarted,
    CellEnded,
    CellStarted,
    CellYielded,
    Notified,
)
from codemode_kernel.session.observation import Status

from tests.kernel.session.stage import Shown, Stage
from tests.patience import SLOWDOWN


async def test_a_cell_runs_to_its_end(any_stage: Stage) -> None:
    observation, texts = await any_stage.run('text("a"); text("b")')
    assert (observation.status, texts) == (Status.COMPLETED, ["a", "b"])
    assert observation.item_count == 2
    assert any_stage.session.cells == []


async def test_a_failed_script_keeps_its_output(any_stage: Stage) -> None:
    observation, texts = await any_stage.run('text("a"); throw "no"')
    assert (observation.status, observation.error_text, texts) == (Status.FAILED, "no", ["a"])


async def test_yield_control_splits_the_output(any_stage: Stage) -> None:
    observation, texts = await any_stage.run('text("a"); yield_control(); text("b")')
    assert (observation.status, texts) == (Status.RUNNING, ["a"])
    observation, texts = await any_stage.wait(observation.cell_id)
    assert (observation.status, texts) == (Status.COMPLETED, ["b"])


async def test_yield_control_is_dropped_while_nobody_observes(any_stage: Stage) -> None:
    code = 'for (const t of "abc") { text(t); yield_control(); await tools.echo({value: 1}) }'
    observation, texts = await any_stage.run(code)
    assert (observation.status, texts) == (Status.RUNNING, ["a"])
    await any_stage.events.next(CellEnded)
    observation, texts = await any_stage.wait(observation.cell_id)
    assert (observation.status, texts) == (Status.COMPLETED, ["b", "c"])


async def test_the_deadline_yields_and_the_cell_goes_on(any_stage: Stage) -> None:
    deadline_ms = round(150 * SLOWDOWN)
    pause = f"await new Promise((done) => setTimeout(done, {4 * deadline_ms}))"
    code = f'text("a"); {pause}; text("b")'
    observation, texts = await any_stage.run(code, yield_time_ms=deadline_ms)
    assert (observation.status, texts) == (Status.RUNNING, ["a"])
    assert observation.wall_time_s > 0.9 * deadline_ms / 1000
    observation, texts = await any_stage.wait(observation.cell_id)
    assert (observation.status, texts) == (Status.COMPLETED, ["b"])


async def test_a_wait_has_a_deadline_of_its_own(any_stage: Stage) -> None:
    cell = await any_stage.begin("await new Promise(() => {})")
    assert cell.id is not None
    observation, texts = await any_stage.wait(cell.id, yield_time_ms=50)
    assert (observation.status, texts) == (Status.RUNNING, [])
    assert observation.wall_time_s > 0.04


async def test_a_zero_deadline_yields_before_any_output(any_stage: Stage) -> None:
    observation, texts = await any_stage.run('text("a")', yield_time_ms=0)
    assert (observation.status, texts) == (Status.RUNNING, [])
    await any_stage.events.next(CellEnded)
    observation, texts = await any_stage.wait(observation.cell_id, yield_time_ms=0)
    assert (observation.status, texts) == (Status.COMPLETED, ["a"])


async def test_a_busy_loop_yields_and_can_be_ended(any_stage: Stage) -> None:
    observation, _ = await any_stage.run("while (true) {}", yield_time_ms=50)
    assert observation.status is Status.RUNNING
    observation, _ = await any_stage.wait(observation.cell_id, terminate=True)
    assert (observation.status, observation.error_text) == (Status.TERMINATED, None)


async def test_terminate_gives_what_was_not_delivered(any_stage: Stage) -> None:
    cell = await any_stage.begin('text("a"); await tools.hang()')
    await any_stage.events.next(CallStarted, cell)
    assert cell.id is not None
    observation, texts = await any_stage.wait(cell.id, terminate=True)
    assert (observation.status, texts) == (Status.TERMINATED, ["a"])


async def test_a_result_that_is_ready_beats_terminate(any_stage: Stage) -> None:
    cell = await any_stage.begin('text("a")')
    assert cell.id is not None
    await any_stage.events.next(CellEnded, cell)
    observation, texts = await any_stage.wait(cell.id, terminate=True)
    assert (observation.status, texts) == (Status.COMPLETED, ["a"])


@pytest.mark.parametrize("terminate", [False, True])
async def test_a_collected_cell_is_not_found(any_stage: Stage, terminate: bool) -> None:
    done, _ = await any_stage.run('text("a")')
    observation, _ = await any_stage.wait(done.cell_id, terminate=terminate)
    assert observation.missing
    assert observation.error_text == f"exec cell {done.cell_id} not found"


async def test_the_first_observer_is_not_displaced(any_stage: Stage) -> None:
    cell = await any_stage.begin("await new Promise(() => {})")
    assert cell.id is not None
    first = asyncio.create_task(any_stage.wait(cell.id))
    await asyncio.sleep(0)
    with pytest.raises(CellBusy, match=f"^exec cell {cell.id} already has an active observer$"):
        await any_stage.wait(cell.id)
    any_stage.session.stop(cell)
    observation, _ = await first
    assert observation.status is Status.TERMINATED


async def test_a_second_terminate_is_refused(any_stage: Stage) -> None:
    cell = await any_stage.begin("await new Promise(() => {})")
    assert cell.id is not None
    any_stage.session.stop(cell)
    with pytest.raises(CellTerminating, match=f"^exec cell {cell.id} is already terminating$"):
        await any_stage.wait(cell.id, terminate=True)


async def test_terminate_reaches_a_cell_that_is_observed(any_stage: Stage) -> None:
    shown = Shown()
    cell = any_stage.session.new_cell('text("a"); await new Promise(() => {})')
    running = asyncio.create_task(any_stage.session.run(cell, shown))
    await any_stage.events.next(CellStarted, cell)
    assert cell.id is not None
    ended, seen_by_second = await any_stage.wait(cell.id, terminate=True)
    observed = await running
    assert (ended.status, observed.status) == (Status.TERMINATED, Status.TERMINATED)
    assert shown.texts in (["a"], [])  # the script may not have come so far
    assert seen_by_second == []


async def test_a_wait_can_be_ended_without_ending_the_cell(any_stage: Stage) -> None:
    cell = await any_stage.begin("await new Promise(() => {})")
    assert cell.id is not None
    waiting = asyncio.create_task(any_stage.wait(cell.id))
    await asyncio.sleep(0)
    assert any_stage.session.yield_now(cell)
    observation, _ = await waiting
    assert observation.status is Status.RUNNING
    assert cell.state is CellState.RUNNING


async def test_stored_values_are_shared_by_the_cells_of_a_session(any_stage: Stage) -> None:
    await any_stage.run('store("k", {n: 1})')
    _, texts = await any_stage.run('text(load("k"))')
    assert texts == ['{"n":1}']


async def test_reset_ends_cells_and_forgets_values_and_numbers(any_stage: Stage) -> None:
    await any_stage.run('store("k", 1)')
    cell = await any_stage.begin("await new Promise(() => {})")
    await any_stage.session.reset()
    assert cell.outcome is not None
    assert cell.outcome.status is Status.TERMINATED
    assert any_stage.session.cells == []
    observation, texts = await any_stage.run('text(load("k"))')
    assert (observation.cell_id, texts) == ("1", ["undefined"])


async def test_a_notification_belongs_to_the_observation_in_progress(any_stage: Stage) -> None:
    observation, _ = await any_stage.run('notify("n"); text("a")')
    (note,) = observation.notifications
    assert (note.text, note.cell_id) == ("n", observation.cell_id)
    assert any_stage.events.of(Notified)[0].text == "n"


async def test_a_late_notification_comes_with_the_next_observation(any_stage: Stage) -> None:
    await any_stage.begin('await tools.echo({value: 1}); notify("late")')
    await any_stage.events.next(Notified)
    observation, _ = await any_stage.run('text("a")')
    assert [note.text for note in observation.notifications] == ["late"]


async def test_a_long_notification_is_kept_as_a_model_gets_it(any_stage: Stage) -> None:
    observation, _ = await any_stage.run('notify("x".repeat(1000000))')
    (note,) = observation.notifications
    half = "x" * 24_000
    assert note.text == f"{half}…238000 tokens truncated…{half}"


async def test_events_tell_the_life_of_a_cell(any_stage: Stage) -> None:
    cell = await any_stage.begin('text("a")')
    await any_stage.events.next(CellEnded, cell)
    assert cell.id is not None
    await any_stage.wait(cell.id, collector="In [2]")
    told = [type(event).__name__ for event in any_stage.events.seen]
    assert [name for name in told if name != "OutputWaiting"] == [
        "CellStarted",
        "CellYielded",
        "CellEnded",
        "CellCollected",
    ]
    assert told.index("CellStarted") < told.index(CellYielded.__name__)
