"""One thing has one name, whatever a script calls it."""

import os
from pathlib import Path
from typing import Any

import pytest
from toolbridge.argument_aliases import canonical
from toolbridge.errors import ArgumentsRefusedError, PolicyRefusedError
from toolbridge.shell.tools import EXEC_COMMAND, WRITE_STDIN
from toolbridge.sources.shell import ShellSource

from tests.toolbridge.boxes import Person, call
from tests.toolbridge.shells import shell_in
from toolbridge import Answer, CallContext, Gate, Toolbox, parse_rules


@pytest.mark.parametrize(
    "given, read",
    [
        ({"command": "ls", "cwd": "/"}, {"cmd": "ls", "workdir": "/"}),
        ({"cmd": "ls", "command": "ls"}, {"cmd": "ls"}),
        ({"yieldTimeMs": 5, "cmd": "ls"}, {"yield_time_ms": 5, "cmd": "ls"}),
        ({"maxOutputTokens": 5, "maxOutputBytes": 20}, {"max_output_tokens": 5, "max_output_bytes": 20}),
        ({"other": 1}, {"other": 1}),
    ],
)  # fmt: skip
def test_exec_command(given: Any, read: Any) -> None:
    assert canonical(given, EXEC_COMMAND.argument_aliases) == read


def test_write_stdin() -> None:
    given: Any = {"sessionId": 5, "input": "x", "yieldTimeMs": 1, "closeStdin": True}
    assert canonical(given, WRITE_STDIN.argument_aliases) == {
        "session_id": 5,
        "chars": "x",
        "yield_time_ms": 1,
        "close_stdin": True,
    }


@pytest.mark.parametrize("one, other", [("ls", "id"), (1, True), ("", None)])
def test_two_values_for_one_thing_are_refused(one: Any, other: Any) -> None:
    with pytest.raises(ArgumentsRefusedError) as refused:
        canonical({"command": one, "cmd": other}, EXEC_COMMAND.argument_aliases)
    assert str(refused.value) == (
        "failed to parse function arguments: `command` and `cmd` mean the same and hold "
        "different values"
    )


async def test_a_command_runs_under_another_name(tmp_path: Path) -> None:
    async with shell_in(tmp_path) as shell:
        result = await call(shell.toolbox, "exec_command", {"command": "pwd", "cwd": "/"})
        assert result["output"] == "/\n"


async def test_nobody_is_asked_about_a_contradiction(tmp_path: Path) -> None:
    toolbox, person = Toolbox(), Person(Answer.ONCE)
    toolbox.add(ShellSource(tmp_path))
    contradiction = {"cmd": "touch a", "command": "touch b"}
    with pytest.raises(ArgumentsRefusedError):
        await call(toolbox, "exec_command", contradiction, CallContext(asker=person))
    assert not person.questions
    assert os.listdir(tmp_path) == []


async def test_a_rule_about_an_argument_holds_for_its_other_names(tmp_path: Path) -> None:
    rules: list[dict[str, Any]] = [
        {"decision": "deny", "tool": "exec_command", "arguments": {"cmd": {"glob": "touch*"}}},
        {"decision": "allow"},
    ]
    toolbox = Toolbox(Gate(parse_rules(rules)))
    toolbox.add(ShellSource(tmp_path))
    with pytest.raises(PolicyRefusedError):
        await call(toolbox, "exec_command", {"command": "touch a"})
    assert os.listdir(tmp_path) == []
