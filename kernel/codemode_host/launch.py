"""Launches a host process: any program that speaks protocol V1 on its stdin and stdout.

A host can be launched before there is an event loop, even before the imports that make one: it
then starts while its client does. So this module imports little; `client.process` does the rest.
"""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from codemode_host.errors import HostGone

SOCKET_BYTES = 256 * 1024
"""Buffer of the socket in each direction; the default costs wake-ups."""

# What an interpreter or a foreign binary needs to start, and the user's time zone and language.
# Nothing else goes along: a script must not see the user's secrets even if it broke out.
_KEPT_VARIABLES = [
    "HOME",
    "LANG",
    "LC_ALL",
    "LC_CTYPE",
    "LD_LIBRARY_PATH",
    "DYLD_LIBRARY_PATH",
    "PATH",
    "PYTHONHOME",
    "PYTHONPATH",
    "SYSTEMROOT",
    "TEMP",
    "TMP",
    "TMPDIR",
    "TZ",
    "TZDIR",
]


@dataclass(frozen=True)
class LaunchedHost:
    """A host that was started and that nobody talks to yet."""

    process: subprocess.Popen[bytes]
    """Leads a process group of its own; its stderr is a pipe."""
    connection: socket.socket
    """The client's end of the socket on the host's stdin and stdout."""


def launch(command: Sequence[str]) -> LaunchedHost:
    """Start `command` with a clean environment, out of reach of the console's SIGINT.

    Raises `HostGone` when the program is not there or cannot be executed.
    """
    ours, theirs = socket.socketpair()
    for end in (ours, theirs):
        end.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SOCKET_BYTES)
    try:
        with theirs, _sigint_blocked():
            process = subprocess.Popen(
                command,
                stdin=theirs.fileno(),
                stdout=theirs.fileno(),
                stderr=subprocess.PIPE,
                env=clean_environment(os.environ),
                process_group=0,
            )
    except OSError as error:
        ours.close()
        missing = isinstance(error, FileNotFoundError)
        reason = "host executable was not found" if missing else error.strerror
        raise HostGone(f"failed to spawn code-mode host {command[0]}: {reason}") from error
    return LaunchedHost(process, ours)


def clean_environment(environment: Mapping[str, str]) -> dict[str, str]:
    """The part of `environment` that a host is given."""
    return {name: environment[name] for name in _KEPT_VARIABLES if name in environment}


@contextlib.contextmanager
def _sigint_blocked() -> Iterator[None]:
    """Children started meanwhile never see SIGINT: a signal mask is inherited, a handler is not.

    The Codex host dies of SIGINT, which a console sends to everybody at once.
    """
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    previous = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, previous)
