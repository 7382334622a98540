"""One `write_stdin`: sends, then waits for its turn to read."""

from __future__ import annotations

import asyncio
import time

from toolbridge.json_values import JsonValue
from toolbridge.shell.arguments import WriteStdin
from toolbridge.shell.errors import ShellError, ShellFault
from toolbridge.shell.input_pipe import (
    MAX_CALLS,
    MAX_WAITING,
    Delivery,
    StdinBrokenError,
    StdinClosedError,
    StdinOverloadError,
)
from toolbridge.shell.results import result, unread_result
from toolbridge.shell.sessions import ShellSessions, stale

ENDING_S = 2.0
"""How long a command that reads no more may take to be over before that is an error, in seconds."""

OVERDUE_POLL_S = 5.0
"""Longest wait for a command that should have ended by now, in seconds."""


class Exchange:
    """What one call has to do with one command.

    Input and stop never wait for another reader; output is read by one call at a time.
    """

    def __init__(self, sessions: ShellSessions, write: WriteStdin) -> None:
        """Find the command; raises `ShellError`."""
        self._started = time.monotonic()
        self._sessions = sessions
        self._write = write
        self._job = sessions.find(write.session_id)
        self._delivery: Delivery | None = None
        self._was_over = self._job.is_over

    async def run(self) -> dict[str, JsonValue]:
        """Send, wait, read. Cancelled, it leaves the output to the next reader.

        Raises `ShellError`, and `OutcomeUnknownError` for a command that was lost.
        """
        if self._write.terminate:
            self._job.stop()
        if self._write.chars and not self._was_over:
            await self._send()
        if self._write.close_stdin:
            self._job.input.finish()
        try:
            return await self._observe()
        finally:
            if self._delivery is not None:
                self._job.input.forget(self._delivery)

    async def _send(self) -> None:
        """Send `chars`; without an error, and without a delivery, when the command has just ended.

        A command that ends closes its stdin a moment before its end is known here.
        """
        stdin = self._job.input
        try:
            self._delivery = stdin.send(self._write.chars.encode())
        except StdinOverloadError:
            raise _overload() from None
        except StdinClosedError:
            if stdin.is_finished or not await self._job.wait(ENDING_S):
                raise _closed() from None
        except StdinBrokenError:
            if not await self._job.wait(ENDING_S):
                raise _failed() from None

    async def _observe(self) -> dict[str, JsonValue]:
        session_id = self._write.session_id
        if not await self._has_turn():
            return unread_result(self._job, session_id, self._started) | self._arrival()
        try:
            if self._sessions.find(session_id) is not self._job:
                raise stale(session_id)
            await self._job.wait(self._time_left(), unless=self._has_failed)
            if self._has_failed():
                await self._job.wait(ENDING_S)
            return self._read()
        finally:
            self._job.observer.release()

    async def _has_turn(self) -> bool:
        """Wait to be the one who reads; False when the time is up before."""
        try:
            async with asyncio.timeout(self._time_left()):
                await self._job.observer.acquire()
        except TimeoutError:
            return False
        return True

    def _read(self) -> dict[str, JsonValue]:
        session_id: int | None = self._write.session_id
        if self._job.is_over:
            self._sessions.end(self._write.session_id)
            session_id = None
        elif self._has_failed():
            raise _failed()
        read = result(self._job, session_id, self._started, self._write.max_output_tokens)
        return read | self._arrival()

    def _has_failed(self) -> bool:
        return self._delivery is not None and self._job.input.has_failed(self._delivery)

    def _time_left(self) -> float:
        """Seconds. Who looks at a command that should have ended is not kept waiting for long."""
        until = self._started + self._write.yield_time_ms / 1000
        confirmed_by = self._job.confirmed_by
        if confirmed_by is not None and self._write.terminate:
            until = confirmed_by
        elif confirmed_by is not None:
            until = min(until, max(confirmed_by, self._started + OVERDUE_POLL_S))
        return max(0.0, until - time.monotonic())

    def _arrival(self) -> dict[str, JsonValue]:
        """What is said when the pipe has not taken all of the input."""
        if not self._write.chars:
            return {}
        if self._was_over:
            return {"input_delivery": "not_sent"}
        if self._delivery is None or not self._job.input.has_arrived(self._delivery):
            return {"input_delivery": "unknown"}
        return {}


def _overload() -> ShellError:
    return ShellError(
        ShellFault.STDIN_OVERLOAD,
        "write_stdin failed: nothing was sent, since the command does not read its stdin; at most "
        f"{MAX_WAITING} bytes of {MAX_CALLS} calls can wait",
    )


def _closed() -> ShellError:
    return ShellError(
        ShellFault.STDIN_CLOSED,
        "write_stdin failed: nothing was sent, since the stdin of the command was closed before",
    )


def _failed() -> ShellError:
    return ShellError(
        ShellFault.STDIN_FAILED,
        "write_stdin failed: the command has closed its stdin; how much it read is unknown",
    )
