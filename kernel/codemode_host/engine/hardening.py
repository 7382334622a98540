"""What a worker gives up before it runs a cell, and the report of what it managed to give up.

Each layer is best effort: a kernel or a container may refuse any of them, and the worker says so
in `READY`. None is needed for correctness but `parent-death`, which keeps a killed host from
leaving processes behind.
"""

from __future__ import annotations

import os
import resource
import signal
from itertools import pairwise

ACTIVE = "active"

ADDRESS_SPACE_BYTES = 768 * 1024 * 1024
"""Backstop behind the JavaScript heap limit; an allocation above it fails inside the engine."""

NICENESS = 5
"""A busy cell must not starve the host and the kernel."""


def close_all_but(*fds: int) -> None:
    """Close every descriptor of this process but `fds`."""
    edges = [-1, *sorted({fd for fd in fds if fd >= 0}), os.sysconf("SC_OPEN_MAX")]
    for below, above in pairwise(edges):
        if above > below + 1:  # an empty range at 0 would close everything (CPython 3.11)
            os.closerange(below + 1, above)


def limit_resources() -> None:
    """No core files, no new files, processes or file content, and a bounded address space."""
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


def die_with_parent(parent: int) -> None:
    """Have the kernel kill this process when `parent` dies, and leave if it is gone already."""
    import ctypes

    ctypes.CDLL(None).prctl(1, signal.SIGKILL, 0, 0, 0)
    if os.getppid() != parent:
        os._exit(1)
