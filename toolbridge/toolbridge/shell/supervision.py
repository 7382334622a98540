"""This side of the supervisor: starts it, asks it for processes, hears what becomes of them."""

from __future__ import annotations

import asyncio
import itertools
import json
import os
import signal
import socket
import subprocess
import sys
from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from toolbridge.errors import OutcomeUnknownError

SCRIPT = Path(__file__).with_name("supervisor.py")

END_DEADLINE_S = 5.0
"""For the supervisor to end everything after the channel closed; it needs about one second."""

READ_BYTES = 64 * 1024


class Process:
    """One started command, as its supervisor tells of it."""

    def __init__(self, number: int, on_change: Callable[[], None]) -> None:
        self.number = number
        self.pid = 0
        """Process id, and id of its group."""
        self.exit_code: int | None = None
        """Of the first process; 128 + N when signal N ended it. None while it runs."""
        self.is_gone = False
        """Nothing is left of its group."""
        self.is_lost = False
        """The supervisor ended first, so nobody knows the exit code."""
        self._on_change = on_change

    def settle(self, event: Mapping[str, Any]) -> None:
        """Take in what the supervisor said."""
        if event["event"] == "exited":
            self.exit_code = _exit_code(event["status"])
        elif event["event"] == "gone":
            self.is_gone = True
        self._on_change()

    def lose(self) -> None:
        """The supervisor is gone: end what is left of the group, as far as it can be reached."""
        if not self.is_gone:
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(self.pid, signal.SIGKILL)
            self.is_gone = self.is_lost = True
        self._on_change()


class Supervision:
    """One supervisor process and the channel to it. Used from one event loop."""

    def __init__(self) -> None:
        """Start the supervisor. Raises `OSError`."""
        self._loop = asyncio.get_running_loop()
        self._channel, theirs = socket.socketpair()
        with theirs:
            self._process = subprocess.Popen(
                [sys.executable, "-I", "-S", str(SCRIPT), str(theirs.fileno())],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                pass_fds=[theirs.fileno()],
                start_new_session=True,  # what is sent to the kernel's group is not for it
                cwd="/",
            )
        self._channel.setblocking(False)
        self._numbers = itertools.count(1)
        self._processes: dict[int, Process] = {}
        self._starting: dict[int, asyncio.Future[Mapping[str, Any]]] = {}
        self._unsent: deque[tuple[bytes, list[int]]] = deque()
        """Lines, and the descriptors that go with their first byte."""
        self._received = bytearray()
        self._is_closing = False
        self._ended = asyncio.Event()
        self._loop.add_reader(self._channel, self._read)

    @property
    def is_alive(self) -> bool:
        """Whether it can still start processes."""
        return not self._is_closing and not self._ended.is_set()

    async def start(
        self,
        argv: Sequence[str],
        cwd: str,
        env: Mapping[str, str],
        descriptors: tuple[int, int, int],
        on_change: Callable[[], None],
        *,
        is_terminal: bool = False,
    ) -> Process:
        """Start a process on (stdin, stdout, stderr) descriptors, which stay the caller's.

        With `is_terminal` all are one terminal, which will be the process's own.

        `on_change` is called when something about it has changed. Raises `OSError` when it cannot
        run, `OutcomeUnknownError` when the supervisor ended meanwhile. A cancelled start leaves
        nothing running.
        """
        if not self.is_alive:
            raise lost()
        process = Process(next(self._numbers), on_change)
        answer = self._starting[process.number] = self._loop.create_future()
        self._processes[process.number] = process
        message = {"op": "start", "argv": argv, "cwd": cwd, "env": dict(env), "tty": is_terminal}
        try:
            self._post(process.number, message, descriptors)
            event = await answer
        except asyncio.CancelledError:
            self.stop(process, 0)
            raise
        finally:
            del self._starting[process.number]
        if event["event"] == "failed":
            raise OSError(event["errno"], os.strerror(event["errno"]))
        return process

    def stop(self, process: Process, grace_s: float) -> None:
        """SIGTERM to the group now, SIGKILL after `grace_s` seconds to whatever is left."""
        if self.is_alive and not process.is_gone:
            self._post(process.number, {"op": "stop", "grace_s": grace_s})

    async def close(self) -> None:
        """End every process and the supervisor; what is not gone then is killed."""
        self._is_closing = True
        if not self._ended.is_set():
            with suppress(OSError):
                self._channel.shutdown(socket.SHUT_WR)
            with suppress(TimeoutError):
                await asyncio.wait_for(self._ended.wait(), END_DEADLINE_S)
        if not self._ended.is_set():
            self._process.kill()
            self._lose_everything()
        self._process.wait()  # its end of the channel is closed: it is about to exit

    def _post(
        self, number: int, message: Mapping[str, Any], descriptors: Iterable[int] = ()
    ) -> None:
        """Send as soon as there is room, whole and in order, whoever is cancelled meanwhile."""
        line = json.dumps({"id": number, **message}).encode() + b"\n"
        self._unsent.append((line, [os.dup(descriptor) for descriptor in descriptors]))
        self._send_waiting()

    def _send_waiting(self) -> None:
        self._loop.remove_writer(self._channel)
        while self._unsent:
            line, descriptors = self._unsent.popleft()
            try:
                sent = socket.send_fds(self._channel, [line], descriptors)
            except BlockingIOError:
                self._unsent.appendleft((line, descriptors))
                self._loop.add_writer(self._channel, self._send_waiting)
                return
            except OSError:
                _close_all(descriptors)
                self._lose_everything()
                return
            _close_all(descriptors)
            if sent < len(line):
                self._unsent.appendleft((line[sent:], []))

    def _read(self) -> None:
        try:
            data = self._channel.recv(READ_BYTES)
        except BlockingIOError:
            return
        except OSError:
            data = b""
        if not data:
            self._lose_everything()
            return
        self._received += data
        *lines, rest = bytes(self._received).split(b"\n")
        self._received[:] = rest
        for line in lines:
            self._hear(json.loads(line))

    def _hear(self, event: Mapping[str, Any]) -> None:
        process = self._processes[event["id"]]
        if event["event"] in {"failed", "gone"}:
            del self._processes[process.number]
        if event["event"] in {"started", "failed"}:
            process.pid = event.get("pid", 0)
            answer = self._starting.get(process.number)
            if answer is not None and not answer.done():
                answer.set_result(event)
        else:
            process.settle(event)

    def _lose_everything(self) -> None:
        if self._ended.is_set():
            return
        self._ended.set()
        self._loop.remove_reader(self._channel)
        self._loop.remove_writer(self._channel)
        self._channel.close()
        for _, descriptors in self._unsent:
            _close_all(descriptors)
        self._unsent.clear()
        for answer in self._starting.values():
            if not answer.done():
                answer.set_exception(lost())
        processes, self._processes = self._processes, {}
        for process in processes.values():
            if process.pid:
                process.lose()


def lost() -> OutcomeUnknownError:
    """The error of a command that went down with its supervisor."""
    return OutcomeUnknownError(
        "the command was lost: the shell supervisor has ended, so what it did is unknown"
    )


def _close_all(descriptors: Iterable[int]) -> None:
    for descriptor in descriptors:
        os.close(descriptor)


def _exit_code(status: int) -> int:
    """What a shell would have in `$?`."""
    code = os.waitstatus_to_exitcode(status)
    return code if code >= 0 else 128 - code
