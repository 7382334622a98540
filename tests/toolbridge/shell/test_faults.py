"""What goes wrong with a command: said as it is, and nothing is launched a second time."""

import asyncio
import os
import signal
from collections.abc import Awaitable, Iterator
from pathlib import Path
from typing import Any

import pytest
from toolbridge.errors import Outcome
from toolbridge.shell import exchange, job
from toolbridge.shell.errors import ShellError, ShellFault

from tests.patience import PATIENCE_S
from tests.toolbridge.shells import LONG_MS, Shell, all_ended

LAUNCH = "echo $$ >> launched; "
"""Begins every command here."""


@pytest.fixture(autouse=True)
def launched_once(tmp_path: Path) -> Iterator[None]:
    """No test here has launched its command twice."""
    yield
    assert len((tmp_path / "launched").read_text().split()) == 1


@pytest.fixture(autouse=True)
def impatient_ending(monkeypatch: pytest.MonkeyPatch) -> None:
    """A command that closes its stdin here goes on: nobody need wait for its end."""
    monkeypatch.setattr(exchange, "ENDING_S", 0.01)


def pid_of(tmp_path: Path) -> int:
    return int((tmp_path / "launched").read_text())


async def fails(call: Awaitable[object]) -> ShellError:
    with pytest.raises(ShellError) as failed:
        await call
    return failed.value


async def reader(shell: Shell, session: int) -> asyncio.Task[dict[str, Any]]:
    """A call that waits for output, and has its turn."""
    task = asyncio.create_task(shell.write(session, yield_time_ms=LONG_MS))
    await has_reader(shell)
    return task


async def has_reader(shell: Shell) -> None:
    """Wait until a call has its turn to read from the only session."""
    (live,) = shell.source.shells()
    while not live.job.observer.locked():  # noqa: ASYNC110 - a lock tells nobody
        await asyncio.sleep(0)


# Input


async def test_a_command_that_closed_its_stdin_may_have_read_something(shell: Shell) -> None:
    session = await shell.session(LAUNCH + "exec <&-; echo closed; sleep 300")
    await shell.read_until(session, "closed")
    error = await fails(shell.write(session, "x"))
    assert (error.fault, error.outcome) == (ShellFault.STDIN_FAILED, Outcome.UNKNOWN)


async def test_after_that_nothing_is_sent(shell: Shell) -> None:
    session = await shell.session(LAUNCH + "exec <&-; echo closed; sleep 300")
    await shell.read_until(session, "closed")
    await fails(shell.write(session, "x"))
    error = await fails(shell.write(session, "y"))
    assert (error.fault, error.outcome) == (ShellFault.STDIN_CLOSED, Outcome.REFUSED)
    assert str(error) == (
        "write_stdin failed: nothing was sent, since the stdin of the command was closed before"
    )


async def test_a_command_that_closes_its_stdin_while_input_waits(
    shell: Shell, tmp_path: Path
) -> None:
    os.mkfifo(tmp_path / "go")
    session = await shell.session(LAUNCH + "read x < go; exec <&-; echo closed; sleep 300")
    sent = await shell.write(session, "x" * 200_000, yield_time_ms=0)
    assert sent["input_delivery"] == "unknown"
    (tmp_path / "go").write_text("\n")
    await shell.read_until(session, "closed")
    error = await fails(shell.write(session, "y"))
    assert error.fault is ShellFault.STDIN_CLOSED


async def test_input_that_fails_while_its_call_waits_is_an_error_and_the_output_stays(
    shell: Shell, tmp_path: Path
) -> None:
    os.mkfifo(tmp_path / "go")
    session = await shell.session(LAUNCH + "read x < go; exec <&-; echo closed; sleep 300")
    sending = asyncio.create_task(shell.write(session, "x" * 200_000, yield_time_ms=LONG_MS))
    await asyncio.to_thread((tmp_path / "go").write_text, "\n")
    error = await fails(sending)
    assert (error.fault, error.outcome) == (ShellFault.STDIN_FAILED, Outcome.UNKNOWN)
    assert await shell.read_until(session, "closed") == "closed\n"


