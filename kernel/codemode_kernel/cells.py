"""A cell as the session knows it, from the wish to run it until its result is collected."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from codemode_host.wire import ContentItem

from codemode_kernel.observation import Sink, Status


class CellState(StrEnum):
    STARTING = "starting"
    """Asked for; the host has not named it yet."""
    RUNNING = "running"
    ENDED = "ended"
    """Its code runs no more; the result is not collected yet."""
    COLLECTED = "collected"
    """The result was given; the session has forgotten the cell."""


@dataclass(frozen=True)
class Origin:
    """The notebook cell in which a cell was written."""

    label: str = ""
    """What footers, `%cells` and approvals call it, such as `In [3]`."""
    notebook_cell: str | None = None
    """The front end's id of it; None where the client names none."""


@dataclass(frozen=True)
class Outcome:
    """How a cell ended."""

    status: Status
    """COMPLETED, FAILED or TERMINATED."""
    error_text: str | None = None


class WaitingOutput:
    """Items that wait for the next observation of their cell; bounded."""

    def __len__(self) -> int:
        """Number of items."""
        raise NotImplementedError

    def tail(self, lines: int) -> str:
        """The last `lines` lines of waiting text; media are named in brackets."""
        raise NotImplementedError


class Cell:
    """One exec cell. Read it freely; only its session changes it."""

    serial: int
    """Unique in the session for ever, also across hosts; cells are numbered in order of start."""
    id: str | None
    """Public id: `1`, `2`, ..., with the host's generation from the second host on (`g2:1`).
    None while STARTING."""
    code: str
    origin: Origin
    tool_call_id: str
    state: CellState
    outcome: Outcome | None
    """Set from ENDED on."""
    waiting: WaitingOutput
    observed: bool
    """Whether an exec or a wait is observing it now."""
    call_count: int
    """Nested tool calls so far."""
    open_calls: int
    """Nested tool calls in progress."""
    asking: int
    """Open questions to a person."""
    late_sink: Sink | None
    """Where items go that come while nobody observes (`late_output="origin"`)."""
    end_wished: bool
    """Somebody asked for its end; it is sent as soon as the cell has an id."""

    @property
    def age_s(self) -> float:
        """Seconds since the cell was asked for; stands still once it has ended."""
        raise NotImplementedError

    def last_items(self) -> Sequence[ContentItem]:
        raise NotImplementedError
