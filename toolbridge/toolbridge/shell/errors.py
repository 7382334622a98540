"""What the shell tools reject with, once their arguments are in order."""

from __future__ import annotations

from enum import StrEnum

from toolbridge.errors import Outcome, ToolError


class ShellFault(StrEnum):
    """Why a call gave no result (seed 004, 5.6)."""

    SPAWN_FAILED = "spawn-failed"
    """The command cannot be started; nothing ran."""
    TOO_MANY_JOBS = "too-many-jobs"
    """As many commands as are allowed have not ended yet; nothing ran."""
    BAD_ENVIRONMENT = "bad-environment"
    """What an embedder adds to the environment is no environment; nothing ran."""
    CLOSED = "closed"
    """The shells of this session have been closed; nothing ran."""
    STALE_SESSION = "stale-session"
    """No command has this session id: its end was told, or it never was."""
    STDIN_OVERLOAD = "stdin-overload"
    """More input waits than may wait; nothing of this call was sent."""
    STDIN_CLOSED = "stdin-closed"
    """Stdin had been closed before; nothing was sent."""
    STDIN_FAILED = "stdin-failed"
    """The command closed its stdin while it was sent input; how much it read is not known."""


_OUTCOMES = {ShellFault.SPAWN_FAILED: Outcome.FAILED, ShellFault.STDIN_FAILED: Outcome.UNKNOWN}


class ShellError(ToolError):
    """A call of `exec_command` or `write_stdin` without a result; nothing is launched again."""

    def __init__(self, fault: ShellFault, message: str) -> None:
        super().__init__(message)
        self.fault = fault
        self.outcome = _OUTCOMES.get(fault, Outcome.REFUSED)