async def test_a_command_that_ends_while_input_waits_gives_its_end(
    shell: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(exchange, "ENDING_S", PATIENCE_S)
    session = await shell.session(LAUNCH + "head -c 3; exit 4")
    result = await shell.write(session, "x" * 200_000, yield_time_ms=LONG_MS)
    assert (result["output"], result["exit_code"]) == ("xxx", 4)
    assert result["input_delivery"] == "unknown"


async def test_too_many_bytes_are_refused_and_none_is_sent(shell: Shell) -> None:
    session = await shell.session(LAUNCH + "read x; echo got ${#x}; sleep 300")
    error = await fails(shell.write(session, "x" * 262_145, yield_time_ms=0))
    assert (error.fault, error.outcome) == (ShellFault.STDIN_OVERLOAD, Outcome.REFUSED)
    assert await shell.say(session, "abc\n", until="got 3\n") == "got 3\n"


async def test_too_many_calls_are_refused(shell: Shell) -> None:
    session = await shell.session(LAUNCH + "echo up; sleep 300")
    await shell.read_until(session, "up")
    await shell.write(session, "x" * 200_000, yield_time_ms=0)
    for _ in range(15):
        assert (await shell.write(session, "x", yield_time_ms=0))["input_delivery"] == "unknown"
    error = await fails(shell.write(session, "x", yield_time_ms=0))
    assert error.fault is ShellFault.STDIN_OVERLOAD


async def test_what_was_taken_and_told_counts_no_more(shell: Shell) -> None:
    session = await shell.session(LAUNCH + "cat > /dev/null; echo end")
    for _ in range(20):
        result = await shell.write(session, "x" * 60_000, yield_time_ms=0)
        while "input_delivery" in result:
            result = await shell.write(session, yield_time_ms=10)
    assert (await shell.write(session, close_stdin=True, yield_time_ms=LONG_MS))[
        "output"
    ] == "end\n"


async def test_the_end_of_input_comes_after_the_input(shell: Shell) -> None:
    session = await shell.session(LAUNCH + "wc -c")
    result = await shell.write(session, "x" * 200_000, close_stdin=True, yield_time_ms=LONG_MS)
    assert (result["output"].strip(), result["exit_code"]) == ("200000", 0)


async def test_input_has_one_end(shell: Shell, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "go")
    session = await shell.session(LAUNCH + "cat; read x < go; exit 3")
    await shell.write(session, "x", close_stdin=True, yield_time_ms=0)
    await shell.write(session, close_stdin=True, yield_time_ms=0)
    error = await fails(shell.write(session, "y"))
    assert (error.fault, error.outcome) == (ShellFault.STDIN_CLOSED, Outcome.REFUSED)
    await asyncio.to_thread((tmp_path / "go").write_text, "\n")
    result = await shell.write(session, close_stdin=True, yield_time_ms=LONG_MS)
    assert result["exit_code"] == 3


# Two readers


async def test_input_does_not_wait_for_another_reader(shell: Shell) -> None:
    session = await shell.session(LAUNCH + "read x; echo got $x; read x")
    reading = await reader(shell, session)
    sent = await shell.write(session, "a\n", yield_time_ms=0)
    assert (sent["session_id"], sent["output"]) == (session, "")
    await shell.write(session, "b\n", yield_time_ms=0)
    result = await reading
    assert (result["output"], result["exit_code"]) == ("got a\n", 0)


async def test_of_two_readers_one_gets_the_end(shell: Shell) -> None:
    session = await shell.session(LAUNCH + "read x; exit 0")
    first = await reader(shell, session)
    error = await fails(shell.write(session, "\n", yield_time_ms=LONG_MS))
    assert (await first)["exit_code"] == 0
    assert (error.fault, error.outcome) == (ShellFault.STALE_SESSION, Outcome.REFUSED)


# Ending


async def test_a_session_is_ended_with_its_last_words(shell: Shell, tmp_path: Path) -> None:
    session = await shell.session(
        LAUNCH + "trap 'echo bye; exit 7' TERM; echo up; sleep 300 & wait"
    )
    await shell.read_until(session, "up")
    result = await shell.write(session, terminate=True, yield_time_ms=0)
    assert (result["exit_code"], result["terminated"]) == (7, True)
    assert result["output"].strip() == "bye"
    assert "unknown_outcome" not in result
    error = await fails(shell.write(session))
    assert error.fault is ShellFault.STALE_SESSION


async def test_ending_what_has_ended_tells_how_it_did(shell: Shell) -> None:
    session = await shell.session(LAUNCH + "read x; exit 3")
    (live,) = shell.source.shells()
    live.job.input.send(b"\n")
    await live.job.wait(PATIENCE_S)
    result = await shell.write(session, terminate=True)
    assert result["exit_code"] == 3
    assert "terminated" not in result


async def test_a_session_can_be_ended_while_somebody_reads_from_it(shell: Shell) -> None:
    session = await shell.session(LAUNCH + "echo up; exec sleep 300")
    await shell.read_until(session, "up")
    reading = await reader(shell, session)
    error = await fails(shell.write(session, terminate=True))
    assert error.fault is ShellFault.STALE_SESSION
    assert (await reading)["exit_code"] == 128 + signal.SIGTERM


@pytest.mark.slow
async def test_who_ignores_sigterm_is_killed(shell: Shell) -> None:
    session = await shell.session(
        LAUNCH + "trap '' TERM; echo up; while :; do sleep 1 & wait; done"
    )
    await shell.read_until(session, "up")
    result = await shell.write(session, terminate=True)
    assert result["exit_code"] == 128 + signal.SIGKILL


async def test_a_child_that_left_the_group_ends_with_it(shell: Shell, tmp_path: Path) -> None:
    session = await shell.session(
        LAUNCH + "setsid sh -c 'echo $$ > child; echo up; exec sleep 300' & wait"
    )
    await shell.read_until(session, "up")
    assert (await shell.write(session, terminate=True))["terminated"] is True
    assert await all_ended([pid_of(tmp_path), int((tmp_path / "child").read_text())])


@pytest.fixture
def no_grace(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody is given time to end, so that an end which does not come is noticed soon."""
    monkeypatch.setattr(job, "STOP_GRACE_S", 0.1)
    monkeypatch.setattr(job, "CONFIRM_S", 0.1)
    monkeypatch.setattr(exchange, "OVERDUE_POLL_S", 0.1)


@pytest.mark.usefixtures("no_grace")
async def test_an_end_that_nobody_confirms_is_unknown_and_can_be_asked_for_again(
    shell: Shell, tmp_path: Path
) -> None:
    session = await shell.session(LAUNCH + "echo $PPID; exec sleep 300")
    supervisor = int(await shell.read_until(session, "\n"))
    os.kill(supervisor, signal.SIGSTOP)
    try:
        result = await shell.write(session, terminate=True, yield_time_ms=LONG_MS)
        assert (result["session_id"], result["terminated"]) == (session, True)
        assert result["unknown_outcome"] is True
        assert await shell.source.stop(session) is None
        async with asyncio.timeout(PATIENCE_S):
            again = await shell.write(session, yield_time_ms=24 * 60 * 60 * 1000)
        assert again["unknown_outcome"] is True
    finally:
        os.kill(supervisor, signal.SIGCONT)
    async with asyncio.timeout(PATIENCE_S):
        # What is asked before the supervisor has gone on is unknown still, at once.
        while "exit_code" not in (result := await shell.write(session, yield_time_ms=LONG_MS)):
            assert result["unknown_outcome"] is True
    assert result["exit_code"] == 128 + signal.SIGTERM
    assert await all_ended([pid_of(tmp_path)])


async def test_a_direct_call_that_is_cancelled_ends_its_session(
    shell: Shell, tmp_path: Path
) -> None:
    session = await shell.session(LAUNCH + "echo up; exec sleep 300")
    await shell.read_until(session, "up")
    poll = {"session_id": session, "yield_time_ms": LONG_MS}
    reading = asyncio.create_task(shell.call_directly("write_stdin", poll))
    await has_reader(shell)
    reading.cancel()
    with pytest.raises(asyncio.CancelledError):
        await reading
    assert await all_ended([pid_of(tmp_path)])


# Output


async def test_bytes_that_are_no_text_are_replaced(shell: Shell) -> None:
    result = await shell.run(LAUNCH + r"printf 'a\377b\303'; printf '\251\360\237'")
    assert result["output"] == "a\ufffdbé\ufffd"
