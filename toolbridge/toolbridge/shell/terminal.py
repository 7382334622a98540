"""A terminal for one command: a pair of descriptors that the system's line discipline joins."""

from __future__ import annotations

import os
import termios

ROWS, COLUMNS = 24, 80
"""The size that a command sees; nobody looks at a real window."""


def open_terminal() -> tuple[int, int]:
    """(our end, the command's end), neither inherited by other commands. Raises `OSError`."""
    ours, theirs = os.openpty()
    termios.tcsetwinsize(theirs, (ROWS, COLUMNS))
    return ours, theirs
