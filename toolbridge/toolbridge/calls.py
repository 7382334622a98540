"""One call of a tool, and what surrounds it."""

from __future__ import annotations

import math
from collections.abc import Awaitable, Callable, Mapping
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from enum import StrEnum

from toolbridge.errors import NobodyThereError
from toolbridge.gate.approvals import Approval, Asker
from toolbridge.gate.inquiries import Inquiry, Reply
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


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a call is, as its tool tells."""

    done: float
    total: float | None = None
    """In the unit of `done`; None when the tool does not know."""
    message: str | None = None

    @classmethod
    def told(cls, done: float, total: float | None, message: object) -> Progress | None:
        """What a tool says of itself; None when it says nothing that can be shown.

        Neither NaN nor infinity is an amount. An endless total is one that is not known.
        """
        if not math.isfinite(done):
            return None
        known = None if total is None or not math.isfinite(total) else float(total)
        return cls(float(done), known, None if message is None else str(message))


def _ignore(event: object) -> None:
    """Nobody watches."""


async def _nobody(inquiry: Inquiry) -> Reply:
    raise NobodyThereError("this call has no toolbox that could ask")


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
    on_progress: Callable[[Progress], None] = _ignore
    warn: Callable[[str], None] = _ignore
    """Takes a sentence for the person about a result that the script gets all the same."""
    inquire: Callable[[Inquiry], Awaitable[Reply]] = _nobody
    """Set by the toolbox: a source puts a free question to the person while it serves the call.

    Raises `NobodyThereError` where nobody can answer, `ToolUnavailableError` once the cell has
    ended. Cancelling withdraws the question.
    """
    look_again: Callable[[], None] = lambda: None
    """Set by the toolbox, for a source that makes calls wait for each other after the gate.

    Raises `ToolError` when the cell has ended meanwhile, the tool is gone, a rule now denies it, or
    the rule that allowed it does not hold any more.
    """
    environment: Mapping[str, str] = field(default_factory=dict)
    """Set by the toolbox: what the embedder's hooks add to the environment of a process that this
    call starts, and of no other."""

    def serving(
        self,
        inquire: Callable[[Inquiry], Awaitable[Reply]],
        look_again: Callable[[], None],
        environment: Mapping[str, str],
    ) -> CallContext:
        """The context as a source gets it."""
        # By hand: every call passes here, and `dataclasses.replace` takes several times as long.
        return CallContext(
            self.principal,
            self.asker,
            self.cell_is_open,
            self.asking,
            self.on_event,
            self.on_progress,
            self.warn,
            inquire,
            look_again,
            environment,
        )
