"""One nested tool call, as the session saw it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from typing import TYPE_CHECKING, Any

from toolbridge.secret_values import SecretValues

if TYPE_CHECKING:
    from toolbridge import Approval, Tool


class CallOutcome(StrEnum):
    """How a nested call ended."""

    OK = "ok"
    ERROR = "error"
    """The tool, the gate or the argument check refused or failed: the script got a string."""
    CANCELLED = "cancelled"
    """The cell ended first, or was terminated; the script got nothing."""
    UNKNOWN = "unknown"
    """Whether it took effect cannot be known: its server or its process died, or took too long."""


@dataclass
class Call:
    """Filled in as the call goes on; `outcome` is None until it has ended."""

    id: str
    """`tool-1`, `tool-2`, ... of its cell."""
    tool: str
    """Callable identifier: the name after `tools.`."""
    arguments: Any
    """The first argument as JSON value; None when absent."""
    started: float
    """Seconds since the epoch."""
    definition: Tool
    """The tool as its cell's catalog has it."""
    approval: Approval | None = None
    """Why it was let through; None until then."""
    refused: bool = False
    """The gate, or the person it asked, said no."""
    is_asking: bool = False
    """A person is being asked about it."""
    asked_s: float = 0.0
    """Seconds a person was being asked about it."""
    outcome: CallOutcome | None = None
    duration_s: float | None = None
    """Seconds from start to outcome, the asked time included."""
    result: Any = None
    """The JSON value it resolved with, when the outcome is OK."""
    error: str | None = None
    """What it rejected with, when the outcome is ERROR or UNKNOWN. Secrets of its arguments are
    left out; the script gets all of it."""

    @cached_property
    def argument_secrets(self) -> SecretValues:
        """Values of its arguments that nothing shows or records."""
        return SecretValues.of(self.arguments, self.definition.input_secrets)

    @property
    def secrets(self) -> SecretValues:
        """Those, and values of its result; ask only after it has ended."""
        return self.argument_secrets | SecretValues.of(self.result, self.definition.output_secrets)
