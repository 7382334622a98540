"""Calls to the client: nested tools and notifications (contract 8.6, 9.5, 11.4).

A client accepts 1,024 pending calls. Here any further one waits its turn instead of failing, so a
burst of any size works; `crowded` says when a cell has to be slowed down. Sans-I/O.
"""

from __future__ import annotations

from collections import OrderedDict
from typing import TYPE_CHECKING

from msgspec import Struct

from codemode_host.effects import Effect, Send
from codemode_host.wire import DelegateCancel, DelegateRequest, NotificationSend, ToolInvoke

if TYPE_CHECKING:
    from codemode_host.cell import Cell

MAX_PENDING = 1024
"""Requests at the client at any time."""
MAX_WAITING = 16_384
"""Requests that wait for a place there, before the cells that make them are slowed down."""
MAX_WAITING_BYTES = 64 * 1024 * 1024
"""The same, in bytes of their arguments."""


class Delegation(Struct, frozen=True, gc=False):
    """One call: of `cell`, `number` its tool call number or None for a notification."""

    cell: Cell
    number: int | None
    message: DelegateRequest
    size: int


class Delegates:
    """The calls of a connection, numbered from 1 over all its cells."""

    def __init__(self, effects: list[Effect]) -> None:
        self._effects = effects
        self._last_id = 0
        self._sent: dict[int, Delegation] = {}
        self._waiting: OrderedDict[int, Delegation] = OrderedDict()
        self._waiting_bytes = 0
        self._ids: dict[Cell, dict[int, None]] = {}

    @property
    def crowded(self) -> bool:
        """So many calls wait that none should be added."""
        return len(self._waiting) > MAX_WAITING or self._waiting_bytes > MAX_WAITING_BYTES

    def call(
        self,
        cell: Cell,
        number: int | None,
        request: ToolInvoke | NotificationSend,
        size: int,
    ) -> None:
        """Ask the client, now or when it has room; `size` of the argument in bytes."""
        self._last_id += 1
        delegate_id = self._last_id
        message = DelegateRequest(delegate_id, cell.session_id, request)
        delegation = Delegation(cell, number, message, size)
        self._ids.setdefault(cell, {})[delegate_id] = None
        if len(self._sent) < MAX_PENDING:
            self._send(delegate_id, delegation)
        else:
            self._waiting[delegate_id] = delegation
            self._waiting_bytes += size

    def answered(self, delegate_id: int) -> Delegation | None:
        """The client answered; None when the call is unknown, over or was cancelled."""
        delegation = self._sent.pop(delegate_id, None)
        if delegation is not None:
            ids = self._ids[delegation.cell]
            del ids[delegate_id]
            if not ids:
                del self._ids[delegation.cell]
            self._send_waiting()
        return delegation

    def cancel(self, cell: Cell) -> None:
        """Take back every call of `cell`; the client hears of those that it has."""
        for delegate_id in self._ids.pop(cell, {}):
            if self._sent.pop(delegate_id, None) is not None:
                self._effects.append(Send(DelegateCancel(delegate_id)))
            else:
                self._waiting_bytes -= self._waiting.pop(delegate_id).size
        self._send_waiting()

    def _send(self, delegate_id: int, delegation: Delegation) -> None:
        self._sent[delegate_id] = delegation
        self._effects.append(Send(delegation.message))

    def _send_waiting(self) -> None:
        while self._waiting and len(self._sent) < MAX_PENDING:
            delegate_id, delegation = self._waiting.popitem(last=False)
            self._waiting_bytes -= delegation.size
            self._send(delegate_id, delegation)
