"""`exec_command` and `write_stdin`: shell commands on real processes (`toolbridge.shell`)."""

from __future__ import annotations

import asyncio
import json
import os
import secrets
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

from codemode_rules.budget import tokens, truncate

from toolbridge.calls import CallContext, ToolCall
from toolbridge.errors import ToolError
from toolbridge.json_values import JsonValue
from toolbridge.shell.arguments import (
    FOR_THE_PERSON,
    ExecCommand,
    WriteStdin,
    parse_exec_command,
    parse_write_stdin,
)
from toolbridge.shell.command_line import default_shell, environment_of, shell_argv
from toolbridge.shell.input_pipe import MAX_WAITING, StdinClosedError, StdinOverloadError
from toolbridge.shell.job import STOP_GRACE_S, ShellJob
from toolbridge.shell.live import LiveShell
from toolbridge.shell.supervision import Supervision, lost
from toolbridge.shell.tools import EXEC_COMMAND, POLL, SOURCE_ID, WRITE_STDIN
from toolbridge.sources.base import Source
from toolbridge.tools import Annotations, Tool

ENDING_S = 2.0
"""How long a command that reads no more may take to be over before that is an error, in seconds."""


class ShellSource(Source):
    """Runs commands in `workdir` unless they name another folder.

    A command belongs to its call until it has a session id. From then on it lives until it ends,
    until `reset` or `close`, or until the kernel is gone. Output between two reads is kept up to
    16 MiB (`toolbridge.shell.output`).
    """

    id = SOURCE_ID
    description = "Shell commands, and sessions with those that keep running."

    def __init__(self, workdir: Path | str) -> None:
        self._workdir = Path(workdir)
        self._supervision: Supervision | None = None
        self._live: dict[int, LiveShell] = {}

    def tools(self) -> Sequence[Tool]:
        return (EXEC_COMMAND, WRITE_STDIN)

    def annotations_of(self, tool: Tool, arguments: JsonValue) -> Annotations:
        is_poll = (
            tool.name == WRITE_STDIN.name
            and isinstance(arguments, dict)
            and not arguments.get("chars")
        )
        return POLL if is_poll else tool.annotations

    def admit(self, tool: Tool, arguments: JsonValue) -> ExecCommand | WriteStdin:
        parse = parse_exec_command if tool.name == EXEC_COMMAND.name else parse_write_stdin
        return parse(arguments)

    def present(self, tool: Tool, arguments: JsonValue) -> str:
        assert isinstance(arguments, dict), "both tools take an object"
        if tool.name == WRITE_STDIN.name:
            chars = json.dumps(arguments.get("chars", ""), ensure_ascii=False)
            return f"write {chars} to the stdin of session {arguments['session_id']}"
        lines = [f"$ {arguments['cmd']}", f"in {self._folder(arguments.get('workdir'))}"]
        if arguments.get("shell"):
            lines.append(f"run by {arguments['shell']}")
        if arguments.get("login"):
            lines.append("as a login shell")
        for name in FOR_THE_PERSON:
            if arguments.get(name):
                said = json.dumps(arguments[name], ensure_ascii=False)
                lines.append(f"{name} (grants nothing): {said}")
        return "\n".join(lines)

    async def call(
        self, call: ToolCall, admitted: ExecCommand | WriteStdin, context: CallContext
    ) -> dict[str, JsonValue]:
        if isinstance(admitted, ExecCommand):
            return await self._exec_command(admitted, call.cell_id, context.environment)
        return await self._write_stdin(admitted)

    async def reset(self) -> None:
        """End every process that commands have started, daemons included."""
        self._live.clear()
        supervision, self._supervision = self._supervision, None
        if supervision is not None:
            await supervision.close()

    async def close(self) -> None:
        await self.reset()

    def shells(self) -> Sequence[LiveShell]:
        """The sessions that scripts can still write to, oldest first."""
        return list(self._live.values())

    async def stop(self, session_id: int) -> int | None:
        """End a session and give its exit code; None when it did not end in time.

        A script that reads it gets its last output; later calls do not know it any more. Raises
        `ToolError` for an unknown id.
        """
        job = self._job(session_id)
        job.stop()
        await job.wait(STOP_GRACE_S + 1)
        self._live.pop(session_id, None)
        return job.exit_code

    async def _exec_command(
        self, command: ExecCommand, cell_id: str | None, added: Mapping[str, str]
    ) -> dict[str, JsonValue]:
        started = time.monotonic()
        job = await self._start(command, added)
        try:
            await job.wait(command.yield_time_ms / 1000)
        except asyncio.CancelledError:
            job.stop()
            raise
        session_id = None
        if not job.is_over:
            session_id = self._new_session_id()
            self._live[session_id] = LiveShell(session_id, command.cmd, cell_id, job)
        return _result(job, session_id, started, command.max_output_tokens)

    async def _write_stdin(self, write: WriteStdin) -> dict[str, JsonValue]:
        started = time.monotonic()
        job = self._job(write.session_id)
        if write.chars and not job.is_over:
            await _send(job, write.chars)
        async with job.observer:
            if self._job(write.session_id) is not job:
                raise _unknown(write.session_id)
            await job.wait(write.yield_time_ms / 1000)
            session_id: int | None = write.session_id
            if job.is_over:
                session_id = None
                self._live.pop(write.session_id, None)
            return _result(job, session_id, started, write.max_output_tokens)

    async def _start(self, command: ExecCommand, added: Mapping[str, str]) -> ShellJob:
        shell = command.shell or default_shell(os.environ)
        argv = shell_argv(shell, command.cmd, login=command.login)
        try:
            return await ShellJob.start(
                await self._supervised(),
                argv,
                str(self._folder(command.workdir)),
                {**environment_of(os.environ), **added},
            )
        except OSError as error:
            cause = f"{os.strerror(error.errno or 0)} (os error {error.errno})"
            raise ToolError(
                'exec_command failed: CreateProcess { message: "Rejected(\\"'
                f'Failed to create unified exec process: {cause}\\")" }}'
            ) from None

    async def _supervised(self) -> Supervision:
        """The supervisor, a new one when the last has ended."""
        last = self._supervision
        if last is not None and not last.is_alive:
            self._supervision = None
            await last.close()
        if self._supervision is None:
            self._supervision = Supervision()
        return self._supervision

    def _folder(self, workdir: JsonValue) -> Path:
        return self._workdir / workdir if isinstance(workdir, str) else self._workdir

    def _job(self, session_id: int) -> ShellJob:
        try:
            return self._live[session_id].job
        except KeyError:
            raise _unknown(session_id) from None

    def _new_session_id(self) -> int:
        while True:
            session_id = 10_000 + secrets.randbelow(90_000)
            if session_id not in self._live:
                return session_id


