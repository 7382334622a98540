"""Lets comms reach the kernel. The base class knows their messages only in IPython's kernel."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from comm import get_comm_manager

from codemode_kernel.messages.sender import principal_in

if TYPE_CHECKING:
    from codemode_kernel.household import Household

MESSAGES = ("comm_open", "comm_msg", "comm_close")

TARGET = "codemode.control"
"""The comm target of our JupyterLab extension (`codemode_kernel.control`)."""


def add_comm_handlers(kernel: Any) -> None:
    """Route the comm messages of `kernel` to the global manager, with which `create_comm` works."""
    kernel.comm_manager = get_comm_manager()
    receiver = OpenerOnly(kernel.comm_manager) if kernel.shared_kernel else kernel.comm_manager
    for message in MESSAGES:
        kernel.shell_handlers[message] = getattr(receiver, message)
    kernel.comm_manager.register_target(TARGET, kernel.on_control_comm)


def admit_when_open(comm: Any, opened: Mapping[str, Any], opening: asyncio.Task[Household]) -> None:
    """Let a page in when the kernel's `opening` is done; what it sends until then is kept."""
    waiting: list[Mapping[str, Any]] = []
    left: list[Mapping[str, Any]] = []
    comm.on_msg(waiting.append)
    comm.on_close(left.append)

    def admit(_: object) -> None:
        if left:
            return
        if opening.cancelled() or opening.exception() is not None:
            comm.close()
            return
        household = opening.result()
        if household.is_nobody(opened):
            comm.close()
            return
        rooms = household.of(opened).rooms
        rooms.door.admit(comm, opened, waiting, rooms)

    opening.add_done_callback(admit)


class OpenerOnly:
    """Lets through what the opener of a comm sends: in a shared kernel everybody can see its id."""

    def __init__(self, manager: Any) -> None:
        self._manager = manager
        self._openers: dict[str, str | None] = {}

    def comm_open(self, stream: Any, ident: Any, message: Mapping[str, Any]) -> None:
        """A comm that is open already keeps its opener."""
        still_open = self._manager.comms
        self._openers = {id: who for id, who in self._openers.items() if id in still_open}
        comm_id = message["content"]["comm_id"]
        if self._openers.setdefault(comm_id, principal_in(message)) == principal_in(message):
            self._manager.comm_open(stream, ident, message)

    def comm_msg(self, stream: Any, ident: Any, message: Mapping[str, Any]) -> None:
        """Drop what others say."""
        if self._is_openers(message):
            self._manager.comm_msg(stream, ident, message)

    def comm_close(self, stream: Any, ident: Any, message: Mapping[str, Any]) -> None:
        """The id is free again when its opener closes it."""
        if self._is_openers(message):
            del self._openers[message["content"]["comm_id"]]
            self._manager.comm_close(stream, ident, message)

    def _is_openers(self, message: Mapping[str, Any]) -> bool:
        comm_id = message["content"]["comm_id"]
        return comm_id in self._openers and self._openers[comm_id] == principal_in(message)
