"""The process that all shell commands are children of. Run as a script: `supervisor.py FD`.

It knows nothing but this file and the standard library, so that it is small and starts fast. FD is
a stream socket; a message is one line of JSON.

    {"op": "start", "id", "argv", "cwd", "env", "tty"}
                                                  with three descriptors: stdin, stdout, stderr;
                                                  they may be one terminal
    {"op": "stop", "id", "grace_s"}               SIGTERM to the group, later SIGKILL
    {"id", "event": "started", "pid"}             the process leads a session and a group of its own
    {"id", "event": "failed", "errno"}            nothing runs
    {"id", "event": "exited", "status"}           wait status of the first process
    {"id", "event": "gone"}                       and nothing is left of its group, nor, after a
                                                  stop, of what had left the group

When the socket closes, everything below this process is ended: groups first, then, on Linux, also
processes that left their group, since those come back here as orphans.
"""

from __future__ import annotations

import contextlib
import ctypes
import fcntl
import json
import os
import select
import signal
import socket
import sys
import termios
import time
from collections.abc import Iterator
from typing import Any, NamedTuple, NoReturn

PROBE_S = 0.05
"""Pause between two looks at a group whose first process has ended: others in it end unseen."""

FAREWELL_S = 1.0
"""From SIGTERM to SIGKILL when the kernel is gone."""

MAX_ROUNDS = 1000
"""Orphans are killed as they turn up, a generation a round; a fork bomb is given up on."""

STREAMS = 3
"""Descriptors that come with a start."""

READ_BYTES = 256 * 1024
PR_SET_PDEATHSIG = 1  # linux/prctl.h
PR_SET_CHILD_SUBREAPER = 36
ON_LINUX = sys.platform == "linux"
LIBC = ctypes.CDLL(None)


class Command(NamedTuple):
    """What a process is to become."""

    argv: list[str]
    cwd: str
    env: dict[str, str]
    tty: bool
    """Whether its stdin is a terminal, which will be its own."""


class Job:
    """One command."""

    def __init__(self, number: int, pid: int) -> None:
        self.number = number
        self.pid = pid
        """Of the first process; also the id of its group."""
        self.has_exited = False
        self.kill_at: float | None = None
        """Monotonic time of the SIGKILL that follows a stop."""
        self.family: set[int] = set()
        """Every process seen in the group, and below it, since the stop was asked for."""


class Supervisor:
    """Starts commands, reaps them, stops them."""

    def __init__(self, channel: socket.socket) -> None:
        self._channel = channel
        self._jobs: dict[int, Job] = {}
        self._received = bytearray()
        self._descriptors: list[int] = []
        self._awake, wake = os.pipe()
        os.set_blocking(self._awake, False)
        os.set_blocking(wake, False)
        signal.signal(signal.SIGCHLD, lambda *_: None)
        signal.set_wakeup_fd(wake, warn_on_full_buffer=False)

    def run(self) -> None:
        """Serve until the other side is gone, then end everything."""
        try:
            while self._serve_once():
                self._reap()
                self._kill_overdue()
                self._report_gone()
        except OSError:
            pass  # a broken socket is a closed one
        self._end_everything()

    def _serve_once(self) -> bool:
        """Wait for something to do; False when the channel has closed."""
        channel = self._channel.fileno()
        readable, _, _ = select.select([channel, self._awake], [], [], self._pause())
        if self._awake in readable:
            with contextlib.suppress(BlockingIOError):
                os.read(self._awake, 4096)
        if channel not in readable:
            return True
        data, descriptors, _, _ = socket.recv_fds(self._channel, READ_BYTES, 16)
        for descriptor in descriptors:
            os.set_inheritable(descriptor, False)
        self._descriptors += descriptors
        self._received += data
        *lines, rest = bytes(self._received).split(b"\n")
        self._received[:] = rest
        for line in lines:
            self._handle(json.loads(line))
        return bool(data)

    def _pause(self) -> float | None:
        """Seconds until there is something to do that nobody tells of."""
        times = [job.kill_at - time.monotonic() for job in self._jobs.values() if job.kill_at]
        if any(job.has_exited for job in self._jobs.values()):
            times.append(PROBE_S)
        return max(0.0, min(times)) if times else None

    def _handle(self, message: dict[str, Any]) -> None:
        number = message["id"]
        if message["op"] == "start":
            try:
                pid = self._start(message)
            except OSError as error:
                self._tell(number, event="failed", errno=error.errno)
            else:
                self._jobs[number] = Job(number, pid)
                self._tell(number, event="started", pid=pid)
        elif number in self._jobs:
            self._stop(self._jobs[number], message["grace_s"])

    def _start(self, message: dict[str, Any]) -> int:
        """Start a process; it alone has its ends of the pipes before anybody hears of it."""
        standard = [self._descriptors.pop(0) for _ in range(STREAMS)]
        try:
            fields = {name: message[name] for name in Command._fields}
            return start(Command(**fields), standard)
        finally:
            for descriptor in standard:
                os.close(descriptor)

    def _stop(self, job: Job, grace_s: float) -> None:
        if job.kill_at is None:
            group = {pid for pid in descendants(os.getpid()) if in_group(pid, job.pid)}
            job.family = group | descendants(job.pid)
            signal_group(job.pid, signal.SIGTERM)
            for pid in strays(job):  # looked for last: what leaves its group now has had the signal
                signal_process(pid, signal.SIGTERM)
        job.kill_at = min(job.kill_at or float("inf"), time.monotonic() + grace_s)

    def _kill_overdue(self) -> None:
        now = time.monotonic()
        for job in self._jobs.values():
            if job.kill_at is not None and job.kill_at <= now:
                for pid in strays(job):
                    signal_process(pid, signal.SIGKILL)
                signal_group(job.pid, signal.SIGKILL)
                job.kill_at = now + PROBE_S  # once more for what was forked meanwhile

    def _reap(self) -> None:
        leaders = {job.pid: job for job in self._jobs.values() if not job.has_exited}
        for pid, status in reaped():
            if pid in leaders:
                leaders[pid].has_exited = True
                self._tell(leaders[pid].number, event="exited", status=status)

    def _report_gone(self) -> None:
        for job in [job for job in self._jobs.values() if job.has_exited]:
            if not group_exists(job.pid) and not strays(job):
                del self._jobs[job.number]
                self._tell(job.number, event="gone")

    def _tell(self, number: int, **event: object) -> None:
        self._channel.sendall(json.dumps({"id": number, **event}).encode() + b"\n")

    def _end_everything(self) -> None:
        for job in self._jobs.values():
            signal_group(job.pid, signal.SIGTERM)
        for pid in descendants(os.getpid()):
            signal_process(pid, signal.SIGTERM)
        deadline = time.monotonic() + FAREWELL_S
        while self._anything_left() and time.monotonic() < deadline:
            select.select([self._awake], [], [], PROBE_S)
        for _ in range(MAX_ROUNDS):
            if not self._anything_left():
                break
            for job in self._jobs.values():
                signal_group(job.pid, signal.SIGKILL)
            for pid in descendants(os.getpid()):
                signal_process(pid, signal.SIGKILL)
            select.select([self._awake], [], [], PROBE_S / 10)

    def _anything_left(self) -> bool:
        with contextlib.suppress(BlockingIOError):
            os.read(self._awake, 4096)
        for _ in reaped():
            pass
        return bool(descendants(os.getpid())) or any(
            group_exists(job.pid) for job in self._jobs.values()
        )


