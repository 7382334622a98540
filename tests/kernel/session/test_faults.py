"""A host that dies: a clear error, the next cell works, nothing is left behind."""

import asyncio
import contextlib
import json
import os
import re
import signal
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import psutil
import pytest
from codemode_kernel.errors import HostUnavailable, StaleCell
from codemode_kernel.session import driver
from codemode_kernel.session.calls import CallOutcome
from codemode_kernel.session.cells import CellState
from codemode_kernel.session.events import (
    CallEnded,
    CallStarted,
    CellEnded,
    CellStarted,
    HostLost,
    OutputWaiting,
)
from codemode_kernel.session.observation import Status

from tests.kernel.session.stage import MakeStage, Shown, Stage
from tests.patience import PATIENCE_S

pytestmark = pytest.mark.slow

KILLED = "code-mode host exited with status signal: 9 (SIGKILL)"
LOST = "stored values were lost"


def kill_host(stage: Stage) -> list[psutil.Process]:
    """SIGKILL the host; gives what it had started."""
    assert stage.session.host_pid is not None
    children = psutil.Process(stage.session.host_pid).children(recursive=True)
    os.kill(stage.session.host_pid, signal.SIGKILL)
    return children


async def all_gone(processes: Sequence[psutil.Process]) -> bool:
    _, alive = await asyncio.to_thread(psutil.wait_procs, processes, PATIENCE_S)
    return not alive


async def next_cell_works(stage: Stage, expected_id: str = "g2:1") -> None:
    observation, texts = await stage.run('text(String(load("k")))')
    assert (observation.status, texts) == (Status.COMPLETED, ["undefined"])
    assert observation.cell_id == expected_id
    assert len(observation.notices) == 1
    assert LOST in observation.notices[0]
    observation, _ = await stage.run('text("b")')
    assert observation.notices == ()


async def test_killed_at_rest(any_stage: Stage) -> None:
    await any_stage.run('store("k", 1)')
    children = kill_host(any_stage)
    assert (await any_stage.events.next(HostLost)).reason == KILLED
    await next_cell_works(any_stage)
    assert await all_gone(children)


async def test_killed_at_rest_and_used_before_anybody_noticed(any_stage: Stage) -> None:
    await any_stage.run('store("k", 1)')
    kill_host(any_stage)
    # The request may still be written to the dead host; then it is lost with it, clearly.
    with contextlib.suppress(HostUnavailable):
        await any_stage.run('text("a")')
    observation, texts = await any_stage.run('text("b")')
    assert (observation.status, texts) == (Status.COMPLETED, ["b"])


async def test_killed_in_a_cell(any_stage: Stage) -> None:
    cell = any_stage.session.new_cell("while (true) {}")
    running = asyncio.create_task(any_stage.session.run(cell, Shown()))
    await any_stage.events.next(CellStarted, cell)
    children = kill_host(any_stage)
    with pytest.raises(HostUnavailable, match="next cell starts a new host") as caught:
        await running
    assert caught.value.model_text == KILLED
    assert cell.state is CellState.COLLECTED
    await next_cell_works(any_stage)
    assert await all_gone(children)


async def test_killed_in_a_tool_call(any_stage: Stage) -> None:
    cell = any_stage.session.new_cell("await tools.hang()")
    running = asyncio.create_task(any_stage.session.run(cell, Shown()))
    await any_stage.events.next(CallStarted, cell)
    kill_host(any_stage)
    with pytest.raises(HostUnavailable):
        await running
    event = await any_stage.events.next(CallEnded, cell)
    assert event.call.outcome is CallOutcome.CANCELLED
    await next_cell_works(any_stage)


