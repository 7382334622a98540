"""One command: its processes, its output that nobody has read yet, its stdin."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Mapping, Sequence
from contextlib import ExitStack, suppress

from toolbridge.shell.command_line import STDIN_VARIABLE
from toolbridge.shell.input_pipe import InputPipe
from toolbridge.shell.output import ShellOutput
from toolbridge.shell.output_pipe import OutputPipe
from toolbridge.shell.supervision import Process, Supervision

STOP_GRACE_S = 5.0
"""From SIGTERM to SIGKILL, in seconds."""


class ShellJob:
    """A running or ended command. Made by `start`."""

    def __init__(self, supervision: Supervision, stdin: int, output: int) -> None:
        """Take over the writing end of the stdin pipe and the reading end of the output pipe."""
        self.output = ShellOutput()
        self.input = InputPipe(stdin)
        self.observer = asyncio.Lock()
        """Held by who waits for output: one reader at a time."""
        self._over = asyncio.Event()
        self._supervision = supervision
        self._process: Process | None = None
        self._is_stopped = False
        self._pipe = OutputPipe(output, self.output, self._settle)

    @classmethod
    async def start(
        cls, supervision: Supervision, argv: Sequence[str], cwd: str, env: Mapping[str, str]
    ) -> ShellJob:
        """Start a command; raises `OSError` when it cannot run. Cancelled, it leaves nothing."""
        with ExitStack() as theirs:
            stdin_read, stdin_write = os.pipe()
            theirs.callback(os.close, stdin_read)
            try:
                output_read, output_write = os.pipe()
            except OSError:
                os.close(stdin_write)
                raise
            theirs.callback(os.close, output_write)
            job = cls(supervision, stdin_write, output_read)
            own = {STDIN_VARIABLE: str(os.fstat(stdin_read).st_ino)}
            try:
                job._process = await supervision.start(
                    argv, cwd, {**env, **own}, (stdin_read, output_write), job._settle
                )
            except BaseException:
                job._close_pipes()
                raise
        job._settle()
        return job

    @property
    def is_over(self) -> bool:
        """Whether everything has ended and everything was read from the pipe."""
        return self._over.is_set()

    @property
    def exit_code(self) -> int | None:
        """Of the first process, 128 + N after signal N; None while it runs, or when it got lost."""
        return self._process.exit_code if self._process else None

    @property
    def is_lost(self) -> bool:
        """Whether the supervisor ended before it could tell how the command did."""
        return self._process is not None and self._process.is_lost

    async def wait(self, timeout_s: float) -> bool:
        """Wait for the end, at most that long; whether it is over."""
        with suppress(TimeoutError):
            async with asyncio.timeout(timeout_s):
                await self._over.wait()
        return self.is_over

    def stop(self, grace_s: float = STOP_GRACE_S) -> None:
        """Ask for the end of every process; nobody reads the output any more."""
        self._is_stopped = True
        if self._process is not None:
            self._supervision.stop(self._process, grace_s)
        self._settle()

    def _settle(self) -> None:
        """Something has changed: see whether it is over."""
        if self._process is None or not self._process.is_gone:
            return
        if self._is_stopped or self._process.is_lost:
            self._pipe.close()  # somebody who left the group may hold it for ever
        if self._pipe.is_closed and not self._over.is_set():
            self._over.set()
            self.input.close()

    def _close_pipes(self) -> None:
        self._pipe.close()
        self.input.close()
