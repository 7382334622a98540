"""Which commands there are: those that run, and those that scripts know by a session id.

Sans-I/O: time is passed in, monotonic seconds.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from toolbridge.shell.errors import ShellError, ShellFault
from toolbridge.shell.job import ShellJob
from toolbridge.shell.live import LiveShell

MAX_UNSETTLED = 16
"""Commands that may run at a time, those that are being ended included (seed 004, 5.6)."""

MAX_UNREAD = 32
"""Ended commands whose end nobody has read; past that the oldest are forgotten."""

UNREAD_S = 300.0
"""How long the end of a command can be read, in seconds."""


class ShellSessions:
    """The commands of one source."""

    def __init__(self) -> None:
        self._live: dict[int, LiveShell] = {}
        self._unsettled: set[ShellJob] = set()
        self._starting = 0

    @property
    def unsettled_count(self) -> int:
        """Commands of which something runs, or is being started."""
        self._unsettled = {job for job in self._unsettled if not job.is_over}
        return len(self._unsettled) + self._starting

    @contextmanager
    def starting(self) -> Iterator[None]:
        """Hold a place for a command that is being started; `ShellError` when there is none."""
        if self.unsettled_count >= MAX_UNSETTLED:
            raise ShellError(
                ShellFault.TOO_MANY_JOBS,
                f"exec_command failed: {MAX_UNSETTLED} commands run already, which is as many as "
                "there may be; wait for one of them, or end one with write_stdin and `terminate`",
            )
        self._starting += 1
        try:
            yield
        finally:
            self._starting -= 1

    def started(self, job: ShellJob) -> None:
        """A command runs; it has its place until everything of it has ended."""
        self._unsettled.add(job)

    def keep(self, job: ShellJob, command: str, cell_id: str | None) -> LiveShell:
        """Give a command that outlives its call a session id."""
        shell = LiveShell(self._new_id(), command, cell_id, job)
        self._live[shell.session_id] = shell
        return shell

    def find(self, session_id: int) -> ShellJob:
        """The command with this id; raises `ShellError`."""
        if session_id not in self._live:
            raise stale(session_id)
        return self._live[session_id].job

    def end(self, session_id: int) -> None:
        """The end of a command was told: nobody is told again."""
        self._live.pop(session_id, None)

    def sweep(self, now: float) -> None:
        """Forget ended commands that nobody has read, for their age or for their number."""
        ended = sorted(
            (shell.job.ended_at, session_id)
            for session_id, shell in self._live.items()
            if shell.job.ended_at is not None
        )
        for at, (ended_at, session_id) in enumerate(ended):
            if now - ended_at >= UNREAD_S or len(ended) - at > MAX_UNREAD:
                self.end(session_id)

    def all(self) -> Sequence[LiveShell]:
        """Those with a session id, oldest first."""
        return list(self._live.values())

    def clear(self) -> None:
        """Forget all of them; their processes are somebody else's business."""
        self._live.clear()
        self._unsettled.clear()

    def _new_id(self) -> int:
        while True:
            session_id = 10_000 + secrets.randbelow(90_000)
            if session_id not in self._live:
                return session_id


def stale(session_id: int) -> ShellError:
    """The error of a call for a command that is not, or no longer, there."""
    return ShellError(
        ShellFault.STALE_SESSION, f"write_stdin failed: Unknown process id {session_id}"
    )
