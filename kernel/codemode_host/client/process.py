"""A launched host's process, tied to an event loop: its end, its exit status, its last words."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import sys
import threading
from collections import deque

from codemode_host.launch import LaunchedHost

STDERR_LINES = 20
"""Last lines of a host's stderr that are kept for error messages."""


class HostProcess:
    """Owns the process, not its connection: whoever has it closes that, then awaits `end`."""

    def __init__(self, launched: LaunchedHost) -> None:
        """Watch `launched` from the running loop.

        A thread waits for it: the end of the socket alone would not tell, since the host's own
        children may hold that open. Another thread keeps the last lines of stderr.
        """
        self.exited: asyncio.Future[int] = asyncio.get_running_loop().create_future()
        """The exit status, as `Popen.returncode`, once the process is reaped."""
        self._popen = launched.process
        self._last_lines: deque[str] = deque(maxlen=STDERR_LINES)
        self._loop = asyncio.get_running_loop()
        self._stderr_reader = threading.Thread(target=self._keep_stderr, daemon=True)
        self._stderr_reader.start()
        threading.Thread(target=self._wait, daemon=True).start()

    @property
    def pid(self) -> int:
        """Process id, also after the end."""
        return self._popen.pid

    @property
    def last_lines(self) -> str:
        """The last lines the host wrote to stderr."""
        return "\n".join(self._last_lines)

    def _keep_stderr(self) -> None:
        assert self._popen.stderr is not None
        with self._popen.stderr as stderr:
            for line in stderr:
                self._last_lines.append(line.decode(errors="replace").rstrip())

    def _wait(self) -> None:
        status = self._popen.wait()
        self._stderr_reader.join(timeout=0.05)  # its children may keep the pipe open for longer
        # A loop that has closed meanwhile has nobody left to tell.
        with contextlib.suppress(RuntimeError):
            self._loop.call_soon_threadsafe(self._tell, status)

    def _tell(self, status: int) -> None:
        if not self.exited.done():
            self.exited.set_result(status)

    async def end(self, patience_s: float = 5.0) -> int:
        """Wait for the process, which ends when its connection is closed; kill it when it does not.

        Returns its exit status, when it is reaped.
        """
        try:
            return await asyncio.wait_for(asyncio.shield(self.exited), patience_s)
        except TimeoutError:
            self.kill()
            return await self.exited

    def kill(self) -> None:
        """Kill the host and what it started, unless it has ended already."""
        if self._popen.poll() is not None:
            return
        if sys.platform == "win32":
            self._popen.kill()
            return
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.pid, signal.SIGKILL)


def describe_exit(status: int) -> str:
    """How a process ended, from `Popen`'s return code, in the reference's words."""
    if status >= 0:
        return f"exit status: {status}"
    try:
        name = f" ({signal.Signals(-status).name})"
    except ValueError:
        name = ""
    return f"signal: {-status}{name}"
