"""Cells that nobody waits for never block a session."""

import asyncio

import pytest
from codemode_host.wire import TextItem
from codemode_kernel.session.cells import CellState
from codemode_kernel.session.events import CellCollected, CellEnded
from codemode_kernel.session.observation import Status

from tests.kernel.session.stage import MakeStage, Stage


async def test_past_the_limit_the_oldest_is_collected_by_the_session(
    make_stage: MakeStage,
) -> None:
    stage = await make_stage(max_uncollected_cells=3)
    cells = []
    for number in range(5):
        cell = await stage.begin(f'text("{number}")')
        await stage.events.next(CellEnded, cell)
        cells.append(cell)
    assert [cell.state is CellState.COLLECTED for cell in cells] == [True] * 2 + [False] * 3
    collected = stage.events.of(CellCollected)
    assert [event.cell for event in collected] == cells[:2]
    assert [event.collector for event in collected] == [None, None]
    assert [event.items for event in collected] == [[TextItem("0")], [TextItem("1")]]
    assert list(stage.session.cells) == cells[2:]


@pytest.mark.slow
async def test_the_301st_of_yielding_cells_works(any_stage: Stage) -> None:
    code = "yield_control(); await new Promise(() => {})"
    for _ in range(300):
        observation, _ = await any_stage.run(code)
        assert observation.status is Status.RUNNING
    observation, texts = await any_stage.run('text("301")')
    assert (observation.status, texts) == (Status.COMPLETED, ["301"])


@pytest.mark.slow
async def test_the_301st_of_ended_cells_works(any_stage: Stage) -> None:
    for number in range(300):
        observation, _ = await any_stage.run(f"yield_control(); text('{number}')")
        assert observation.status is Status.RUNNING
    observation, texts = await any_stage.run('text("301")')
    assert (observation.status, texts) == (Status.COMPLETED, ["301"])
    await any_stage.events.next(CellEnded, number=301)
    assert len(any_stage.session.cells) == 256


async def test_a_bare_wait_takes_the_newest_with_something_to_collect(any_stage: Stage) -> None:
    assert any_stage.session.newest_collectable() is None
    ended = await any_stage.begin('text("a")')
    await any_stage.events.next(CellEnded, ended)
    silent = await any_stage.begin("await new Promise(() => {})")
    assert any_stage.session.newest_collectable() is ended
    assert list(any_stage.session.collectable()) == [ended, silent]
    assert ended.id is not None
    await any_stage.wait(ended.id)
    assert any_stage.session.newest_collectable() is silent


async def test_an_observed_cell_is_not_collectable(any_stage: Stage) -> None:
    cell = await any_stage.begin("await new Promise(() => {})")
    assert cell.id is not None
    waiting = asyncio.create_task(any_stage.wait(cell.id))
    await asyncio.sleep(0)
    assert list(any_stage.session.collectable()) == []
    any_stage.session.stop(cell)
    await waiting
