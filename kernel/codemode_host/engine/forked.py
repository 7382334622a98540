"""Workers forked by a zygote (Linux): about 3 ms each, most of their memory shared."""

from __future__ import annotations

import asyncio
import logging
import os
import signal
import socket
from collections import deque

from codemode_host.engine.launcher import Child, Launcher, connected_pair
from codemode_host.engine.zygote import FORK, Zygote, spawn_zygote, unpack_report
from codemode_host.errors import EngineError

MAX_FORKS_IN_FLIGHT = 8
"""A control socket takes some 200 requests; the others wait in our own queue."""

MAX_BARREN_ZYGOTES = 3
"""So many zygotes in a row that died without one fork are no accident."""

logger = logging.getLogger(__name__)


class ForkedChild(Child):
    """A zygote's child, held by a pidfd."""

    def __init__(self, pid: int, pidfd: int, connection: socket.socket) -> None:
        super().__init__(pid, connection)
        self._pidfd = pidfd
        self.ended.add_done_callback(self._release)

    def kill(self) -> None:
        if self._pidfd >= 0:
            try:
                signal.pidfd_send_signal(self._pidfd, signal.SIGKILL)
            except ProcessLookupError:
                return

    def _release(self, ended: asyncio.Future[str]) -> None:
        os.close(self._pidfd)
        self._pidfd = -1


class ForkLauncher(Launcher):
    """Asks a zygote for forks, a few at a time, and replaces a zygote that died."""

    spares = 6
    """Some 1.5 MiB each."""

    def __init__(self, zygote: Zygote | None = None) -> None:
        self._zygote = zygote
        self._watched = False
        self._waiting: deque[asyncio.Future[Child]] = deque()
        self._in_flight: deque[tuple[socket.socket, asyncio.Future[Child]]] = deque()
        self._children: dict[int, ForkedChild] = {}
        self._barren = 0

    @property
    def zygote_pid(self) -> int | None:
        """The present zygote's process id; None before the first use and between two."""
        return self._zygote.pid if self._zygote else None

    async def launch(self) -> Child:
        asked: asyncio.Future[Child] = asyncio.get_running_loop().create_future()
        self._waiting.append(asked)
        self._send_requests()
        return await asked

    async def close(self) -> None:
        for asked in self._waiting:
            asked.cancel()
        self._waiting.clear()
        if self._zygote is not None:
            self._bury(self._zygote)

    def _send_requests(self) -> None:
        while self._waiting and len(self._in_flight) < MAX_FORKS_IN_FLIGHT:
            asked = self._waiting.popleft()
            if asked.done():
                continue
            host_end, worker_end = connected_pair()
            with worker_end:
                try:
                    control = self._present_zygote().control
                    socket.send_fds(control, [FORK], [worker_end.fileno()])
                except ConnectionError:
                    host_end.close()
                    self._waiting.appendleft(asked)  # the next zygote's, once its end is read
                    return
                except OSError as error:
                    host_end.close()
                    asked.set_exception(EngineError(f"no worker could be started: {error}"))
                    continue
            self._in_flight.append((host_end, asked))

    def _present_zygote(self) -> Zygote:
        if self._zygote is None:
            self._zygote = spawn_zygote()
        if not self._watched:
            self._zygote.control.setblocking(False)
            asyncio.get_running_loop().add_reader(self._zygote.control, self._read_report)
            self._watched = True
        return self._zygote

    def _read_report(self) -> None:
        assert self._zygote is not None
        try:
            data, fds, _, _ = socket.recv_fds(self._zygote.control, 64, 1)
        except BlockingIOError:
            return
        except ConnectionError:
            data, fds = b"", []
        if not data:
            self._replace_zygote()
            return
        report, pid, status = unpack_report(data)
        if report == "ended":
            child = self._children.pop(pid, None)
            if child is not None:
                child.report_end(os.waitstatus_to_exitcode(status))
            return
        self._barren = 0
        host_end, asked = self._in_flight.popleft()
        if report == "failed":
            host_end.close()
            if not asked.done():
                reason = os.strerror(status)
                asked.set_exception(EngineError(f"no worker could be started: {reason}"))
        else:
            self._deliver(ForkedChild(pid, fds[0], host_end), asked)
        self._send_requests()

    def _deliver(self, child: ForkedChild, asked: asyncio.Future[Child]) -> None:
        self._children[child.pid] = child
        if asked.done():
            child.kill()
            child.connection.close()
        else:
            asked.set_result(child)

    def _replace_zygote(self) -> None:
        """The zygote died and its workers with it; ask the next one for what was on its way."""
        assert self._zygote is not None
        logger.warning("the worker zygote (process %d) ended; starting another", self._zygote.pid)
        self._bury(self._zygote)
        for child in self._children.values():
            if not child.ended.done():
                child.ended.set_result("its zygote ended")
        self._children.clear()
        self._barren += 1
        for host_end, asked in reversed(self._in_flight):
            host_end.close()
            self._waiting.appendleft(asked)
        self._in_flight.clear()
        if self._barren > MAX_BARREN_ZYGOTES:
            for asked in self._waiting:
                if not asked.done():
                    asked.set_exception(EngineError("no worker could be started: zygotes die"))
            self._waiting.clear()
        self._send_requests()

    def _bury(self, zygote: Zygote) -> None:
        if self._watched:
            asyncio.get_running_loop().remove_reader(zygote.control)
        zygote.control.close()
        self._zygote, self._watched = None, False
        try:
            os.kill(zygote.pid, signal.SIGKILL)  # our own unreaped child: the pid is its
            os.waitpid(zygote.pid, 0)
        except (ProcessLookupError, ChildProcessError):
            logger.debug("the zygote was reaped by somebody else")
