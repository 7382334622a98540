"""Hosts without `yield-observation`: the deadlines are the host's, and it is asked on demand."""

import pytest
from codemode_kernel.session.cells import CellState
from codemode_kernel.session.driver import Driver
from codemode_kernel.session.observation import Status

from tests.kernel.session.stage import Stage
from tests.patience import SLOWDOWN


@pytest.fixture(autouse=True)
def _plain(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Driver, "keeps_time", False)


async def test_deadlines_are_the_hosts(any_stage: Stage) -> None:
    pause = f"await new Promise((done) => setTimeout(done, {round(400 * SLOWDOWN)}))"
    code = f'text("a"); {pause}; text("b")'
    observation, seen = await any_stage.run(code, yield_time_ms=20)
    assert observation.status is Status.RUNNING
    observation, texts = await any_stage.wait(observation.cell_id, yield_time_ms=20)
    assert observation.status is Status.RUNNING
    observation, more = await any_stage.wait(observation.cell_id)
    assert observation.status is Status.COMPLETED
    assert [*seen, *texts, *more] == ["a", "b"]
    observation, _ = await any_stage.wait(observation.cell_id)
    assert observation.missing


async def test_a_cell_counts_as_running_until_somebody_asks(any_stage: Stage) -> None:
    cell = await any_stage.begin('text("a")')
    await any_stage.run("await tools.echo()")
    assert cell.state is CellState.RUNNING
    assert not any_stage.session.yield_now(cell)
    assert cell.id is not None
    observation, texts = await any_stage.wait(cell.id)
    assert (observation.status, texts) == (Status.COMPLETED, ["a"])


async def test_a_cell_can_be_ended(any_stage: Stage) -> None:
    cell = await any_stage.begin("while (true) {}")
    assert cell.id is not None
    observation, _ = await any_stage.wait(cell.id, terminate=True)
    assert observation.status is Status.TERMINATED
    assert any_stage.session.cells == []