async def test_killed_during_a_yield(stage: Stage) -> None:
    shown = Shown()
    cell = stage.session.new_cell('yield_control(); text("a"); await new Promise(() => {})')
    await stage.session.run(cell, shown)
    await stage.events.next(OutputWaiting, cell)
    kill_host(stage)
    await stage.events.next(HostLost)
    assert cell.outcome is not None
    assert cell.outcome.lost
    observation, texts = await stage.wait("1")
    assert (observation.status, observation.error_text, texts) == (Status.FAILED, KILLED, ["a"])
    with pytest.raises(StaleCell, match=r"^cell 1 belongs to a stale code-mode host generation$"):
        await stage.wait("1")
    await next_cell_works(stage)


async def test_killed_during_a_wait(any_stage: Stage) -> None:
    cell = await any_stage.begin("await new Promise(() => {})")
    assert cell.id is not None
    waiting = asyncio.create_task(any_stage.wait(cell.id))
    await asyncio.sleep(0)
    kill_host(any_stage)
    with pytest.raises(HostUnavailable):
        await waiting
    await next_cell_works(any_stage)


async def test_every_new_host_is_a_generation(any_stage: Stage) -> None:
    for generation in (2, 3):
        await any_stage.run('text("a")')
        kill_host(any_stage)
        await any_stage.events.next(HostLost, number=generation - 1)
        await next_cell_works(any_stage, f"g{generation}:1")
    with pytest.raises(StaleCell):
        await any_stage.wait("g2:1")


async def test_a_restart_loses_values_and_cells_on_purpose(any_stage: Stage) -> None:
    await any_stage.run('store("k", 1)')
    cell = await any_stage.begin("await new Promise(() => {})")
    await any_stage.session.restart()
    assert cell.outcome is not None
    assert cell.outcome.status is Status.TERMINATED
    observation, texts = await any_stage.run('text(String(load("k")))')
    assert (observation.cell_id, texts, observation.notices) == ("g2:1", ["undefined"], ())


async def test_close_leaves_no_process_behind(any_stage: Stage) -> None:
    await any_stage.begin("while (true) {}")
    assert any_stage.session.host_pid is not None
    host = psutil.Process(any_stage.session.host_pid)
    family = [host, *host.children(recursive=True)]
    await any_stage.session.close()
    assert await all_gone(family)


async def test_a_killed_worker_fails_its_cell_alone(stage: Stage) -> None:
    other = await stage.begin("await tools.echo(); await tools.hang()")
    await stage.events.next(CallStarted, other, number=2)
    cell = await stage.begin("while (true) {}")
    (await busiest(stage)).kill()
    await stage.events.next(CellEnded, cell)
    assert cell.outcome is not None
    assert cell.outcome.status is Status.FAILED
    assert "exec runtime ended unexpectedly" in (cell.outcome.error_text or "")
    assert other.state is CellState.RUNNING
    observation, texts = await stage.run('text("c")')
    assert (observation.status, texts, observation.notices) == (Status.COMPLETED, ["c"], ())


async def busiest(stage: Stage) -> psutil.Process:
    """Of the host's processes the one that computes."""
    assert stage.session.host_pid is not None
    processes = psutil.Process(stage.session.host_pid).children(recursive=True)
    before = {process: process.cpu_times().user for process in processes}

    def used(process: psutil.Process) -> float:
        return float(process.cpu_times().user - before[process])

    async with asyncio.timeout(PATIENCE_S):
        while used(max(processes, key=used)) < 0.1:  # noqa: ASYNC110 - CPU time tells nobody
            await asyncio.sleep(0.05)
    return max(processes, key=used)


async def test_a_killed_zygote_is_replaced(stage: Stage) -> None:
    await stage.run('store("k", 1)')
    assert stage.session.host_pid is not None
    for child in psutil.Process(stage.session.host_pid).children():
        child.kill()
    # A cell may get a spare that dies with its zygote: it fails clearly, and alone.
    first, _ = await stage.run('text("a")')
    assert first.status is Status.COMPLETED or re.search(
        "zygote ended|killed", first.error_text or ""
    )
    observation, texts = await stage.run('text(load("k"))')
    assert (observation.status, texts) == (Status.COMPLETED, ["1"])


