"""Sees to it that a session's Python ends with its kernel, with everything it has started.

The kernel holds one end of a pipe, the lifeline, for as long as it lives. The guardian is the
process that the kernel starts: `python guardian.py FOLDER CHANNEL LIFELINE`. It forks the Python
proper and from then on only waits. When the lifeline closes, also because the kernel was killed,
it kills what it guards: the Python and every process below it, daemons with a session of their own
included (on Linux, where orphans come back to the guardian). When the Python ends by itself the
same happens, and the guardian ends the way the Python ended.

It is a script that imports next to nothing, since it stays in memory beside the Python.
"""

from __future__ import annotations

import contextlib
import os
import resource
import select
import signal
import sys
from typing import NoReturn

PR_SET_CHILD_SUBREAPER = 36  # linux/prctl.h

MAX_ROUNDS = 1000
"""Orphans are killed as they turn up, a generation a round; a fork bomb is given up on."""


def main() -> None:
    """Split off the guardian, then be the Python proper.

    FOLDER holds the connection file and goes with the process; CHANNEL and LIFELINE are inherited
    descriptors: a connected stream socket for tools and the reading end of the kernel's pipe.
    """
    del sys.path[0]  # this script's folder; cells import from theirs
    folder, channel, lifeline = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    os.set_inheritable(channel, False)
    guard(lifeline, folder)

    from codemode_kernel.python_child.app import serve

    serve(channel, f"{folder}/connection.json")


def guard(lifeline: int, folder: str) -> None:
    """Fork. Returns in the Python proper, leader of a new process group; the guardian stays here.

    `folder`, with its files, is removed at the end.
    """
    guardian = os.getpid()
    python = os.fork()
    if python == 0:
        os.close(lifeline)
        os.setsid()
        os.environ["JPY_PARENT_PID"] = str(guardian)  # ipykernel watches its parent, too
        return
    status = 1
    try:
        _adopt_orphans()
        status = _wait(python, lifeline)
    finally:
        _remove(folder)
        _end_as(status)


def _wait(python: int, lifeline: int) -> int:
    """Wait for either end, kill what is left, and give the wait status of `python`."""
    awake, wake = os.pipe()
    os.set_blocking(wake, False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    signal.set_wakeup_fd(wake)
    _close_all_but(lifeline, awake, wake)
    ended = _reap(os.WNOHANG)
    while python not in ended:
        readable, _, _ = select.select([lifeline, awake], [], [])
        if lifeline in readable:
            break
        os.read(awake, 4096)
        ended |= _reap(os.WNOHANG)
    return (ended | _kill_all(python)).get(python, 1)


def _kill_all(python: int) -> dict[int, int]:
    """Kill the group of `python` and all descendants; gives the wait statuses by pid."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(python, signal.SIGKILL)
    ended: dict[int, int] = {}
    for _ in range(MAX_ROUNDS):
        for child in _children():
            os.kill(child, signal.SIGKILL)  # not reaped yet, so the number is still its own
        found = _reap(0)
        if not found:
            break
        ended |= found
    return ended


def _reap(flags: int) -> dict[int, int]:
    """Wait statuses by pid of the children that have ended; without WNOHANG, of one at least."""
    ended: dict[int, int] = {}
    with contextlib.suppress(ChildProcessError):
        child, status = os.waitpid(-1, flags)
        while child:
            ended[child] = status
            child, status = os.waitpid(-1, os.WNOHANG)
    return ended


def _children() -> list[int]:
    """Direct children of this process, where /proc tells."""
    children = []
    for name in os.listdir("/proc") if os.path.isdir("/proc") else ():
        if not name.isdecimal():
            continue
        with contextlib.suppress(OSError), open(f"/proc/{name}/stat", errors="replace") as stat:
            parent = stat.read().rpartition(")")[2].split()[1]
            if int(parent) == os.getpid():
                children.append(int(name))
    return children


def _remove(folder: str) -> None:
    with contextlib.suppress(OSError):
        for name in os.listdir(folder):
            os.unlink(f"{folder}/{name}")
        os.rmdir(folder)


def _adopt_orphans() -> None:
    """Have orphaned descendants come to this process. Linux alone can do that."""
    with contextlib.suppress(OSError, AttributeError):
        import ctypes  # here: only the guardian pays for it

        ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def _close_all_but(*kept: int) -> None:
    """Close inherited descriptors, so that their other ends see the Python's own end."""
    start = 3
    for number in sorted(kept):
        os.closerange(start, number)
        start = number + 1
    os.closerange(start, os.sysconf("SC_OPEN_MAX"))


def _end_as(status: int) -> NoReturn:
    """End as the process with this wait status ended, so that the kernel learns how."""
    if os.WIFSIGNALED(status):
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        with contextlib.suppress(OSError):  # SIGKILL has no handler to take back
            signal.signal(os.WTERMSIG(status), signal.SIG_DFL)
        os.kill(os.getpid(), os.WTERMSIG(status))
    os._exit(os.waitstatus_to_exitcode(status))


if __name__ == "__main__":
    main()
