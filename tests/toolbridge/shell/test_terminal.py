"""Commands on a terminal: `tty: true`."""

import signal
import sys
from pathlib import Path
from typing import Any

import psutil
import pytest
from toolbridge.shell import job
from toolbridge.sources.shell import ShellSource

from tests.toolbridge.boxes import Person, call
from tests.toolbridge.shells import LONG_MS, Shell, all_ended
from toolbridge import Answer, CallContext, Toolbox


async def on_terminal(shell: Shell, cmd: str) -> int:
    """Start a command that keeps running on a terminal, and give its session id."""
    return await shell.session(cmd, tty=True)


async def interactive_shell(shell: Shell) -> int:
    session = await on_terminal(shell, "PS1='ready> ' bash --norc -i")
    await shell.read_until(session, "ready>")
    return session


@pytest.mark.parametrize("program", ["bash", "sh"])
async def test_all_three_ends_are_a_terminal_of_its_own(shell: Shell, program: str) -> None:
    cmd = "test -t 0 && test -t 1 && test -t 2 && tty | cut -c1-9; echo to it > /dev/tty"
    assert (await shell.run(cmd, tty=True, shell=program))["output"] == "/dev/pts/\r\nto it\r\n"


async def test_without_it_there_is_none(shell: Shell) -> None:
    result = await shell.run("test -t 0 || test -t 1; echo $?; true 2>/dev/null </dev/tty; echo $?")
    assert result["output"].split()[0] == "1"
    assert result["output"].split()[-1] != "0"


async def test_its_size_and_kind(shell: Shell) -> None:
    result = await shell.run("stty size; echo $TERM", tty=True)
    assert result["output"] == "24 80\r\nxterm-256color\r\n"


async def test_the_output_is_whole(shell: Shell) -> None:
    result = await shell.run("seq 20000; exit 3", tty=True)
    assert result["output"] == "".join(f"{n}\r\n" for n in range(1, 20_001))
    assert result["exit_code"] == 3


async def test_what_is_typed_is_echoed(shell: Shell) -> None:
    session = await on_terminal(shell, "read line; echo got $line; read line")
    seen = await shell.say(session, "é\n", until="got")
    assert seen.startswith("é\r\ngot")


WAITING = f'{sys.executable} -c \'import time; print("be" "gun", flush=True); time.sleep(300)\''
"""Says that it is there itself, and in front: before that a shell would hear the keys in its place."""


@pytest.mark.parametrize("chars, number", [("\x03", signal.SIGINT), ("\x1c", signal.SIGQUIT)])
async def test_keys_send_signals(shell: Shell, chars: str, number: signal.Signals) -> None:
    session = await on_terminal(shell, f"exec {WAITING}")
    await shell.read_until(session, "begun")
    result = await shell.write(session, chars, yield_time_ms=LONG_MS)
    assert result["exit_code"] == 128 + number


async def test_a_signal_reaches_whoever_is_in_front(shell: Shell) -> None:
    session = await interactive_shell(shell)
    await shell.say(session, f"{WAITING}\n", until="begun")
    await shell.say(session, "\x03", until="ready>")
    await shell.say(session, 'echo "still" here\n', until="still here")
    result = await shell.write(session, "exit 5\n", yield_time_ms=LONG_MS)
    assert result["exit_code"] == 5


@pytest.mark.parametrize("typed", ["", "half a line", "a line\n"])
async def test_the_end_of_input(shell: Shell, typed: str) -> None:
    session = await on_terminal(shell, "stty -echo; echo up; cat; echo end; exit 4")
    await shell.read_until(session, "up\r\n")
    result = await shell.write(session, typed, close_stdin=True, yield_time_ms=LONG_MS)
    seen = result["output"].replace("\r", "")
    assert (seen, result["exit_code"]) == (f"{typed}end\n", 4)


async def test_control_d_is_a_key(shell: Shell) -> None:
    session = await on_terminal(shell, "cat; echo next; cat; echo end")
    assert "next" in await shell.say(session, "\x04", until="next")
    result = await shell.write(session, "\x04", yield_time_ms=LONG_MS)
    assert result["output"].endswith("end\r\n")


async def test_ending_it_ends_what_a_shell_put_into_the_background(
    shell: Shell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(job, "STOP_GRACE_S", 0.1)  # an interactive shell ignores SIGTERM
    session = await interactive_shell(shell)
    typed = 'sleep 300 & echo $! > pid; echo "writ"ten\n'
    await shell.say(session, typed, until="written")
    result = await shell.write(session, terminate=True)
    assert "exit_code" in result
    assert await all_ended([int((tmp_path / "pid").read_text())])


async def test_a_command_that_cannot_start_leaves_no_terminal(shell: Shell) -> None:
    await shell.run("true", tty=True)
    before = psutil.Process().num_fds()
    with pytest.raises(Exception, match="No such file or directory"):
        await shell.run("true", tty=True, workdir="/no/such/folder")
    await shell.run("true", tty=True)
    assert psutil.Process().num_fds() == before


async def test_the_person_is_told(tmp_path: Path) -> None:
    toolbox, person = Toolbox(), Person(Answer.ONCE)
    toolbox.add(ShellSource(tmp_path))
    arguments: Any = {"cmd": "true", "tty": True}
    await call(toolbox, "exec_command", arguments, CallContext(asker=person))
    assert person.questions[0].text == f"$ true\nin {tmp_path}\nin a terminal"
    await toolbox.close()
