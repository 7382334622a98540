"""Arguments of the shell tools, refused in the reference's words and at its positions."""

from typing import Any

import pytest
from toolbridge.errors import ArgumentsRefusedError
from toolbridge.shell.arguments import (
    ExecCommand,
    WriteStdin,
    parse_exec_command,
    parse_write_stdin,
)

PREFIX = "failed to parse function arguments: "


@pytest.mark.parametrize(
    "arguments, command",
    [
        ({"cmd": "ls"}, ExecCommand("ls")),
        (
            {
                "cmd": "ls",
                "workdir": "/tmp",
                "shell": "zsh",
                "login": True,
                "tty": True,
                "yield_time_ms": 1000,
                "max_output_tokens": 5,
            },
            ExecCommand("ls", "/tmp", "zsh", True, True, 1000, 5),
        ),
        ({"cmd": "ls", "max_output_bytes": 43}, ExecCommand("ls", max_output_tokens=10)),
        (
            {"cmd": "ls", "max_output_bytes": 40, "max_output_tokens": 10},
            ExecCommand("ls", max_output_tokens=10),
        ),
        ({"cmd": "ls", "workdir": None, "login": None}, ExecCommand("ls")),
        (
            {
                "cmd": "ls",
                "sandbox_permissions": "require_escalated",
                "justification": "May I?",
                "prefix_rule": ["ls"],
            },
            ExecCommand("ls"),
        ),
        ({"cmd": "ls", "yield_time_ms": 2**64 - 1}, ExecCommand("ls", yield_time_ms=86_400_000)),
    ],
)
def test_exec_command(arguments: Any, command: ExecCommand) -> None:
    assert parse_exec_command(arguments) == command


@pytest.mark.parametrize(
    "arguments, message",
    [
        ({}, "missing field `cmd` at line 1 column 2"),
        ({"workdir": "/é"}, "missing field `cmd` at line 1 column 17"),
        ({"cmd": 5}, "invalid type: integer `5`, expected a string at line 1 column 8"),
        ({"cmd": None}, "invalid type: null, expected a string at line 1 column 11"),
        (
            {"cmd": "ls", "yield_time_ms": -1},
            "invalid value: integer `-1`, expected u64 at line 1 column 30",
        ),
        (
            {"cmd": "ls", "yield_time_ms": 1.5},
            "invalid type: floating point `1.5`, expected u64 at line 1 column 31",
        ),
        (
            {"cmd": "ls", "yield_time_ms": "9"},
            'invalid type: string "9", expected u64 at line 1 column 31',
        ),
        (
            {"cmd": "ls", "login": "yes"},
            'invalid type: string "yes", expected a boolean at line 1 column 25',
        ),
    ],
)
def test_exec_command_refused(arguments: Any, message: str) -> None:
    with pytest.raises(ArgumentsRefusedError) as refused:
        parse_exec_command(arguments)
    assert str(refused.value) == PREFIX + message


def test_an_unknown_field_is_refused_by_name() -> None:
    with pytest.raises(ArgumentsRefusedError) as refused:
        parse_exec_command({"cmd": "ls", "timeout": 5})
    assert str(refused.value) == (
        PREFIX + "unknown field `timeout`, expected one of `cmd`, `workdir`, `shell`, `login`, "
        "`tty`, `yield_time_ms`, `max_output_tokens`, `max_output_bytes`, `sandbox_permissions`, "
        "`justification`, `prefix_rule` at line 1 column 22"
    )


@pytest.mark.parametrize("name", ["cmd", "workdir", "shell"])
def test_nul_in_what_a_process_is_given(name: str) -> None:
    with pytest.raises(ArgumentsRefusedError, match=f"`{name}` holds a NUL character"):
        parse_exec_command({"cmd": "ls", name: "a\0b"})


@pytest.mark.parametrize(
    "arguments, write",
    [
        ({"session_id": 5}, WriteStdin(5, yield_time_ms=5000)),
        ({"session_id": 5, "chars": ""}, WriteStdin(5, yield_time_ms=5000)),
        ({"session_id": 5, "chars": "a\0"}, WriteStdin(5, "a\0", yield_time_ms=250)),
        ({"session_id": 5, "yield_time_ms": 1}, WriteStdin(5, yield_time_ms=1)),
        ({"session_id": 5, "max_output_tokens": 9}, WriteStdin(5, "", 5000, 9)),
        ({"session_id": 5, "close_stdin": True}, WriteStdin(5, "", 5000, close_stdin=True)),
        ({"session_id": 5, "terminate": True}, WriteStdin(5, "", 5000, terminate=True)),
    ],
)
def test_write_stdin(arguments: Any, write: WriteStdin) -> None:
    assert parse_write_stdin(arguments) == write


@pytest.mark.parametrize(
    "arguments, message",
    [
        ({}, "missing field `session_id` at line 1 column 2"),
        ({"session_id": "5"}, 'invalid type: string "5", expected i32 at line 1 column 17'),
        (
            {"session_id": 2**31},
            "invalid value: integer `2147483648`, expected i32 at line 1 column 24",
        ),
        (
            {"session_id": 5, "text": "x"},
            "unknown field `text`, expected one of `session_id`, `chars`, `yield_time_ms`, "
            "`max_output_tokens`, `max_output_bytes`, `close_stdin`, `terminate` at line 1 "
            "column 23",
        ),
    ],
)
def test_write_stdin_refused(arguments: Any, message: str) -> None:
    with pytest.raises(ArgumentsRefusedError) as refused:
        parse_write_stdin(arguments)
    assert str(refused.value) == PREFIX + message


def test_two_budgets_are_no_budget() -> None:
    with pytest.raises(ArgumentsRefusedError) as refused:
        parse_exec_command({"cmd": "ls", "max_output_tokens": 10, "max_output_bytes": 44})
    assert str(refused.value) == (
        PREFIX + "`max_output_tokens` and `max_output_bytes` set different budgets"
    )


@pytest.mark.parametrize("other", [{"chars": "x"}, {"close_stdin": True}])
def test_nothing_can_be_sent_to_a_command_that_is_to_end(other: dict[str, Any]) -> None:
    with pytest.raises(ArgumentsRefusedError) as refused:
        parse_write_stdin({"session_id": 5, "terminate": True, **other})
    assert str(refused.value) == (
        "write_stdin failed: `terminate` ends the command, so nothing can be sent with it"
    )
