"""Commands that keep running: `write_stdin` reads from them and writes to them."""

import asyncio
from pathlib import Path

import pytest
from toolbridge.shell import exchange

from tests.patience import PATIENCE_S
from tests.toolbridge.shells import Shell, has_ended
from toolbridge import ToolError


async def test_a_conversation(shell: Shell) -> None:
    session = await shell.session('while read -r line; do echo "got $line"; done; echo never')
    assert await shell.say(session, "one\n", until="one\n") == "got one\n"
    assert await shell.say(session, "zwei é\nthree", until="\n") == "got zwei é\n"
    assert await shell.say(session, "!\n", until="!\n") == "got three!\n"
    assert (await shell.write(session, yield_time_ms=0))["session_id"] == session


async def test_input_is_passed_on_verbatim(shell: Shell) -> None:
    session = await shell.session("cat")
    text = "a\0b\x1b[6~\r\x03\x04 é😀"
    assert await shell.say(session, text, until="😀") == text


async def test_a_command_that_ends_while_somebody_waits_ends_the_wait(shell: Shell) -> None:
    session = await shell.session("read x; echo bye; exit 4")
    result = await shell.write(session, "\n", yield_time_ms=60_000)
    assert (result["output"], result["exit_code"]) == ("bye\n", 4)
    assert "session_id" not in result


async def test_the_end_is_told_once(shell: Shell) -> None:
    session = await shell.session("read x; echo bye; exit 4")
    result = await shell.write(session, "\n", yield_time_ms=60_000)
    assert (result["output"], result["exit_code"]) == ("bye\n", 4)
    with pytest.raises(ToolError) as refused:
        await shell.write(session)
    assert str(refused.value) == f"write_stdin failed: Unknown process id {session}"


async def test_an_unknown_session(shell: Shell) -> None:
    with pytest.raises(ToolError) as refused:
        await shell.write(9239, "x")
    assert str(refused.value) == "write_stdin failed: Unknown process id 9239"


async def test_output_between_two_reads_is_kept(shell: Shell) -> None:
    session = await shell.session("seq 5000; read x; seq 3")
    whole = await shell.read_until(session, "5000\n")
    assert whole == "".join(f"{n}\n" for n in range(1, 5001))
    result = await shell.write(session, "\n", yield_time_ms=60_000, max_output_tokens=1)
    assert result["output"].startswith("Warning: truncated output (original token count: 2)")


async def test_a_background_child_belongs_to_its_command(shell: Shell) -> None:
    session = await shell.session("sleep 300 & echo started")
    assert await shell.read_until(session, "started") == "started\n"
    assert (await shell.write(session, yield_time_ms=500))["session_id"] == session


async def test_a_background_child_that_ends_in_time_is_part_of_the_result(shell: Shell) -> None:
    result = await shell.run("(sleep 0.2; echo later) & echo now; exit 2")
    assert (result["output"], result["exit_code"]) == ("now\nlater\n", 2)


async def test_a_silent_background_child_belongs_to_its_command(shell: Shell) -> None:
    session = await shell.session("sleep 300 >/dev/null 2>&1 </dev/null & echo started")
    await shell.read_until(session, "started")
    assert (await shell.write(session, yield_time_ms=500))["session_id"] == session


async def test_a_daemon_of_its_own_group_and_without_the_pipe_is_let_go(shell: Shell) -> None:
    result = await shell.run("setsid sleep 300 >/dev/null 2>&1 & echo started")
    assert result["output"] == "started\n"
    assert "exit_code" in result


async def test_two_readers_take_turns(shell: Shell) -> None:
    session = await shell.session("read x; echo once; read x; echo twice; read x")
    printed = await asyncio.gather(
        *(shell.write(session, chars, yield_time_ms=300) for chars in ("", "\n", "\n"))
    )
    seen = "".join(result["output"] for result in printed)
    if "twice" not in seen:
        seen += await shell.read_until(session, "twice")
    assert seen == "once\ntwice\n"


async def test_of_two_readers_one_gets_the_end(shell: Shell) -> None:
    session = await shell.session("read x; exit 0")
    first = asyncio.create_task(shell.write(session, yield_time_ms=60_000))
    second = asyncio.create_task(shell.write(session, "\n", yield_time_ms=60_000))
    results = await asyncio.gather(first, second, return_exceptions=True)
    errors = [str(result) for result in results if isinstance(result, ToolError)]
    assert errors == [f"write_stdin failed: Unknown process id {session}"]


async def test_input_after_the_command_closed_its_stdin_is_an_error(shell: Shell) -> None:
    session = await shell.session("exec <&-; echo closed; sleep 300")
    await shell.read_until(session, "closed")
    with pytest.raises(ToolError) as refused:
        await shell.write(session, "x")
    assert str(refused.value) == (
        "write_stdin failed: the command has closed its stdin; how much it read is unknown"
    )


async def test_input_that_nobody_reads_is_bounded_and_holds_nothing_up(shell: Shell) -> None:
    session = await shell.session("sleep 300")
    result = await shell.write(session, "x" * 200_000, yield_time_ms=0)
    assert result["session_id"] == session
    with pytest.raises(ToolError) as refused:
        await shell.write(session, "y" * 200_000, yield_time_ms=0)
    assert str(refused.value) == (
        "write_stdin failed: nothing was sent, since the command does not read its stdin; "
        "at most 262144 bytes of 16 calls can wait"
    )


async def test_much_input_arrives_whole_and_in_order(shell: Shell) -> None:
    session = await shell.session("head -c 200000 | sha256sum")
    await shell.write(session, "a" * 100_000, yield_time_ms=0)
    result = await shell.write(session, "b" * 100_000, yield_time_ms=60_000)
    expected = await shell.run(
        "(head -c 100000 /dev/zero | tr '\\0' a; head -c 100000 /dev/zero | tr '\\0' b) | sha256sum"
    )
    assert result["output"] == expected["output"]


@pytest.fixture
def patient_ending(monkeypatch: pytest.MonkeyPatch) -> None:
    """A command that closes its stdin has as long to end as a loaded machine needs."""
    monkeypatch.setattr(exchange, "ENDING_S", PATIENCE_S)


@pytest.mark.usefixtures("patient_ending")
async def test_input_to_a_command_that_has_ended_gives_its_end(
    shell: Shell, tmp_path: Path
) -> None:
    session = await shell.session("echo $$; until [ -e go ]; do sleep 0.01; done; exit 3")
    pid = int(await shell.read_until(session, "\n"))
    (tmp_path / "go").touch()
    assert has_ended(pid)  # which the event loop, held up meanwhile, has yet to hear
    result = await shell.write(session, "too late", yield_time_ms=60_000)
    assert result["exit_code"] == 3


@pytest.mark.usefixtures("patient_ending")
async def test_input_that_finds_stdin_closed_waits_for_the_end_of_a_command(
    shell: Shell, tmp_path: Path
) -> None:
    session = await shell.session(
        "exec <&-; echo closed; until [ -e go ]; do sleep 0.01; done; exit 3"
    )
    await shell.read_until(session, "closed")
    (tmp_path / "go").touch()
    result = await shell.write(session, "too late", yield_time_ms=60_000)
    assert result["exit_code"] == 3
