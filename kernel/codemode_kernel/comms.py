"""Lets comms reach the kernel. The base class knows their messages only in IPython's kernel."""

from __future__ import annotations

from typing import Any

from comm import get_comm_manager

MESSAGES = ("comm_open", "comm_msg", "comm_close")


def add_comm_handlers(kernel: Any) -> None:
    """Route the comm messages of `kernel` to the global manager, with which `create_comm` works."""
    kernel.comm_manager = get_comm_manager()
    for message in MESSAGES:
        kernel.shell_handlers[message] = getattr(kernel.comm_manager, message)
