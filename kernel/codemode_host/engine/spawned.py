"""Workers started as interpreters of their own, where fork is not safe: about 40 ms each."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import socket

from codemode_host.engine.interpreter import command, environment
from codemode_host.engine.launcher import Child, Launcher, connected_pair
from codemode_host.errors import EngineError

CLOSE_TIMEOUT_S = 5.0


class SpawnedChild(Child):
    """A child of this process, reaped by asyncio."""

    def __init__(self, process: asyncio.subprocess.Process, connection: socket.socket) -> None:
        super().__init__(process.pid, connection)
        self._process = process

    def kill(self) -> None:
        # `Process.kill` looks whether the process has ended, and reaps it behind asyncio's back.
        if self._process.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                os.kill(self.pid, signal.SIGKILL)

    async def reap(self) -> None:
        self.report_end(await self._process.wait())


class SpawnLauncher(Launcher):
    """Starts one interpreter for each worker."""

    def __init__(self) -> None:
        self._reapers: set[asyncio.Task[None]] = set()

    async def launch(self) -> Child:
        host_end, worker_end = connected_pair()
        with worker_end:
            fd = worker_end.fileno()
            statement = (
                "from codemode_host.engine.quickjs.worker import run_worker; "
                f"run_worker({fd}, {os.getpid()})"
            )
            try:
                process = await asyncio.create_subprocess_exec(
                    *command(statement),
                    pass_fds=[fd],
                    env=environment(),
                    stdin=asyncio.subprocess.DEVNULL,
                    stdout=asyncio.subprocess.DEVNULL,
                )
            except OSError as error:
                host_end.close()
                raise EngineError(f"no worker could be started: {error}") from error
        child = SpawnedChild(process, host_end)
        reaper = asyncio.create_task(child.reap())
        self._reapers.add(reaper)
        reaper.add_done_callback(self._reapers.discard)
        return child

    async def close(self) -> None:
        if self._reapers:
            await asyncio.wait(self._reapers, timeout=CLOSE_TIMEOUT_S)
