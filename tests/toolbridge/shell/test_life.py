"""How long processes live: until their command ends, is stopped, or the kernel is gone."""

import asyncio
import os
import signal
import subprocess
import sys
from pathlib import Path

import psutil
import pytest
from toolbridge.errors import OutcomeUnknownError
from toolbridge.shell import job

from tests.toolbridge.shells import Shell, all_ended
from toolbridge import ToolError

FAMILY = """
echo $$
sleep 300 & echo $!
setsid sh -c 'echo $$; echo end; exec sleep 300' &
wait
"""
"""Prints the ids of itself, of a child in its group and of one that left it, and `end`."""


async def started(tmp_path: Path) -> int:
    """The process id that a command under way writes to the FIFO `pid`."""
    return int(await asyncio.to_thread((tmp_path / "pid").read_text))


@pytest.fixture(autouse=True)
def pid_fifo(tmp_path: Path) -> None:
    """What `started` reads from."""
    os.mkfifo(tmp_path / "pid")


async def printed_pids(shell: Shell, session: int) -> list[int]:
    """The process ids that a command prints before `end`."""
    return [int(word) for word in (await shell.read_until(session, "end")).split()[:-1]]


async def cancelled(task: "asyncio.Task[object]") -> None:
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task


async def test_cancelling_a_call_ends_its_command(shell: Shell, tmp_path: Path) -> None:
    task = asyncio.create_task(shell.run("sleep 300 & echo $! > pid; wait", yield_time_ms=60_000))
    pid = await started(tmp_path)
    await cancelled(task)
    assert await all_ended([pid])


async def test_cancelling_reaches_a_child_that_left_the_group(shell: Shell, tmp_path: Path) -> None:
    cmd = "setsid sh -c 'echo $$ > pid; exec sleep 300' & wait"
    task = asyncio.create_task(shell.run(cmd, yield_time_ms=60_000))
    pid = await started(tmp_path)
    await cancelled(task)
    assert await all_ended([pid])


async def test_a_child_that_left_the_group_and_ignores_sigterm_is_killed(
    shell: Shell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also when nothing is left of the group that it left."""
    monkeypatch.setattr(job, "STOP_GRACE_S", 0.05)
    cmd = "setsid sh -c 'trap \"\" TERM; echo $$ > pid; exec sleep 300' & wait"
    task = asyncio.create_task(shell.run(cmd, yield_time_ms=60_000))
    pid = await started(tmp_path)
    await cancelled(task)
    assert await all_ended([pid])


@pytest.mark.slow
async def test_a_command_that_ignores_sigterm_is_killed(shell: Shell, tmp_path: Path) -> None:
    cmd = "trap '' TERM; echo $$ > pid; while :; do sleep 1; done"
    task = asyncio.create_task(shell.run(cmd, yield_time_ms=60_000))
    pid = await started(tmp_path)
    await cancelled(task)
    assert await all_ended([pid])


async def test_a_call_cancelled_before_its_command_started_leaves_nothing(
    shell: Shell, tmp_path: Path
) -> None:
    await shell.run("true")
    for _ in range(20):
        task = asyncio.create_task(shell.run("exec sleep 311.25", yield_time_ms=60_000))
        await asyncio.sleep(0)
        await cancelled(task)
    await shell.run("true")  # the supervisor has read everything that was sent before
    left = [process.pid for process in psutil.process_iter() if "311.25" in _words(process)]
    assert await all_ended(left)


def _words(process: psutil.Process) -> list[str]:
    try:
        words: list[str] = process.cmdline()
    except psutil.Error:
        return []
    return words


async def test_cancelling_a_read_leaves_the_session_and_its_output(shell: Shell) -> None:
    session = await shell.session("read x; echo kept; read x")
    task = asyncio.create_task(shell.write(session, "\n", yield_time_ms=60_000))
    await asyncio.sleep(0)
    await cancelled(task)
    assert await shell.read_until(session, "kept") == "kept\n"


async def test_reset_ends_sessions_and_what_left_their_groups(shell: Shell) -> None:
    session = await shell.session(FAMILY)
    pids = await printed_pids(shell, session)
    await shell.toolbox.reset()
    assert await all_ended(pids)
    with pytest.raises(ToolError, match="Unknown process id"):
        await shell.write(session)
    assert (await shell.run("echo again"))["output"] == "again\n"


async def test_reset_kills_what_ignores_sigterm(shell: Shell) -> None:
    session = await shell.session("trap '' TERM; echo $$; echo end; while :; do sleep 1; done")
    pids = await printed_pids(shell, session)
    await shell.toolbox.reset()
    assert await all_ended(pids)


async def test_a_child_of_an_ended_command_ends_with_the_session(
    shell: Shell, tmp_path: Path
) -> None:
    await shell.run("setsid sh -c 'echo $$ > pid; exec sleep 300' >/dev/null 2>&1 &")
    pid = await started(tmp_path)
    assert psutil.pid_exists(pid)
    await shell.toolbox.close()
    assert await all_ended([pid])


KERNEL = f"""
import asyncio, sys
sys.path.insert(0, {str(Path(__file__).parents[3])!r})
from tests.toolbridge.shells import Shell
async def main():
    shell = Shell(".")
    session = await shell.session({FAMILY!r})
    supervisor = (await shell.run("ps -o ppid= -p $$"))["output"].strip()
    print(supervisor, await shell.read_until(session, "end"), flush=True)
    await asyncio.Event().wait()
asyncio.run(main())
"""


@pytest.mark.parametrize("end", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
async def test_nothing_outlives_the_kernel(tmp_path: Path, end: signal.Signals) -> None:
    kernel = await asyncio.create_subprocess_exec(
        sys.executable,
        "-c",
        KERNEL,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        cwd=tmp_path,
        start_new_session=True,
    )
    assert kernel.stdout is not None
    pids = [int(word) for word in (await kernel.stdout.readuntil(b"end")).split()[:-1]]
    assert len(pids) == 4
    os.killpg(kernel.pid, end)
    await kernel.wait()
    assert await all_ended(pids)


async def supervisor_of(shell: Shell) -> int:
    return int((await shell.run("ps -o ppid= -p $$"))["output"])


async def test_a_killed_supervisor_is_an_unknown_outcome_and_the_next_command_works(
    shell: Shell, tmp_path: Path
) -> None:
    supervisor = await supervisor_of(shell)
    session = await shell.session("sleep 300 & echo $!; echo end; wait")
    pids = await printed_pids(shell, session)
    running = asyncio.create_task(shell.run("echo $$ > pid; sleep 300", yield_time_ms=60_000))
    pids.append(await started(tmp_path))
    os.kill(supervisor, signal.SIGKILL)
    with pytest.raises(OutcomeUnknownError, match="the command was lost"):
        await running
    with pytest.raises(OutcomeUnknownError, match="the command was lost"):
        await shell.write(session)
    assert await all_ended(pids)
    assert (await shell.run("echo again"))["output"] == "again\n"


async def test_commands_leave_no_descriptor_behind(shell: Shell) -> None:
    await shell.run("true")
    before = psutil.Process().num_fds()
    for _ in range(20):
        await shell.run("echo x")
    with pytest.raises(ToolError):
        await shell.run("true", workdir="/no/such/folder")
    task = asyncio.create_task(shell.run("sleep 300", yield_time_ms=60_000))
    await asyncio.sleep(0)
    await cancelled(task)
    await shell.run("true")
    assert psutil.Process().num_fds() == before
