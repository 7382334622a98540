"""One command: its processes, its output that nobody has read yet, its stdin."""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass

from toolbridge.shell.command_line import STDIN_VARIABLE
from toolbridge.shell.input_pipe import InputPipe
from toolbridge.shell.output import ShellOutput
from toolbridge.shell.output_pipes import OutputPipes
from toolbridge.shell.sink import OutputSink
from toolbridge.shell.streams import Stream
from toolbridge.shell.supervision import Process, Supervision
from toolbridge.shell.terminal import open_terminal

STOP_GRACE_S = 5.0
"""From SIGTERM to SIGKILL, in seconds."""

CONFIRM_S = 5.0
"""How long after SIGKILL the end of every process is waited for, in seconds."""


@dataclass(frozen=True, slots=True)
class Launch:
    """What is to be started."""

    argv: Sequence[str]
    cwd: str
    env: Mapping[str, str]
    has_terminal: bool = False


@dataclass(frozen=True, slots=True)
class _OurEnds:
    """Of the pipes to a command, or of its terminal."""

    stdin: int
    output: Mapping[Stream, int]


class ShellJob:
    """A running or ended command. Made by `start`."""

    def __init__(
        self,
        supervision: Supervision,
        ours: _OurEnds,
        launch: Launch,
        sink: OutputSink | None,
    ) -> None:
        """Take over our ends."""
        self.output = ShellOutput(sink=sink)
        self.input = InputPipe(ours.stdin, self._stir, is_terminal=launch.has_terminal)
        self.observer = asyncio.Lock()
        """Held by who waits for output: one reader at a time."""
        self.ended_at: float | None = None
        """When it was over, monotonic seconds."""
        self.confirmed_by: float | None = None
        """Once it was told to end: when every process should be gone, monotonic seconds."""
        self._news = asyncio.Event()
        """Set, and replaced, when something has happened that somebody may wait for."""
        self._supervision = supervision
        self._process: Process | None = None
        self._pipes = OutputPipes(ours.output, self.output, self._settle)

    @classmethod
    async def start(
        cls, supervision: Supervision, launch: Launch, sink: OutputSink | None = None
    ) -> ShellJob:
        """Start a command; raises `OSError` when it cannot run. Cancelled, it leaves nothing.

        All that it prints goes to `sink`, too.
        """
        with ExitStack() as theirs:
            standard, ours = _open_ends(launch, theirs)
            job = cls(supervision, ours, launch, sink)
            variable = {STDIN_VARIABLE: str(os.fstat(standard[0]).st_ino)}
            try:
                job._process = await supervision.start(
                    launch.argv,
                    launch.cwd,
                    {**launch.env, **variable},
                    standard,
                    job._settle,
                    is_terminal=launch.has_terminal,
                )
            except BaseException:
                job._close_pipes()
                raise
        job._settle()
        return job

    @property
    def is_over(self) -> bool:
        """Whether everything has ended and everything was read from the pipes."""
        return self.ended_at is not None

    @property
    def is_stopped(self) -> bool:
        """Whether it was told to end."""
        return self.confirmed_by is not None

    @property
    def time_to_confirm(self) -> float:
        """Seconds until every process should be gone; 0 when nobody told it to end."""
        return max(0.0, (self.confirmed_by or 0.0) - time.monotonic())

    @property
    def exit_code(self) -> int | None:
        """Of the first process, 128 + N after signal N; None while it runs, or when it got lost."""
        return self._process.exit_code if self._process else None

    @property
    def is_lost(self) -> bool:
        """Whether the supervisor ended before it could tell how the command did."""
        return self._process is not None and self._process.is_lost

    async def wait(self, timeout_s: float, unless: Callable[[], bool] = lambda: False) -> bool:
        """Wait for the end, at most that long; whether it is over.

        `unless` is asked when stdin breaks, too, and ends the wait by saying yes.
        """
        with suppress(TimeoutError):
            async with asyncio.timeout(timeout_s):
                while not self.is_over and not unless():
                    await self._news.wait()
        return self.is_over

    def stop(self) -> None:
        """Ask for the end of every process, as often as one likes; nothing if it has come."""
        if self.is_over:
            return
        self.confirmed_by = time.monotonic() + STOP_GRACE_S + CONFIRM_S
        if self._process is not None:
            self._supervision.stop(self._process, STOP_GRACE_S)
        self._settle()

    def _settle(self) -> None:
        """Something has changed: see whether it is over."""
        if self._process is None or not self._process.is_gone:
            return
        if self.is_stopped or self._process.is_lost:
            self._pipes.close()  # somebody who left the group may hold them for ever
        if self._pipes.is_closed and not self.is_over:
            self.ended_at = time.monotonic()
            self.input.close()
            self._stir()

    def _stir(self) -> None:
        self._news.set()
        self._news = asyncio.Event()

    def _close_pipes(self) -> None:
        self._pipes.close()
        self.input.close()


def _open_ends(launch: Launch, theirs: ExitStack) -> tuple[tuple[int, int, int], _OurEnds]:
    """The command's stdin, stdout and stderr, which `theirs` closes, and our ends of them."""
    with ExitStack() as ours:
        if launch.has_terminal:
            terminal, screen = open_terminal()
            theirs.callback(os.close, screen)
            ours.callback(os.close, terminal)
            ends = _OurEnds(os.dup(terminal), {Stream.STDOUT: terminal})
            standard = screen, screen, screen
        else:
            stdin, our_stdin = _pipe(theirs, ours)
            our_stdout, stdout = _pipe(ours, theirs)
            our_stderr, stderr = _pipe(ours, theirs)
            ends = _OurEnds(our_stdin, {Stream.STDOUT: our_stdout, Stream.STDERR: our_stderr})
            standard = stdin, stdout, stderr
        ours.pop_all()
    return standard, ends


def _pipe(reader: ExitStack, writer: ExitStack) -> tuple[int, int]:
    """(reading end, writing end), each closed by its stack."""
    reading, writing = os.pipe()
    reader.callback(os.close, reading)
    writer.callback(os.close, writing)
    return reading, writing
