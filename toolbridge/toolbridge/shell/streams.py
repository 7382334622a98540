"""The two streams that a command prints to."""

from __future__ import annotations

from enum import Enum


class Stream(Enum):
    """In the order in which they are read when something waits in both."""

    STDOUT = "stdout"
    """What comes from a terminal, too, which is one stream."""
    STDERR = "stderr"
