"""`exec_command` on real processes, from start to end."""

import asyncio
import json
import os
import re
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from codemode_rules.budget import truncate
from toolbridge.errors import PolicyRefusedError
from toolbridge.sources.shell import ShellSource

from tests.patience import PATIENCE_S
from tests.toolbridge.boxes import Person, call
from tests.toolbridge.shells import Shell
from toolbridge import Answer, CallContext, Gate, Toolbox, ToolError, parse_rules


async def test_a_finished_command(shell: Shell) -> None:
    result = await shell.run("echo hello; exit 3")
    assert list(result) == [
        "chunk_id",
        "wall_time_seconds",
        "exit_code",
        "original_token_count",
        "output",
    ]
    assert (result["exit_code"], result["output"]) == (3, "hello\n")
    assert result["original_token_count"] == 2
    assert 0 <= result["wall_time_seconds"] < PATIENCE_S


async def test_a_running_command(shell: Shell) -> None:
    result = await shell.run("echo hello; sleep 300", yield_time_ms=0)
    assert list(result)[2] == "session_id"
    assert isinstance(result["session_id"], int)
    seen = result["output"] or await shell.read_until(result["session_id"], "\n")
    assert seen == "hello\n"


@pytest.mark.parametrize(
    "cmd, exit_code", [("true", 0), ("false", 1), ("nosuchcommand", 127), ("kill -9 $$", 137)]
)
async def test_exit_code(shell: Shell, cmd: str, exit_code: int) -> None:
    assert (await shell.run(cmd))["exit_code"] == exit_code


@pytest.mark.parametrize(
    "cmd, output",
    [
        ("{ echo out; echo err >&2; echo out; } 2>&1", "out\nerr\nout\n"),
        ("printf 'a\\000b'", "a\0b"),
        ("printf '\\377|\\303'", "\ufffd|\ufffd"),
        ("printf '\\033[1mé😀'", "\x1b[1mé😀"),
        ("printf 'a\\r\\nb'", "a\r\nb"),
        ("", ""),
    ],
)
async def test_output(shell: Shell, cmd: str, output: str) -> None:
    assert (await shell.run(cmd))["output"] == output


async def test_a_character_split_between_reads_stays_whole(shell: Shell) -> None:
    pieces = [b"\\345\\245", b"\\275\\303", b"\\251\\360\\237", b"\\230\\200|"]
    cmd = "; sleep 0.05; ".join(f"printf '{piece.decode()}'" for piece in pieces)
    assert (await shell.run(cmd))["output"] == "好é😀|"


