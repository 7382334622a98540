"""How many commands there may be, how long an unread end is kept, and what a command finds."""

import asyncio
import os
from pathlib import Path
from typing import Any

import pytest
from toolbridge.errors import Outcome
from toolbridge.shell.errors import ShellError, ShellFault
from toolbridge.shell.sessions import MAX_UNREAD, MAX_UNSETTLED, UNREAD_S, ShellSessions

from tests.patience import PATIENCE_S
from tests.toolbridge.shells import LONG_MS, Shell
from toolbridge import CallContext, ToolCall

# Places


async def test_a_command_too_many_is_refused_and_not_run(shell: Shell, tmp_path: Path) -> None:
    sessions = [await shell.session("read x") for _ in range(MAX_UNSETTLED)]
    with pytest.raises(ShellError) as refused:
        await shell.run("touch ran")
    assert (refused.value.fault, refused.value.outcome) == (
        ShellFault.TOO_MANY_JOBS,
        Outcome.REFUSED,
    )
    assert str(refused.value) == (
        "exec_command failed: 16 commands run already, which is as many as there may be; wait for "
        "one of them, or end one with write_stdin and `terminate`"
    )
    assert os.listdir(tmp_path) == []
    await shell.write(sessions[3], "\n", yield_time_ms=LONG_MS)
    assert (await shell.run("echo ran"))["output"] == "ran\n"


async def test_commands_that_come_at_once_are_counted_before_they_run(shell: Shell) -> None:
    results = await asyncio.gather(
        *(shell.run("read x", yield_time_ms=0) for _ in range(MAX_UNSETTLED + 2)),
        return_exceptions=True,
    )
    assert sum(isinstance(result, ShellError) for result in results) == 2


async def test_a_command_that_cannot_start_takes_no_place(shell: Shell) -> None:
    for _ in range(MAX_UNSETTLED + 1):
        with pytest.raises(ShellError) as failed:
            await shell.run("true", workdir="/no/such/folder", yield_time_ms=0)
        assert failed.value.fault is ShellFault.SPAWN_FAILED
    assert (await shell.run("echo ran"))["output"] == "ran\n"


async def test_closed_shells_start_nothing(shell: Shell, tmp_path: Path) -> None:
    await shell.source.close()
    with pytest.raises(ShellError) as refused:
        await shell.run("touch ran")
    assert refused.value.fault is ShellFault.CLOSED
    assert os.listdir(tmp_path) == []


# Unread ends


class Ended:
    """A command as the sessions see it."""

    def __init__(self, ended_at: float | None) -> None:
        self.ended_at = ended_at


def sessions_of(*ended_at: float | None) -> tuple[ShellSessions, list[int]]:
    sessions = ShellSessions()
    jobs: list[Any] = [Ended(at) for at in ended_at]
    return sessions, [sessions.keep(job, "true", "1").session_id for job in jobs]


def known(sessions: ShellSessions) -> set[int]:
    return {shell.session_id for shell in sessions.all()}


def test_an_unread_end_is_forgotten_in_time() -> None:
    sessions, (old, young, running) = sessions_of(0.0, 1.0, None)
    sessions.sweep(UNREAD_S)
    assert known(sessions) == {young, running}
    with pytest.raises(ShellError, match=f"Unknown process id {old}"):
        sessions.find(old)


def test_of_too_many_unread_ends_the_oldest_are_forgotten() -> None:
    times = [float((8 * n) % (MAX_UNREAD + 3)) for n in range(MAX_UNREAD + 3)]
    sessions, ids = sessions_of(*times, None)
    sessions.sweep(UNREAD_S / 2)
    forgotten = set(ids) - known(sessions)
    assert forgotten == {ids[times.index(at)] for at in (0.0, 1.0, 2.0)}


async def test_a_call_sweeps(shell: Shell) -> None:
    session = await shell.session("read x")
    (live,) = shell.source.shells()
    live.job.input.send(b"\n")
    await live.job.wait(PATIENCE_S)
    assert live.job.ended_at is not None
    live.job.ended_at -= UNREAD_S
    with pytest.raises(ShellError, match="Unknown process id"):
        await shell.write(session)


# Environment


async def run_with(shell: Shell, environment: dict[str, Any], cmd: str) -> Any:
    """Run a command as the toolbox does for an embedder who adds to its environment."""
    (tool, _) = shell.source.tools()
    admitted = shell.source.admit(tool, {"cmd": cmd})
    context = CallContext(environment=environment)
    return await shell.source.call(ToolCall(tool, {"cmd": cmd}), admitted, context)


async def test_an_embedder_adds_to_the_environment_of_one_command(
    shell: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OURS", "kernel")
    added = {"OURS": "embedder", "MORE": "é"}
    assert (await run_with(shell, added, "echo $OURS $MORE"))["output"] == "embedder é\n"
    assert (await shell.run("echo $OURS $MORE"))["output"] == "kernel\n"
    assert os.environ["OURS"] == "kernel"


@pytest.mark.parametrize("name, value", [("", "x"), ("A=B", "x"), ("A", "s3cret\0"), ("A", 5)])
async def test_what_is_no_environment_is_refused_before_anything_runs(
    shell: Shell, tmp_path: Path, name: str, value: Any
) -> None:
    with pytest.raises(ShellError) as refused:
        await run_with(shell, {name: value}, "touch ran")
    assert refused.value.fault is ShellFault.BAD_ENVIRONMENT
    assert str(refused.value) == (
        f"exec_command failed: {name!r} cannot be set in the environment of a command"
    )
    assert os.listdir(tmp_path) == []
