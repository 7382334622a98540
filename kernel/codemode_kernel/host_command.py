"""Which host runs the cells, and the one that is started before it is needed.

A host takes as long to come up as the kernel's own imports, so it is started before them; by the
time the kernel answers, it is ready. Whether the user wants another host is known only after the
configuration was read: then the early one is ended unused.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass

from codemode_host.errors import HostGone
from codemode_host.launch import LaunchedHost, launch

# -P: a file in the notebook's folder must not be taken for one of our modules.
OWN_HOST = (sys.executable, "-P", "-m", "codemode_host", "--listen", "stdio")
CATCHABLE_EXIT = "--catchable-exit"

_DECIDING_OPTIONS = ("host_command", "exit_is_catchable", "profile")


@dataclass(frozen=True)
class EarlyHost:
    """A host that nobody has asked for yet."""

    command: tuple[str, ...]
    launched: LaunchedHost

    def discard(self) -> None:
        """End it: the configuration wants another one."""
        self.launched.process.kill()
        self.launched.process.wait()
        self.launched.connection.close()


def start_early(arguments: Sequence[str]) -> EarlyHost | None:
    """Start our own host, unless the kernel's `arguments` speak of another one.

    A host that cannot be started is tried again when the first cell needs it, which then says why.
    """
    if any(option in argument for argument in arguments for option in _DECIDING_OPTIONS):
        return None
    try:
        return EarlyHost(OWN_HOST, launch(OWN_HOST))
    except HostGone:
        return None


def command_line(host_command: Sequence[str], exit_is_catchable: bool) -> tuple[str, ...]:
    """The command of the host that the settings ask for.

    A host of somebody else gets the flag for a catchable `exit()`, too, and refuses it when it
    starts: better than cells that silently behave otherwise.
    """
    command = tuple(host_command) or OWN_HOST
    return (*command, CATCHABLE_EXIT) if exit_is_catchable else command
