"""One call of a tool, and what surrounds it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from enum import StrEnum

from toolbridge.approvals import Approval, Asker
from toolbridge.json_values import JsonValue
from toolbridge.tools import Tool


@dataclass(frozen=True, slots=True)
class ToolCall:
    """What a script asks for."""

    tool: Tool
    """An entry of the catalog that the caller was given."""
    input: JsonValue = None
    """The first argument; None when there is none."""
    id: str = ""
    """`tool-1`, `tool-2`, ... of its cell."""
    cell_id: str | None = None
    """None for a direct call."""


class CallState(StrEnum):
    """Where a call is; its end is what `Toolbox.invoke` returns or raises."""

    ASKING = "asking"
    """It waits for a person, or behind another question."""
    RUNNING = "running"
    """The gate let it through and the source has it."""


@dataclass(frozen=True, slots=True)
class CallEvent:
    """A call has come to `state`."""

    call: ToolCall
    state: CallState
    approval: Approval | None = None
    """Why it may run; set when it is RUNNING."""


def _ignore(event: CallEvent) -> None:
    """Nobody watches."""


@dataclass(frozen=True, slots=True)
class CallContext:
    """Who calls, and what the caller wants to know meanwhile."""

    principal: str | None = None
    asker: Asker | None = None
    """Who can be asked; None: nobody is there."""
    cell_is_open: Callable[[], bool] = lambda: True
    """Looked at after every wait: a call of a cell that has ended is refused."""
    asking: Callable[[], AbstractContextManager[None]] = nullcontext
    """Entered while the call waits for a person, so that no deadline runs; calls may overlap."""
    on_event: Callable[[CallEvent], None] = _ignore
    environment: Mapping[str, str] = field(default_factory=dict)
    """What an embedder adds to the environment of the process that this one call starts."""
