"""What can go wrong on either side of the seam between a host and an engine."""

from __future__ import annotations


class FrameError(ValueError):
    """The peer sent bytes that are no frame of this protocol."""


class HostClosed(Exception):
    """The host closed a worker's socket: nobody wants its cell any more."""


class RealmError(Exception):
    """A JavaScript engine could not go on with its cell; the text is the cell's error."""