async def _send(job: ShellJob, chars: str) -> None:
    try:
        job.input.write(chars.encode())
    except StdinClosedError:
        # A command that ends closes its stdin a moment before its end is known here.
        if await job.wait(ENDING_S):
            return
        raise ToolError(
            "write_stdin failed: the command has closed its stdin; how much it read is unknown"
        ) from None
    except StdinOverloadError:
        raise ToolError(
            "write_stdin failed: nothing was sent, since the command does not read its stdin; "
            f"at most {MAX_WAITING} bytes can wait"
        ) from None


def _result(
    job: ShellJob, session_id: int | None, started: float, max_output_tokens: int | None
) -> dict[str, JsonValue]:
    """The result of either tool, its keys in the reference's order (model view 9)."""
    if job.is_lost:
        raise lost()
    printed = job.output.take()
    text = printed.text
    if max_output_tokens is not None:
        text = truncate(text, max_output_tokens)
    ended: dict[str, JsonValue] = {"exit_code": job.exit_code}
    running: dict[str, JsonValue] = {"session_id": session_id}
    return {
        "chunk_id": secrets.token_hex(3),
        "wall_time_seconds": round(time.monotonic() - started, 4),
        **(ended if session_id is None else running),
        "original_token_count": tokens(printed.size),
        "output": text,
    }


def _unknown(session_id: int) -> ToolError:
    return ToolError(f"write_stdin failed: Unknown process id {session_id}")