def start(command: Command, standard: list[int]) -> int:
    """Start a process that leads a session of its own; raises what keeps it from running.

    `standard` are its stdin, stdout and stderr.
    """
    report, reporting = os.pipe()
    with open(report, "rb") as lines:
        try:
            pid = os.fork()
            if pid == 0:
                become(command, standard, reporting)
        finally:
            os.close(reporting)
        problem = lines.read()  # ends when the program has taken over, or with an errno
    if problem:
        os.waitpid(pid, 0)
        raise OSError(int(problem), os.strerror(int(problem)))
    return pid


def become(command: Command, standard: list[int], reporting: int) -> NoReturn:
    """Turn this forked process into the command."""
    try:
        os.setsid()
        if ON_LINUX:
            prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
        for target, source in enumerate(standard):
            os.dup2(source, target)
        if command.tty:
            fcntl.ioctl(0, termios.TIOCSCTTY, 0)
        for ignored in (signal.SIGPIPE, signal.SIGXFSZ, signal.SIGINT, signal.SIGQUIT):
            signal.signal(ignored, signal.SIG_DFL)
        os.chdir(command.cwd)
        os.execvpe(command.argv[0], command.argv, command.env)
    except OSError as error:
        os.write(reporting, str(error.errno).encode())
    finally:
        os._exit(127)


def reaped() -> Iterator[tuple[int, int]]:
    """(pid, wait status) of every child, adopted ones included, that has ended."""
    with contextlib.suppress(ChildProcessError):
        while (ended := os.waitpid(-1, os.WNOHANG))[0]:
            yield ended


def strays(job: Job) -> set[int]:
    """The processes of a job told to stop that live outside its group."""
    if not job.family:
        return set()
    # One that has ended may have given its number to a process that is nobody's here.
    ours = descendants(os.getpid())
    job.family |= descendants(*job.family & ours)
    return {pid for pid in job.family & ours if not in_group(pid, job.pid)}


def descendants(*ancestors: int) -> set[int]:
    """Every process below `ancestors`, unreaped ones too; empty where there is no /proc."""
    children: dict[int, list[int]] = {}
    for name in os.listdir("/proc") if ON_LINUX else ():
        if name.isdigit():
            with contextlib.suppress(OSError), open(f"/proc/{name}/stat", "rb") as stat:
                # The name in parentheses may hold anything, also parentheses.
                parent = stat.read().rpartition(b")")[2].split()[1]
                children.setdefault(int(parent), []).append(int(name))
    found: set[int] = set()
    ahead = list(ancestors)
    while ahead:
        below = children.get(ahead.pop(), [])
        found.update(below)
        ahead += below
    return found


def in_group(pid: int, group: int) -> bool:
    """Whether the process is in that group."""
    try:
        return os.getpgid(pid) == group
    except ProcessLookupError:
        return False


def group_exists(group: int) -> bool:
    """Whether a process of the group is left."""
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True  # it runs as somebody else
    return True


def signal_group(group: int, number: int) -> None:
    """Send a signal to a group, which may be gone."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(group, number)


def signal_process(pid: int, number: int) -> None:
    """Send a signal to a process, which may be gone."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.kill(pid, number)


def prctl(option: int, value: int) -> None:
    """Set an attribute of this process (Linux)."""
    LIBC.prctl(option, value, 0, 0, 0)


def main() -> None:
    """Supervise until the socket, named by its descriptor, closes."""
    if ON_LINUX:
        prctl(PR_SET_CHILD_SUBREAPER, 1)
    with socket.socket(fileno=int(sys.argv[1])) as channel:
        channel.set_inheritable(False)  # no command may hold it open, let alone use it
        Supervisor(channel).run()


if __name__ == "__main__":
    main()
