"""`exec_command` and `write_stdin`: shell commands on real processes (`toolbridge.shell`)."""

from __future__ import annotations

import asyncio
import json
import os
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from toolbridge.calls import CallContext, ToolCall
from toolbridge.json_values import JsonValue
from toolbridge.shell.arguments import (
    FOR_THE_PERSON,
    ExecCommand,
    WriteStdin,
    parse_exec_command,
    parse_write_stdin,
)
from toolbridge.shell.command_line import default_shell, environment_of, shell_argv
from toolbridge.shell.errors import ShellError, ShellFault
from toolbridge.shell.job import Launch, ShellJob
from toolbridge.shell.live import LiveShell
from toolbridge.shell.results import result
from toolbridge.shell.sessions import ShellSessions
from toolbridge.shell.sink import OutputSink
from toolbridge.shell.supervision import Supervision
from toolbridge.shell.tools import EXEC_COMMAND, POLL, SOURCE_ID, WRITE_STDIN
from toolbridge.sources.base import Source
from toolbridge.tools import Annotations, Tool


class ShellSource(Source):
    """Runs commands in `workdir` unless they name another folder.

    A command belongs to its call until it has a session id. From then on it lives until it ends,
    until `reset` or `close`, or until the kernel is gone. Output between two reads is kept up to
    16 MiB (`toolbridge.shell.output`).
    """

    id = SOURCE_ID
    description = "Shell commands, and sessions with those that keep running."

    def __init__(
        self,
        workdir: Path | str,
        new_sink: Callable[[str, str | None], OutputSink] | None = None,
    ) -> None:
        """`new_sink` is given a command and the cell that calls, and takes all that is printed."""
        self._workdir = Path(workdir)
        self._new_sink = new_sink
        self._supervision: Supervision | None = None
        self._sessions = ShellSessions()
        self._is_closed = False

    def tools(self) -> Sequence[Tool]:
        return (EXEC_COMMAND, WRITE_STDIN)

    def annotations_of(self, tool: Tool, arguments: JsonValue) -> Annotations:
        is_poll = (
            tool.name == WRITE_STDIN.name
            and isinstance(arguments, dict)
            and not any(arguments.get(effect) for effect in ("chars", "close_stdin", "terminate"))
        )
        return POLL if is_poll else tool.annotations

    def admit(self, tool: Tool, arguments: JsonValue) -> ExecCommand | WriteStdin:
        parse = parse_exec_command if tool.name == EXEC_COMMAND.name else parse_write_stdin
        return parse(arguments)

    def present(self, tool: Tool, arguments: JsonValue) -> str:
        assert isinstance(arguments, dict), "both tools take an object"
        if tool.name == WRITE_STDIN.name:
            return _presented(arguments)
        lines = [f"$ {arguments['cmd']}", f"in {self._folder(arguments.get('workdir'))}"]
        if arguments.get("shell"):
            lines.append(f"run by {arguments['shell']}")
        if arguments.get("login"):
            lines.append("as a login shell")
        if arguments.get("tty"):
            lines.append("in a terminal")
        for name in FOR_THE_PERSON:
            if arguments.get(name):
                said = json.dumps(arguments[name], ensure_ascii=False)
                lines.append(f"{name} (grants nothing): {said}")
        return "\n".join(lines)

    async def call(
        self, call: ToolCall, admitted: ExecCommand | WriteStdin, context: CallContext
    ) -> dict[str, JsonValue]:
        self._sessions.sweep(time.monotonic())
        if isinstance(admitted, ExecCommand):
            return await self._exec_command(admitted, call.cell_id, context.environment)
        return await self._write_stdin(admitted, is_direct=call.cell_id is None)

    async def reset(self) -> None:
        """End every process that commands have started, daemons included."""
        self._sessions.clear()
        supervision, self._supervision = self._supervision, None
        if supervision is not None:
            await supervision.close()

    async def close(self) -> None:
        self._is_closed = True
        await self.reset()

    def shells(self) -> Sequence[LiveShell]:
        """The sessions that scripts can still write to, oldest first."""
        return self._sessions.all()

    @property
    def unsettled_count(self) -> int:
        """Commands of which something runs, or is being started."""
        return self._sessions.unsettled_count

    async def run(
        self, command: ExecCommand, environment: Mapping[str, str], cell_id: str | None = None
    ) -> ShellJob:
        """Start a command and wait for its end as long as it says; cancelled, end it.

        Raises `ShellError` when it is not started.
        """
        with self._sessions.starting():
            job = await self._start(command, environment, cell_id)
            self._sessions.started(job)
        try:
            await job.wait(command.yield_time_ms / 1000)
        except asyncio.CancelledError:
            job.stop()
            raise
        return job

    async def stop(self, session_id: int) -> int | None:
        """End a session and give its exit code; None when it did not end in time.

        A script that waits for it gets its last output; later calls do not know it any more. One
        that did not end stays, and can be told again. Raises `ShellError` for an unknown id.
        """
        job = self._sessions.find(session_id)
        job.stop()
        if await job.wait(job.time_to_confirm):
            self._sessions.end(session_id)
        return job.exit_code if job.is_over else None

    async def _exec_command(
        self, command: ExecCommand, cell_id: str | None, overlay: Mapping[str, str]
    ) -> dict[str, JsonValue]:
        started = time.monotonic()
        job = await self.run(command, overlay, cell_id)
        session_id = None
        if not job.is_over:
            session_id = self._sessions.keep(job, command.cmd, cell_id).session_id
            job.output.sink.name(session_id)
        return result(job, session_id, started, command.max_output_tokens)

    async def _write_stdin(self, write: WriteStdin, *, is_direct: bool) -> dict[str, JsonValue]:
        from toolbridge.shell.exchange import Exchange

        job = self._sessions.find(write.session_id)
        try:
            return await Exchange(self._sessions, write).run()
        except asyncio.CancelledError:
            # A script's session is not its cell's (seed 004, 5.6); whoever calls directly means it.
            if is_direct:
                job.stop()
            raise

    async def _start(
        self, command: ExecCommand, overlay: Mapping[str, str], cell_id: str | None
    ) -> ShellJob:
        environment = environment_of(os.environ, overlay, has_terminal=command.tty)
        shell = command.shell or default_shell(environment)
        launch = Launch(
            shell_argv(shell, command.cmd, login=command.login),
            str(self._folder(command.workdir)),
            environment,
            has_terminal=command.tty,
        )
        try:
            supervision = await self._supervised()
            sink = self._new_sink(command.cmd, cell_id) if self._new_sink else None
            return await ShellJob.start(supervision, launch, sink)
        except OSError as error:
            cause = f"{os.strerror(error.errno or 0)} (os error {error.errno})"
            raise ShellError(
                ShellFault.SPAWN_FAILED,
                'exec_command failed: CreateProcess { message: "Rejected(\\"'
                f'Failed to create unified exec process: {cause}\\")" }}',
            ) from None

    async def _supervised(self) -> Supervision:
        """The supervisor, a new one when the last has ended."""
        last = self._supervision
        if last is not None and not last.is_alive:
            self._supervision = None
            await last.close()
        if self._is_closed:
            raise ShellError(
                ShellFault.CLOSED, "exec_command failed: the shells of this session are closed"
            )
        if self._supervision is None:
            self._supervision = Supervision()
        return self._supervision

    def _folder(self, workdir: JsonValue) -> Path:
        return self._workdir / workdir if isinstance(workdir, str) else self._workdir


def _presented(arguments: Mapping[str, JsonValue]) -> str:
    """A `write_stdin` in words."""
    session = f"session {arguments['session_id']}"
    if arguments.get("terminate"):
        return f"end {session}"
    chars = json.dumps(arguments.get("chars", ""), ensure_ascii=False)
    written = f"write {chars} to the stdin of {session}"
    if not arguments.get("close_stdin"):
        return written
    return f"{written} and close it" if arguments.get("chars") else f"close the stdin of {session}"
