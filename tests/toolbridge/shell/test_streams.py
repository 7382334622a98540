"""A command's stdout and stderr: one text for who reads it, each by itself for who keeps it."""

import asyncio
import os
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from toolbridge.shell import job
from toolbridge.shell.sink import NoSink
from toolbridge.shell.streams import Stream

from tests.toolbridge.shells import LONG_MS, Shell, shell_in


class Heard(NoSink):
    """A sink that remembers what each stream got."""

    def __init__(self) -> None:
        self.of = dict.fromkeys(Stream, "")
        self.is_finished = False

    def take(self, text: str, stream: Stream) -> None:
        assert not self.is_finished
        self.of[stream] += text

    def finish(self) -> None:
        self.is_finished = True

    @property
    def streams(self) -> tuple[str, str]:
        return self.of[Stream.STDOUT], self.of[Stream.STDERR]


@pytest.fixture
def heard() -> Heard:
    return Heard()


@pytest.fixture
async def shell(tmp_path: Path, heard: Heard) -> AsyncIterator[Shell]:
    async with shell_in(tmp_path, lambda command, cell_id: heard) as shell:
        yield shell


COMMANDS = {
    "both": ("echo a; echo b >&2", "a\n", "b\n"),
    "nothing": (":", "", ""),
    "a program's, redirected": ("printf b | cat >&2", "", "b"),
    "stderr into stdout": ("{ echo a; echo b >&2; } 2>&1", "a\nb\n", ""),
    "stdout into stderr": ("{ echo a; echo b >&2; } >&2", "", "a\nb\n"),
    "exchanged": ("{ echo a; echo b >&2; } 3>&1 1>&2 2>&3", "b\n", "a\n"),
    "by their names": ("echo a > /dev/stdout; echo b > /dev/stderr", "a\n", "b\n"),
    "stdin to stderr": ("echo b | cat <&0 > /dev/stderr", "", "b\n"),
    "stderr closed": ("exec 2>&-; echo a", "a\n", ""),
    "stdout closed": ("exec >&-; echo b >&2", "", "b\n"),
    "both closed": ("echo a; echo b >&2; exec >&- 2>&-", "a\n", "b\n"),
    "a flood in stderr": (
        "seq 100000 >&2; echo a",
        "a\n",
        "".join(f"{n}\n" for n in range(1, 100_001)),
    ),
    "a flood in stdout, stderr closed": (
        "exec 2>&-; seq 100000",
        "".join(f"{n}\n" for n in range(1, 100_001)),
        "",
    ),
    "characters split between them": (
        r"printf '\303'; printf '\360\237' >&2; printf '\251'; printf '\230\200' >&2",
        "é",
        "😀",
    ),
    "half a character": (r"printf '\303'; printf '\251' >&2", "\ufffd", "\ufffd"),
}  # fmt: skip


@pytest.mark.parametrize("cmd, stdout, stderr", COMMANDS.values(), ids=COMMANDS)
async def test_each_stream_is_kept_by_itself(
    shell: Shell, heard: Heard, cmd: str, stdout: str, stderr: str
) -> None:
    result = await shell.run(f"{cmd}; exit 3", yield_time_ms=LONG_MS)
    assert result["exit_code"] == 3
    assert heard.streams == (stdout, stderr)
    assert heard.is_finished
    assert sorted(result["output"]) == sorted(stdout + stderr)


async def test_a_terminal_is_one_stream(shell: Shell, heard: Heard) -> None:
    result = await shell.run("test -t 1 && test -t 2; echo $?; echo b >&2", tty=True)
    assert result["output"] == "0\r\nb\r\n"
    assert heard.streams == ("0\r\nb\r\n", "")
    assert heard.is_finished


async def test_a_reader_gets_both_in_the_order_they_came(shell: Shell) -> None:
    session = await shell.session(
        "read x; echo out; read x; echo err >&2; read x; echo out; read x; echo err >&2; read x"
    )
    seen = ""
    for word in ("out", "err", "out", "err"):
        seen += await shell.say(session, "\n", until=f"{word}\n")
    assert seen == "out\nerr\nout\nerr\n"


@pytest.mark.parametrize("elsewhere", [">/dev/null", "2>/dev/null", ""])
async def test_a_background_child_that_holds_a_stream_belongs_to_its_command(
    shell: Shell, heard: Heard, tmp_path: Path, elsewhere: str
) -> None:
    os.mkfifo(tmp_path / "go")
    child = "setsid sh -c 'read x < go; echo late; echo late >&2'"
    session = await shell.session(f"{child} {elsewhere} & echo started")
    await shell.read_until(session, "started\n")
    await asyncio.to_thread((tmp_path / "go").write_text, "\n")
    result = await shell.write(session, yield_time_ms=LONG_MS)
    assert result["exit_code"] == 0
    stdout = "" if elsewhere.startswith(">") else "late\n"
    stderr = "" if elsewhere.startswith("2>") else "late\n"
    assert heard.streams == (f"started\n{stdout}", stderr)
    assert result["output"] == stdout + stderr


@pytest.mark.parametrize("elsewhere", [">/dev/null", "2>/dev/null"])
async def test_who_holds_one_stream_does_not_hold_up_an_end_that_is_asked_for(
    shell: Shell, heard: Heard, elsewhere: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(job, "STOP_GRACE_S", 0.05)
    session = await shell.session(f"setsid sleep 300 {elsewhere} & echo out; echo err >&2")
    await shell.read_until(session, "err\n")
    result = await shell.write(session, terminate=True)
    assert result["terminated"] is True
    assert "exit_code" in result
    assert heard.streams == ("out\n", "err\n")
    assert heard.is_finished


async def test_a_command_goes_on_when_it_has_closed_both_streams(shell: Shell) -> None:
    session = await shell.session("echo up; exec >&- 2>&-; read x; exit 3")
    await shell.read_until(session, "up\n")
    assert (await shell.write(session, yield_time_ms=0))["session_id"] == session
    result = await shell.write(session, "\n", yield_time_ms=LONG_MS)
    assert (result["exit_code"], result["output"]) == (3, "")


async def test_floods_in_both_streams_are_bounded_and_kept(shell: Shell, heard: Heard) -> None:
    size = 12_000_000
    flood = f"head -c {size} /dev/zero | tr '\\0'"
    result = await shell.run(f"{flood} e >&2 & {flood} o; wait", yield_time_ms=LONG_MS)
    assert "bytes of output left out" in result["output"]
    assert heard.of == {Stream.STDOUT: "o" * size, Stream.STDERR: "e" * size}
