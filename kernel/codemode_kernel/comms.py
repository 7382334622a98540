"""Lets comms reach the kernel. The base class knows their messages only in IPython's kernel."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, TypeAlias

from comm import get_comm_manager

if TYPE_CHECKING:
    from codemode_kernel.household import Household

MESSAGES = ("comm_open", "comm_msg", "comm_close")

Callback: TypeAlias = Callable[[Mapping[str, Any]], None] | None

TARGET = "codemode.control"
"""The comm target of our JupyterLab extension (`codemode_kernel.control`)."""


def add_comm_handlers(kernel: Any) -> None:
    """Route the comm messages of `kernel` to the global manager, with which `create_comm` works."""
    kernel.comm_manager = get_comm_manager()
    for message in MESSAGES:
        kernel.shell_handlers[message] = getattr(kernel.comm_manager, message)
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
        rooms.door.admit(OwnComm(comm, opened, household), opened, waiting, rooms)

    opening.add_done_callback(admit)


class OwnComm:
    """A comm that hears only whoever opened it: in a shared kernel everybody can see its id."""

    def __init__(self, comm: Any, opened: Mapping[str, Any], household: Household) -> None:
        self._comm = comm
        self._household = household
        self._principal = household.principal_of(opened)

    def send(self, data: dict[str, Any]) -> None:
        """Send to the page."""
        self._comm.send(data)

    def close(self) -> None:
        """Close it from this side."""
        self._comm.close()

    def on_msg(self, callback: Callback) -> None:
        """Call `callback` for what its opener sends."""
        self._comm.on_msg(self._own(callback))

    def on_close(self, callback: Callback) -> None:
        """Call `callback` when its opener closes it."""
        self._comm.on_close(self._own(callback))

    def _own(self, callback: Callback) -> Callback:
        if callback is None:
            return None

        def call(message: Mapping[str, Any]) -> None:
            if self._household.principal_of(message) == self._principal:
                callback(message)

        return call
