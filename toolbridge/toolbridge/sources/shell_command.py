"""`shell_command`: a command that is run to its end, as older scripts call it."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from codemode_rules.json_fields import FieldReader, boolean, integer, optional, text
from codemode_rules.json_text import U64_MAX

from toolbridge.argument_fields import read_fields
from toolbridge.calls import CallContext, ToolCall
from toolbridge.errors import OutcomeUnknownError, ToolError
from toolbridge.json_values import JsonValue
from toolbridge.shell.arguments import (
    FOR_THE_PERSON,
    MAX_YIELD_TIME_MS,
    ExecCommand,
    check_text,
    for_the_person,
)
from toolbridge.shell.job import ShellJob
from toolbridge.shell.supervision import lost
from toolbridge.shell.tools import EXEC_COMMAND
from toolbridge.sources.base import Source
from toolbridge.sources.shell import ShellSource
from toolbridge.tools import Tool

SOURCE_ID = "shell_command"

TIMEOUT_MS = 10_000

TIMED_OUT = 124
"""What `timeout` gives as exit code."""

SHELL_COMMAND = Tool(
    name="shell_command",
    source=SOURCE_ID,
    description=(
        "Runs a command line in a shell to its end and gives exit code, time and output as one "
        "text. Rejects with that text when the exit code is not 0."
    ),
    input_schema={
        "type": "object",
        "properties": {
            "command": {"type": "string", "description": "Command line for the shell."},
            "workdir": {"type": "string", "description": "Folder to run in."},
            "timeout_ms": {
                "type": "number",
                "description": "After which the command is ended, 10000 by default.",
            },
            "login": {"type": "boolean", "description": "Run it as a login shell."},
            "sandbox_permissions": {"type": "string", "description": "Shown, and grants nothing."},
            "justification": {"type": "string", "description": "Shown, and grants nothing."},
            "prefix_rule": {
                "type": "array",
                "items": {"type": "string"},
                "description": "Shown, and grants nothing.",
            },
        },
        "required": ["command"],
        "additionalProperties": False,
    },
    output_schema={"type": "string"},
    inert_arguments=frozenset({"timeout_ms", *FOR_THE_PERSON}),
    argument_aliases={"cmd": "command", "cwd": "workdir", "timeoutMs": "timeout_ms"},
)

_FIELDS: Mapping[str, FieldReader] = {
    "command": text,
    "workdir": optional(text),
    "timeout_ms": optional(integer(0, U64_MAX, "u64")),
    "login": optional(boolean),
    **dict.fromkeys(FOR_THE_PERSON, for_the_person),
}


@dataclass(frozen=True, slots=True)
class ShellCommand:
    """Arguments of `shell_command`."""

    command: str
    workdir: str | None = None
    login: bool = False
    timeout_ms: int = TIMEOUT_MS


class ShellCommandSource(Source):
    """Runs commands on the processes of `shell`, under whose bounds they fall."""

    id = SOURCE_ID
    description = "Shell commands that run to their end."

    def __init__(self, shell: ShellSource) -> None:
        self._shell = shell

    def tools(self) -> Sequence[Tool]:
        return (SHELL_COMMAND,)

    def admit(self, tool: Tool, arguments: JsonValue) -> ShellCommand:
        read = read_fields(arguments, _FIELDS, required="command")
        for name in ("command", "workdir"):
            check_text("shell_command", name, read.get(name, ""))
        return ShellCommand(**read)

    def present(self, tool: Tool, arguments: JsonValue) -> str:
        assert isinstance(arguments, dict), "a function takes an object"
        renamed = {"cmd": arguments["command"], **arguments}
        return self._shell.present(EXEC_COMMAND, renamed)

    async def call(self, call: ToolCall, admitted: ShellCommand, context: CallContext) -> str:
        started = time.monotonic()
        command = ExecCommand(
            cmd=admitted.command,
            workdir=admitted.workdir,
            login=admitted.login,
            yield_time_ms=min(admitted.timeout_ms, MAX_YIELD_TIME_MS),
        )
        job = await self._shell.run(command, context.environment, call.cell_id)
        exit_code, said = job.exit_code, ""
        if not job.is_over:
            exit_code = TIMED_OUT
            said = f"command timed out after {admitted.timeout_ms} milliseconds\n"
            await _end(job)
        if job.is_lost:
            raise lost()
        told = (
            f"Exit code: {exit_code}\nWall time: {time.monotonic() - started:.1f} seconds\n"
            f"Output:\n{said}{job.output.take().text}"
        )
        if exit_code != 0:
            raise ToolError(told)
        return told


async def _end(job: ShellJob) -> None:
    job.stop()
    if not await job.wait(job.time_to_confirm):
        raise OutcomeUnknownError(
            "shell_command failed: the command was told to end and nothing shows that it has"
        )