async def test_a_script_gets_the_whole_output(shell: Shell) -> None:
    result = await shell.run("seq 200000")
    assert result["output"] == "".join(f"{n}\n" for n in range(1, 200_001))
    assert result["original_token_count"] == -(-len(result["output"]) // 4)


async def test_a_budget_cuts_as_the_model_view_does(shell: Shell) -> None:
    whole = "".join(f"{n}\n" for n in range(1, 5001))
    result = await shell.run("seq 5000", max_output_tokens=100)
    assert result["output"] == truncate(whole, 100)
    assert result["output"].startswith("Warning: truncated output (original token count: 5974)\n")
    assert result["original_token_count"] == 5974


async def test_a_flood_is_bounded(shell: Shell) -> None:
    result = await shell.run("head -c 20000000 /dev/zero")
    assert "bytes of output left out" in result["output"]
    assert result["original_token_count"] == 5_000_000
    assert len(json.dumps(result)) < 20_000_000


async def test_a_command_runs_in_the_sessions_folder(shell: Shell, tmp_path: Path) -> None:
    (tmp_path / "sub").mkdir()
    assert (await shell.run("pwd"))["output"] == f"{tmp_path}\n"
    assert (await shell.run("pwd", workdir="sub"))["output"] == f"{tmp_path}/sub\n"
    assert (await shell.run("pwd", workdir="/"))["output"] == "/\n"


async def test_the_shell_can_be_chosen(shell: Shell) -> None:
    bash = await shell.run("shopt -q login_shell; echo $? ${BASH##*/}", shell="bash")
    assert bash["output"] == "1 bash\n"
    login = await shell.run("shopt -q login_shell; echo $?", shell="bash", login=True)
    assert login["output"].endswith("0\n")
    assert (await shell.run("echo ${BASH:-none}", shell="/bin/sh"))["output"] == "none\n"


async def test_a_command_inherits_the_environment_and_no_pager(
    shell: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FROM_THE_KERNEL", "é")
    result = await shell.run('echo "$FROM_THE_KERNEL $PAGER $TERM"; trap')
    assert result["output"] == "é cat dumb\n"


async def test_a_broken_pipe_ends_a_command_as_in_a_terminal(shell: Shell) -> None:
    result = await shell.run("set -o pipefail; yes | head -1; echo $?", shell="bash")
    assert result["output"] == "y\n141\n"


@pytest.mark.parametrize(
    "cmd, stdin",
    [
        ("rg word", "/dev/null word"),
        ("echo x | rg word", "pipe:[ word"),
        ("rg word < /etc/passwd", "/etc/passwd word"),
        ("sh -c 'rg \"two words\"'", "/dev/null two words"),
    ],
)
async def test_rg_searches_the_folder_and_does_not_wait_for_input(
    shell: Shell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, cmd: str, stdin: str
) -> None:
    """Checked with a program of that name, so that it holds where there is no rg, too."""
    (tmp_path / "rg").write_text('#!/bin/sh\necho "$(readlink /proc/self/fd/0) $1"\n')
    (tmp_path / "rg").chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=os.pathsep)
    result = await shell.run(cmd)
    assert re.sub(r"\d+\]", "", result["output"]) == f"{stdin}\n"


@pytest.mark.parametrize(
    "arguments, cause",
    [
        ({"workdir": "/no/such/folder"}, "No such file or directory (os error 2)"),
        ({"shell": "nosuchshell"}, "No such file or directory (os error 2)"),
        ({"shell": "/etc/passwd"}, "Permission denied (os error 13)"),
        ({"cmd": "x" * 200_000}, "Argument list too long (os error 7)"),
    ],
)
@pytest.mark.parametrize("yield_time_ms", [0, 10_000])
async def test_what_cannot_start_is_an_error_at_once(
    shell: Shell, arguments: dict[str, Any], cause: str, yield_time_ms: int
) -> None:
    given: dict[str, Any] = {"cmd": "true", "yield_time_ms": yield_time_ms, **arguments}
    with pytest.raises(ToolError) as failed:
        await shell.run(**given)
    assert str(failed.value) == (
        'exec_command failed: CreateProcess { message: "Rejected(\\"Failed to create unified '
        f'exec process: {cause}\\")" }}'
    )


async def test_commands_run_side_by_side(shell: Shell) -> None:
    await shell.run("mkfifo a b")
    both = await asyncio.gather(shell.run("echo 1 > b; cat a"), shell.run("cat b; echo 2 > a"))
    assert [result["output"] for result in both] == ["2\n", "1\n"]


# The gate


@pytest.fixture
async def gated(tmp_path: Path) -> AsyncIterator[Toolbox]:
    toolbox = Toolbox()
    toolbox.add(ShellSource(tmp_path))
    yield toolbox
    await toolbox.close()


async def test_a_command_is_asked_about_and_shown_readably(gated: Toolbox, tmp_path: Path) -> None:
    person = Person(Answer.ONCE)
    arguments = {
        "cmd": "echo a\necho b",
        "workdir": "/",
        "shell": "bash",
        "login": True,
        "yield_time_ms": 9000,
        "sandbox_permissions": "require_escalated",
        "justification": "May I?",
        "prefix_rule": ["echo"],
    }
    await call(gated, "exec_command", arguments, CallContext(asker=person))
    assert person.questions[0].text == (
        "$ echo a\necho b\nin /\nrun by bash\nas a login shell\n"
        'sandbox_permissions (grants nothing): "require_escalated"\n'
        'justification (grants nothing): "May I?"\n'
        'prefix_rule (grants nothing): ["echo"]'
    )


async def test_nobody_is_asked_about_a_call_that_cannot_work(gated: Toolbox) -> None:
    person = Person(Answer.ONCE)
    with pytest.raises(ToolError, match="missing field `cmd`"):
        await call(gated, "exec_command", {}, CallContext(asker=person))
    assert not person.questions


async def test_a_rule_allows_exactly_one_command(gated: Toolbox) -> None:
    rule = {"decision": "allow", "tool": "exec_command", "arguments": {"cmd": "echo hi"}}
    gated.gate = Gate(parse_rules([rule]))
    fields = {"yield_time_ms": 9000, "max_output_tokens": 99, "justification": "x"}
    assert (await call(gated, "exec_command", {"cmd": "echo hi", **fields}))["output"] == "hi\n"
    for other in ({"cmd": "echo hi; id"}, {"cmd": "echo hi", "shell": "/tmp/evil"}):
        with pytest.raises(PolicyRefusedError):
            await call(gated, "exec_command", other)


async def test_reading_from_a_session_needs_no_question_and_writing_does(gated: Toolbox) -> None:
    person = Person(Answer.ONCE, Answer.ONCE)
    context = CallContext(asker=person)
    arguments = {"cmd": "cat", "yield_time_ms": 0}
    session_id = (await call(gated, "exec_command", arguments, context))["session_id"]
    poll = {"session_id": session_id, "yield_time_ms": 0}
    await call(gated, "write_stdin", poll)
    with pytest.raises(PolicyRefusedError):
        await call(gated, "write_stdin", poll | {"chars": "x"})
    await call(gated, "write_stdin", poll | {"chars": "x\n"}, context)
    assert person.questions[1].text == f'write "x\\n" to the stdin of session {session_id}'
