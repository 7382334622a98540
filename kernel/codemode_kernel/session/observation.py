"""What one observation of a cell gives: to the person as it comes, to the model at its end."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Protocol, TypeAlias

from codemode_host.wire import ContentItem
from toolbridge.media import Slot

ModelOutput: TypeAlias = str | list[dict[str, Any]]
"""One tool output as a model gets it: a string, or a list of content items (model view 2)."""


class Status(StrEnum):
    """How an observation ended; the words of the header (contract 2.1)."""

    RUNNING = "running"
    COMPLETED = "completed"
    FAILED = "failed"
    TERMINATED = "terminated"


class Sink(Protocol):
    """Where the items of one observation go while it lasts: the outputs of a notebook cell.

    Called on the event loop, in emission order, each item once. It must not block. What it
    raises ends the observation; the cell goes on.
    """

    def take(self, items: Sequence[ContentItem]) -> None: ...


@dataclass(frozen=True)
class Notification:
    """One `notify()`: an output of its own, after the result of the call in progress."""

    tool_call_id: str
    """The call id of the exec whose script sent it."""
    cell_id: str
    text: str
    """As a model gets it: cut at the bound of the prompt."""


@dataclass(frozen=True)
class OutputSize:
    """How much of its content an output shows, in estimated tokens (model view 6).

    The header, images and notices of what was left out count for nothing.
    """

    emitted: int
    """What the cell gave."""
    shown: int
    """What a model gets of it."""
    truncated: bool
    """Something was left out, if only a tiny item."""


@dataclass(frozen=True)
class Observation:
    """The end of one exec or wait. Its items went to the sink already."""

    status: Status
    cell_id: str
    """Public id (`3`, `g2:1`); what was asked for when there is no such cell."""
    error_text: str | None
    """Why the script failed; None unless `status` is FAILED."""
    wall_time_s: float
    """Seconds this observation took, without the time a person was being asked."""
    output: ModelOutput
    """The result exactly as a model gets it."""
    size: OutputSize
    item_count: int
    """Content items that belong to this observation."""
    notifications: tuple[Notification, ...]
    """Notifications since the previous observation of the session, in order of arrival."""
    media: Sequence[Slot] = ()
    """The images and sounds of `output`, in its order."""
    missing: bool = False
    """There is no such cell (any more): `exec cell <id> not found`."""
    notices: tuple[str, ...] = ()
    """Sentences for the person that no model gets, such as that a lost host took the stored
    values with it."""
