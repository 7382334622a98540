"""What a worker gives up before it runs a cell, and the report of what it managed to give up.

Each layer is best effort: a kernel or a container may refuse any of them, and the worker says so
in `READY`. What children inherit is done once, by the zygote; order matters,
since the later layers forbid what the earlier ones need.
"""

from __future__ import annotations

import os
import resource
import signal
import sys
import time
from collections.abc import Callable, Iterator
from itertools import pairwise

if sys.platform == "linux":  # at the top: a process behind the locks can import nothing
    from codemode_host.engine.hardening import landlock, linux, seccomp

ACTIVE = "active"

ADDRESS_SPACE_BYTES = 768 * 1024 * 1024
"""Backstop behind the JavaScript heap limit; an allocation above it fails inside the engine."""

PROCESS_STACK_BYTES = 64 * 1024 * 1024
"""Limit of the process's stack; pages of it are taken as they are used."""

NICENESS = 5
"""Neither a busy cell nor the making of spare workers must starve the host and the kernel."""


def harden_for_good() -> dict[str, str]:
    """Apply the layers that children inherit, so that a zygote applies them once; the report."""
    if sys.platform == "linux":
        seccomp.prepare()
    return _apply(_inherited_layers())


def harden_worker(parent: int) -> dict[str, str]:
    """Apply the layers that each child of `parent` needs for itself; the report."""
    return _apply(_own_layers(parent))


def close_all_but(*fds: int) -> None:
    """Close every descriptor of this process but `fds`."""
    edges = [-1, *sorted({fd for fd in fds if fd >= 0}), os.sysconf("SC_OPEN_MAX")]
    for below, above in pairwise(edges):
        if above > below + 1:  # an empty range at 0 would close everything (CPython 3.11)
            os.closerange(below + 1, above)


def die_with_parent(parent: int) -> None:
    """Have this process killed when `parent` dies, and leave if that happened already."""
    if sys.platform == "linux":
        linux.prctl(linux.PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:
        os._exit(1)


def forget_environment() -> None:
    """Keep the time zone and no other variable."""
    for name in set(os.environ) - {"TZ"}:
        del os.environ[name]


def read_time_zone() -> None:
    """Have the C library read the zone's file, while there is a file system."""
    time.tzset()
    time.localtime()


def widen_stack() -> int:
    """Raise the limit of this process's stack as far as it may; the limit, in bytes."""
    soft, hard = resource.getrlimit(resource.RLIMIT_STACK)
    if sys.platform != "linux":  # elsewhere the size is fixed when a program starts
        return soft
    wanted = (
        PROCESS_STACK_BYTES if hard == resource.RLIM_INFINITY else min(PROCESS_STACK_BYTES, hard)
    )
    if soft == resource.RLIM_INFINITY or soft > wanted:
        return wanted
    resource.setrlimit(resource.RLIMIT_STACK, (wanted, hard))
    return wanted


def _inherited_layers() -> Iterator[tuple[str, Callable[[], object]]]:
    yield "environment", forget_environment
    yield "niceness", lambda: os.nice(NICENESS)
    if sys.platform == "linux":
        yield "undumpable", lambda: linux.prctl(linux.PR_SET_DUMPABLE, 0)
        yield "no-new-privileges", lambda: linux.prctl(linux.PR_SET_NO_NEW_PRIVS, 1)
        yield "landlock", landlock.deny_everything


def _own_layers(parent: int) -> Iterator[tuple[str, Callable[[], object]]]:
    yield "parent-death", lambda: die_with_parent(parent)
    yield "limits", _limit_resources
    if sys.platform == "linux":
        yield "seccomp", seccomp.allow_only_what_a_worker_needs


def _apply(layers: Iterator[tuple[str, Callable[[], object]]]) -> dict[str, str]:
    return {name: _attempt(layer) for name, layer in layers}


def _attempt(layer: Callable[[], object]) -> str:
    try:
        layer()
    except (OSError, ValueError) as error:
        return str(error)
    return ACTIVE


def _limit_resources() -> None:
    """No core files, no file content, no new descriptors or processes, a bounded address space."""
    for limit, value in (
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_FSIZE, 0),
        (resource.RLIMIT_NOFILE, 1),
        (resource.RLIMIT_NPROC, 0),
        (resource.RLIMIT_AS, ADDRESS_SPACE_BYTES),
    ):
        _, hard = resource.getrlimit(limit)
        bound = value if hard == resource.RLIM_INFINITY else min(value, hard)
        resource.setrlimit(limit, (bound, bound))
