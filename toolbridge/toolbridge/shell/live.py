"""A shell session as a person sees it: what runs, since when, and how it can be named."""

from __future__ import annotations

import time
from dataclasses import dataclass, field

from toolbridge.shell.job import ShellJob


@dataclass(frozen=True)
class LiveShell:
    """A command that outlived its call. Scripts know it by `session_id`."""

    session_id: int
    command: str
    cell_id: str | None
    """The cell whose call started it."""
    job: ShellJob
    since: float = field(default_factory=time.monotonic)
    """When it got its id, monotonic seconds."""

    @property
    def age_s(self) -> float:
        """Seconds since it got its id."""
        return time.monotonic() - self.since

    @property
    def is_over(self) -> bool:
        """Whether it has ended; its last output waits to be read."""
        return self.job.is_over