async def test_a_host_that_does_not_start_is_named(make_stage: MakeStage) -> None:
    stage = await make_stage(["no-such-host"])
    with pytest.raises(HostUnavailable, match="executable was not found") as caught:
        await stage.run('text("a")')
    assert "host_command" in str(caught.value)


async def test_a_host_that_ends_at_once_says_its_last_words(make_stage: MakeStage) -> None:
    program = "import sys; print('no licence', file=sys.stderr); sys.exit(3)"
    stage = await make_stage([sys.executable, "-c", program])
    with pytest.raises(HostUnavailable, match=r"exit status: 3\nno licence"):
        await stage.run('text("a")')


SCRIPTED_HOST = Path(__file__).parents[2] / "host" / "scripted_host.py"
READY = {"type": "connection/ready", "selectedVersion": 1, "capabilities": ["content-stream-v1"]}


async def stage_that_starts_a_cell(make_stage: MakeStage, *then: dict[str, Any]) -> Stage:
    """On a host that starts cell 1 and does nothing more of itself but what is said."""

    def answer(request_id: int, value: dict[str, str]) -> list[dict[str, Any]]:
        result = {"status": "ok", "value": value}
        message = {"type": "operation/response", "id": request_id, "result": result}
        return [{"read": 1}, {"send": message}]

    script = [
        *({"read": 1}, {"send": READY}),
        *answer(1, {"type": "session/ready", "sessionId": "notebook-1"}),
        *answer(2, {"type": "execution/started", "cellId": "1"}),
        *({"send": message} for message in then),
    ]
    return await make_stage([sys.executable, str(SCRIPTED_HOST), json.dumps(script)])


async def test_a_host_that_does_not_end_a_cell_is_given_up(
    make_stage: MakeStage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(driver, "TERMINATE_S", 0.1)
    stage = await stage_that_starts_a_cell(make_stage)
    cell = stage.session.new_cell("while (true) {}")
    running = asyncio.create_task(stage.session.run(cell, Shown()))
    await stage.events.next(CellStarted, cell)
    stage.session.stop(cell)
    with pytest.raises(HostUnavailable, match="did not end cell 1 within"):
        await running


def content(seq: int, cell_id: str = "1") -> dict[str, Any]:
    items = [{"type": "input_text", "text": "a"}]
    message = {"sessionId": "notebook-1", "cellId": cell_id, "seq": seq, "items": items}
    return {"type": "cell/content", **message}


def result(content_seq: int, cell_id: str = "1") -> dict[str, Any]:
    body = {
        "cell_id": cell_id,
        "content_items": [],
        "code_mode_host_duration_ns": 1,
        "content_seq": content_seq,
    }
    value = {"status": "ok", "value": {"Result": body}}
    return {"type": "execute/initialResponse", "id": 2, "result": value}


@pytest.mark.parametrize(
    "messages, complaint",
    [
        ([content(2)], "sent content of cell 1 astray"),
        ([content(1), content(3)], "sent content of cell 1 astray"),
        ([content(1, cell_id="9")], "sent content of cell 9 astray"),
        ([content(1), result(2)], "counts 2 items of cell 1, not the 1 it sent"),
        ([result(0, cell_id="9")], "answered for cell 9 instead of 1"),
        ([{"type": "cell/closed", "sessionId": "notebook-1", "cellId": "9"}], "unknown cell 9"),
    ],
)
async def test_a_host_that_loses_count_is_given_up(
    make_stage: MakeStage, messages: list[dict[str, Any]], complaint: str
) -> None:
    stage = await stage_that_starts_a_cell(make_stage, *messages)
    with pytest.raises(HostUnavailable, match=complaint):
        await stage.run("1")


async def test_a_closed_session_starts_nothing(stage: Stage) -> None:
    await stage.session.close()
    with pytest.raises(HostUnavailable, match="session is shutting down"):
        await stage.run("1")
