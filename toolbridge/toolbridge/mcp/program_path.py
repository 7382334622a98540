"""Where the program of a server is looked for."""

from __future__ import annotations

import os
import sys
import sysconfig


def program_path() -> str:
    """PATH, with the programs of this Python's own environment before it unless they are on it.

    A server that was installed beside the kernel is found in an environment that nobody has
    activated, and `python` is the one that has the kernel's packages.
    """
    inherited = os.environ.get("PATH") or os.defpath
    own = sysconfig.get_path("scripts") or os.path.dirname(sys.executable)
    if own in inherited.split(os.pathsep):
        return inherited
    return os.pathsep.join((own, inherited))
