"""After hundreds of calls of every kind nothing is left of them."""

import asyncio
import os
import tempfile
from collections.abc import AsyncIterator
from contextlib import suppress
from pathlib import Path

import psutil
import pytest
from toolbridge.shell import job
from toolbridge.shell.errors import ShellError

from tests.patience import PATIENCE_S
from tests.toolbridge.shells import LONG_MS, Shell, shell_in

ROUNDS = 34
"""Of eleven calls each."""


@pytest.fixture
async def shell(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Shell]:
    temporary = tmp_path / "tmp"
    temporary.mkdir()
    monkeypatch.setenv("TMPDIR", str(temporary))
    monkeypatch.setattr(tempfile, "tempdir", str(temporary))
    monkeypatch.setattr(job, "STOP_GRACE_S", 0.05)
    async with shell_in(tmp_path) as shell:
        yield shell


def processes() -> int:
    """How many there are below this one, those that have ended and wait for a parent included."""
    return len(psutil.Process().children(recursive=True))


async def one_round(shell: Shell) -> None:
    """Ends by itself, fails, cannot start; has a session that ends, is ended, or is cancelled."""
    await asyncio.gather(
        shell.run("echo x; echo y >&2; exit 3"),
        shell.run("(sleep 0.01; echo late) & echo now"),
        shell.run("(sleep 0.01; echo late >&2) >/dev/null & exec 2>&-; echo now"),
        shell.run("exec >&-; seq 3 >&2; exec 2>&-; sleep 0.01"),
        shell.run("seq 3", tty=True),
        _that_cannot_start(shell),
        _that_is_written_to(shell),
        _that_is_ended(shell),
        _that_is_cancelled(shell),
    )


async def _that_cannot_start(shell: Shell) -> None:
    with suppress(ShellError):
        await shell.run("true", workdir="/no/such/folder")


async def _that_is_written_to(shell: Shell) -> None:
    session = await shell.session("cat")
    await shell.write(session, "x" * 70_000, close_stdin=True, yield_time_ms=LONG_MS)


async def _that_is_ended(shell: Shell) -> None:
    session = await shell.session("setsid sleep 300 & trap '' TERM; sleep 300 & wait", tty=True)
    await shell.write(session, terminate=True)


async def _that_is_cancelled(shell: Shell) -> None:
    task = asyncio.create_task(shell.run("sleep 300", yield_time_ms=LONG_MS))
    await asyncio.sleep(0)
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)


async def settled(shell: Shell) -> tuple[int, int, int]:
    """Processes, descriptors and tasks, once what was told to end has ended."""
    async with asyncio.timeout(PATIENCE_S):
        while shell.source.unsettled_count:  # noqa: ASYNC110 - cancelled calls tell nobody
            await asyncio.sleep(0.01)
    return processes(), psutil.Process().num_fds(), len(asyncio.all_tasks())


@pytest.mark.slow
async def test_nothing_is_left_of_hundreds_of_calls(shell: Shell, tmp_path: Path) -> None:
    await one_round(shell)
    before = await settled(shell)
    for _ in range(ROUNDS):
        await one_round(shell)
    assert await settled(shell) == before
    assert shell.source.shells() == []
    assert os.listdir(tmp_path / "tmp") == []


@pytest.mark.slow
async def test_nothing_at_all_is_left_of_a_closed_toolbox(tmp_path: Path) -> None:
    before = processes(), psutil.Process().num_fds(), len(asyncio.all_tasks())
    for _ in range(3):
        async with shell_in(tmp_path) as shell:
            await shell.session("setsid sleep 300 & sleep 300")
            await shell.session("sleep 300", tty=True)
    assert (processes(), psutil.Process().num_fds(), len(asyncio.all_tasks())) == before
