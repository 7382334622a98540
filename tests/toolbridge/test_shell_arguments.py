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
                "yield_time_ms": 1000,
                "max_output_tokens": 5,
            },
            ExecCommand("ls", "/tmp", "zsh", True, 1000, 5),
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
        "`yield_time_ms`, `max_output_tokens`, `sandbox_permissions`, `justification`, "
        "`prefix_rule` at line 1 column 22"
    )


@pytest.mark.parametrize("name", ["cmd", "workdir"])
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
            {"session_id": 5, "input": "x"},
            "unknown field `input`, expected one of `session_id`, `chars`, `yield_time_ms`, "
            "`max_output_tokens` at line 1 column 24",
        ),
    ],
)
def test_write_stdin_refused(arguments: Any, message: str) -> None:
    with pytest.raises(ArgumentsRefusedError) as refused:
        parse_write_stdin(arguments)
    assert str(refused.value) == PREFIX + message
