"""What the state machines of the host want done, as values.

A machine appends effects to one list in the order in which they must happen; `server.py` carries
them out. Cells are named by the machine's own objects, which are compared by identity.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from msgspec import Struct

from codemode_host.wire import HostMessage

if TYPE_CHECKING:
    from codemode_host.cell import Cell


class Send(Struct, frozen=True, gc=False):
    """Send a message to the client."""

    message: HostMessage


class StartWorker(Struct, frozen=True, gc=False):
    """Take a worker for the cell; answered by `Connection.worker_ready` or `worker_failed`."""

    cell: Cell


class Tell(Struct, frozen=True, gc=False):
    """Send a frame to the cell's worker."""

    cell: Cell
    kind: int
    number: int
    payload: bytes


class Kill(Struct, frozen=True, gc=False):
    """End the cell's worker, whatever it is doing, after what it has sent so far was read."""

    cell: Cell


class Alarm(Struct, frozen=True, gc=False):
    """Call `Connection.alarm` at `at_ns` (monotonic); replaces the cell's earlier alarm.

    None: the cell needs no alarm any more.
    """

    cell: Cell
    at_ns: int | None


class HangUp(Struct, frozen=True, gc=False):
    """End the connection once everything before was sent."""


Effect: TypeAlias = Send | StartWorker | Tell | Kill | Alarm | HangUp
