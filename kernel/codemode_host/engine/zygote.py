"""The zygote: a small process that has the engine imported and forks one worker a cell.

The host forks it as its first act (`fork_zygote`), before it imports asyncio: it starts at once,
shares the host's pages and has no second thread. When it has to be replaced later, it is started
as a program of its own (`spawn_zygote`). Either way it serves one control socket
(`SOCK_SEQPACKET`), on which a message is a request or a report:

- to the zygote: `FORK`, with one stream socket attached, the new worker's;
- to the host: ``forked pid`` with the worker's pidfd attached, or ``failed errno``, in the order
  of the requests; ``ended pid status`` when a worker is gone (`status` as of `os.waitpid`).

The pidfd is opened by the parent, of a child it has not reaped yet, so it can mean no other
process. EOF on the control socket ends the zygote, and the workers die with it.
"""

from __future__ import annotations

import contextlib
import gc
import os
import select
import signal
import socket
import struct
import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, NoReturn

from codemode_host.engine.interpreter import command, environment

FORK = b"fork"

REHEARSALS = 9
"""Bytecode is specialised in its eighth run (CPython 3.11): here once, not in pages of each
worker."""

Report = Literal["forked", "failed", "ended"]

_REPORTS: tuple[Report, ...] = ("forked", "failed", "ended")
_REPORT = struct.Struct("<BIi")


@dataclass(frozen=True, slots=True)
class Zygote:
    """A running zygote, as its host holds it."""

    pid: int
    control: socket.socket


def pack_report(report: Report, pid: int, status: int) -> bytes:
    """A message to the host; `status` is an errno for `failed`."""
    return _REPORT.pack(_REPORTS.index(report), pid, status)


def unpack_report(data: bytes) -> tuple[Report, int, int]:
    """(report, pid, status) of a message to the host."""
    index, pid, status = _REPORT.unpack(data)
    return _REPORTS[index], pid, status


def fork_zygote() -> Zygote:
    """Fork a zygote off this process, which must have one thread and no event loop yet."""
    host_end, zygote_end = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    host = os.getpid()
    pid = os.fork()
    if pid == 0:
        try:
            serve(zygote_end.detach(), host)
        finally:
            os._exit(1)
    zygote_end.close()
    return Zygote(pid, host_end)


def spawn_zygote() -> Zygote:
    """Start a zygote as a program of its own: safe at any time, but slower than a fork."""
    host_end, zygote_end = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    with zygote_end:
        zygote_end.set_inheritable(True)
        argv = command(
            "from codemode_host.engine.zygote import serve; "
            f"serve({zygote_end.fileno()}, {os.getpid()})"
        )
        pid = os.posix_spawn(argv[0], argv, environment())
    return Zygote(pid, host_end)


def serve(control_fd: int, host: int) -> NoReturn:
    """The zygote's life: serve `control_fd` until the host, process `host`, is gone."""
    # Imported here, in the zygote: ctypes, the engine and JSON are nothing the host must wait for.
    from codemode_host.engine.hardening import layers
    from codemode_host.engine.quickjs.worker import Cell, run_worker

    layers.die_with_parent(host)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    layers.close_all_but(control_fd, sys.stderr.fileno() if sys.stderr else -1)
    cell = Cell()
    for _ in range(REHEARSALS):
        cell.rehearse()
    gc.disable()
    gc.freeze()
    with socket.socket(fileno=control_fd) as control, contextlib.suppress(ConnectionError):
        _Forker(control, lambda fd, parent: run_worker(fd, parent, cell)).serve()
    os._exit(0)


class _Forker:
    """Answers requests and reports deaths, one thing at a time."""

    def __init__(self, control: socket.socket, run_worker: Callable[[int, int], NoReturn]) -> None:
        self._control = control
        self._run_worker = run_worker
        self._pid = os.getpid()
        self._deaths, self._death = os.pipe()
        os.set_blocking(self._deaths, False)
        os.set_blocking(self._death, False)
        signal.signal(signal.SIGCHLD, lambda number, frame: None)
        signal.set_wakeup_fd(self._death, warn_on_full_buffer=False)

    def serve(self) -> None:
        poll = select.poll()
        poll.register(self._control.fileno(), select.POLLIN)
        poll.register(self._deaths, select.POLLIN)
        while True:
            for fd, _ in poll.poll():
                if fd == self._deaths:
                    self._reap()
                elif not self._answer():
                    return

    def _answer(self) -> bool:
        """Serve one request; False when the host is gone."""
        message, fds, _, _ = socket.recv_fds(self._control, 16, 1)
        if not message:
            return False
        try:
            pid = os.fork()
        except OSError as error:
            os.close(fds[0])
            self._control.send(pack_report("failed", 0, error.errno or 0))
            return True
        if pid == 0:
            self._become_worker(fds[0])
        os.close(fds[0])
        handle = os.pidfd_open(pid)
        socket.send_fds(self._control, [pack_report("forked", pid, 0)], [handle])
        os.close(handle)
        return True

    def _become_worker(self, fd: int) -> NoReturn:
        # SIGCHLD may stay as it is: a worker has no children. Every page touched here costs.
        try:
            self._run_worker(fd, self._pid)
        finally:
            os._exit(1)

    def _reap(self) -> None:
        with contextlib.suppress(BlockingIOError):
            os.read(self._deaths, 4096)
        while True:
            try:
                pid, status = os.waitpid(-1, os.WNOHANG)
            except ChildProcessError:
                return
            if pid == 0:
                return
            self._control.send(pack_report("ended", pid, status))
