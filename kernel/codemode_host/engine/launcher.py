"""How worker processes come to be: the one seam where operating systems differ.

`launch_forked` (Linux) asks a zygote, `launch_spawned` starts an interpreter for each worker.
Both give a `Child`: a process at the other end of a stream socket.
"""

from __future__ import annotations

import asyncio
import socket
from abc import ABC, abstractmethod

SOCKET_BUFFER_BYTES = 256 * 1024
"""Kernel buffer in each direction; what a cell can print before it waits for its host."""


class Child(ABC):
    """One worker process, not yet reaped or known to have ended.

    `ended` gets the reason in words ("killed by signal 9") when the process is gone.
    """

    def __init__(self, pid: int, connection: socket.socket) -> None:
        self.pid = pid
        self.connection = connection
        self.ended: asyncio.Future[str] = asyncio.get_running_loop().create_future()

    @abstractmethod
    def kill(self) -> None:
        """SIGKILL, this process and no other; does nothing when it has ended."""

    def report_end(self, return_code: int) -> None:
        """Settle `ended`; a negative `return_code` is a signal's number, as in `subprocess`."""
        if not self.ended.done():
            self.ended.set_result(
                f"killed by signal {-return_code}"
                if return_code < 0
                else f"exited with status {return_code}"
            )


class Launcher(ABC):
    """Starts workers; owns whatever it needs for that."""

    spares = 2
    """Workers to be kept warm."""

    @abstractmethod
    async def launch(self) -> Child:
        """A new worker process; raises `EngineError` when there can be none."""

    @abstractmethod
    async def close(self) -> None:
        """Let go of everything; the workers themselves are killed by their owner before."""


def connected_pair() -> tuple[socket.socket, socket.socket]:
    """The host's end (non-blocking) and the worker's end of a worker's stream."""
    host_end, worker_end = socket.socketpair()
    for end in (host_end, worker_end):
        end.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SOCKET_BUFFER_BYTES)
        end.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, SOCKET_BUFFER_BYTES)
    host_end.setblocking(False)
    return host_end, worker_end
