"""Ports for the kernels of tests.

Those that the system gives to whoever asks may be another's by the time a kernel has started: tests
open many connections. So each worker of pytest has a range of its own, below the system's, and begins
anywhere in it, since another run of the tests on this machine has the same ranges.
"""

import itertools
import os
import random
import socket
from collections.abc import Iterator

FIRST = 12_000
EACH = 2_000
"""Ports of one worker; enough that one which was just closed is not soon used again."""

CHANNELS = ("shell", "iopub", "stdin", "control", "hb")


def _of_this_worker() -> Iterator[int]:
    number = int(os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw")) % 8
    first = FIRST + number * EACH
    begin = random.randrange(EACH)
    return itertools.cycle(first + (begin + step) % EACH for step in range(EACH))


_PORTS = _of_this_worker()


def kernel_ports() -> dict[str, int]:
    """A free port for each channel of one kernel, as `KernelManager` takes them."""
    return {f"{channel}_port": next(filter(_is_free, _PORTS)) for channel in CHANNELS}


def _is_free(port: int) -> bool:
    with socket.socket() as probe:
        try:
            probe.bind(("127.0.0.1", port))
        except OSError:
            return False
    return True
