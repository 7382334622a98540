"""What a session tells as it happens, so that a front can draw cells it does not observe.

Events are sent on the event loop, in order. The cells they name are live objects: read from them
what is needed when the event comes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

from codemode_host.wire import ContentItem

from codemode_kernel.session.calls import Call
from codemode_kernel.session.cells import Cell
from toolbridge import Progress


@dataclass(frozen=True)
class CellStarted:
    """The host has started the cell; it has its id."""

    cell: Cell


@dataclass(frozen=True)
class CellYielded:
    """An observation ended while the cell goes on; from now on nobody observes it."""

    cell: Cell


@dataclass(frozen=True)
class OutputWaiting:
    """Items came while nobody observes: they wait in `cell.waiting` for the next wait.

    With `late_output="origin"` they went to the cell's late sink as well.
    """

    cell: Cell


@dataclass(frozen=True)
class Notified:
    """The script called `notify(text)`."""

    cell: Cell
    text: str


@dataclass(frozen=True)
class CallStarted:
    """A nested tool call came in; it is counted in `cell.open_calls`."""

    cell: Cell
    call: Call


@dataclass(frozen=True)
class CallEnded:
    """`call` has its outcome and duration now."""

    cell: Cell
    call: Call


@dataclass(frozen=True)
class CallProgressed:
    """A tool says how far its call is; may come often."""

    cell: Cell
    call: Call
    progress: Progress


@dataclass(frozen=True)
class CallWarned:
    """There is something to say to the person about the result of a call."""

    cell: Cell
    text: str


@dataclass(frozen=True)
class AskingChanged:
    """A question to a person was opened or answered: see `cell.asking`."""

    cell: Cell


@dataclass(frozen=True)
class CellEnded:
    """The cell's code runs no more; `cell.outcome` says how it went.

    Unless it is being observed, it now waits to be collected.
    """

    cell: Cell


@dataclass(frozen=True)
class CellCollected:
    """Its result was given; the session forgets the cell."""

    cell: Cell
    collector: str | None
    """Label of the notebook cell that collected it; None when the session itself did, because
    too many ended cells were waiting."""
    items: Sequence[ContentItem] = ()
    """What was still waiting when the session itself collected it: nobody else will show it."""


@dataclass(frozen=True)
class CellForgotten:
    """`%reset` or the session's end took the cell; nobody can collect its result any more."""

    cell: Cell


@dataclass(frozen=True)
class HostLost:
    """The host is gone, and with it every cell and all stored values."""

    reason: str


SessionEvent: TypeAlias = (
    CellStarted
    | CellYielded
    | OutputWaiting
    | Notified
    | CallStarted
    | CallEnded
    | CallProgressed
    | CallWarned
    | AskingChanged
    | CellEnded
    | CellCollected
    | CellForgotten
    | HostLost
)
