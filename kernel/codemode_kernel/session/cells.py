"""A cell as the session knows it, from the wish to run it until its result is collected."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from codemode_host.wire import ContentItem, TextItem
from toolbridge.secret_values import NO_SECRETS

from codemode_kernel.session.asking import AskedTime
from codemode_kernel.session.observation import Sink, Status
from codemode_kernel.session.waiting import Allowance, WaitingOutput

if TYPE_CHECKING:
    from codemode_kernel.captures import Capture
    from codemode_kernel.session.observer import Observer
    from toolbridge import Asker, Catalog


class CellState(StrEnum):
    """Where a cell is in its life; it only ever moves down this list."""

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
    lost: bool = False
    """The host died under it; `error_text` says how."""


class Cell:
    """One exec cell. Read it freely; only its session changes it."""

    def __init__(
        self,
        serial: int,
        code: str,
        *,
        origin: Origin | None = None,
        tool_call_id: str = "",
        asker: Asker | None = None,
        late_sink: Sink | None = None,
        allowance: Allowance | None = None,
    ) -> None:
        self.serial = serial
        """Unique in the session for ever, also across hosts."""
        self.code = code
        self.origin = origin or Origin()
        self.tool_call_id = tool_call_id
        self.asker = asker
        """Who its nested calls may ask; None: nobody."""
        self.late_sink = late_sink
        """Where items go that come while nobody observes (`late_output="origin"`)."""
        self.id: str | None = None
        """Public id: `1`, `2`, ..., with the host's generation from the second host on (`g2:1`).
        None while STARTING."""
        self.host_id: str | None = None
        """The host's own id, without a generation."""
        self.state = CellState.STARTING
        self.outcome: Outcome | None = None
        """Set from ENDED on."""
        self.capture: Capture | None = None
        """Keeps its whole output; None for a cell that was not written in a notebook."""
        self.waiting = WaitingOutput(allowance or Allowance())
        self.observer: Observer | None = None
        """The exec or wait that observes it now."""
        self.catalog: Catalog | None = None
        """The tools it was started with."""
        self.call_count = 0
        """Nested tool calls so far."""
        self.open_calls = 0
        """Nested tool calls in progress."""
        self.secrets = NO_SECRETS
        """Values that errors of its calls quoted; the script's own error may pass them on."""
        self.asked = AskedTime()
        self.end_wished = False
        """Somebody asked for its end; it is sent as soon as the cell has an id."""
        self.watch: int | None = None
        """Id of the host request that observes it."""
        self.item_count = 0
        """Content items so far."""
        self.notification_count = 0
        """Notifications so far."""
        self.created = time.time()
        """When it was asked for, in seconds since the epoch."""
        self._created = time.monotonic()
        self._ended = 0.0

    @property
    def observed(self) -> bool:
        """Whether an exec or a wait is observing it now."""
        return self.observer is not None

    @property
    def asking(self) -> int:
        """Open questions to a person."""
        return self.asked.open

    @property
    def over(self) -> bool:
        """Whether its code runs no more."""
        return self.outcome is not None

    @property
    def age_s(self) -> float:
        """Seconds since the cell was asked for; stands still once it has ended."""
        return (self._ended or time.monotonic()) - self._created

    def start(self, host_id: str, public_id: str) -> None:
        """The host has named it."""
        self.host_id = host_id
        self.id = public_id
        self.state = CellState.RUNNING

    def take(self, items: Sequence[ContentItem]) -> None:
        """Items came: they go to the observation in progress, or wait for the next one.

        An observation without a sink takes its items at its end, so that nothing is lost should
        its caller give up before.
        """
        self.item_count += len(items)
        if self.capture is not None:
            self.capture.take(items)
        observer = self.observer
        if observer is not None and observer.sink is not None:
            observer.take(items)
            return
        late = self.late_sink if observer is None else None
        shown = False
        try:
            if late is not None:
                late.take(items)
                shown = True
        finally:
            self.waiting.add(items, shown=shown)

    def keep(self, text: str) -> None:
        """Capture a text that is no item of it, and is not shown whole."""
        if self.capture is not None:
            self.capture.take([TextItem(text)])
            self.capture.publish()

    def end(self, outcome: Outcome) -> None:
        """Its code runs no more."""
        self.outcome = outcome
        if self.capture is not None:
            self.capture.finish(outcome.error_text)
        self.state = CellState.ENDED
        self.watch = None
        self._ended = time.monotonic()

    def collect(self) -> None:
        """Its result was given."""
        self.observer = None
        self.state = CellState.COLLECTED
