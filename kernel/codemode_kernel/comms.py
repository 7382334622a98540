"""Lets comms reach the kernel. The base class knows their messages only in IPython's kernel."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from comm import get_comm_manager

if TYPE_CHECKING:
    from codemode_kernel.foreground import Foreground
    from codemode_kernel.rooms import Rooms

MESSAGES = ("comm_open", "comm_msg", "comm_close")

TARGET = "codemode.control"
"""The comm target of our JupyterLab extension (`codemode_kernel.control`)."""


def add_comm_handlers(kernel: Any) -> None:
    """Route the comm messages of `kernel` to the global manager, with which `create_comm` works."""
    kernel.comm_manager = get_comm_manager()
    for message in MESSAGES:
        kernel.shell_handlers[message] = getattr(kernel.comm_manager, message)
    kernel.comm_manager.register_target(TARGET, kernel.on_control_comm)


def admit_when_open(
    comm: Any, opened: Mapping[str, Any], opening: asyncio.Task[Foreground]
) -> None:
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
        rooms: Rooms = opening.result().rooms
        rooms.door.admit(comm, opened, waiting, rooms)

    opening.add_done_callback(admit)
