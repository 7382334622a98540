"""Where the whole output of a command may go, beside those who read it."""

from __future__ import annotations

from typing import Protocol

from toolbridge.shell.streams import Stream


class OutputSink(Protocol):
    """Takes the output of one command as it comes. Nothing here raises or waits."""

    def take(self, text: str, stream: Stream) -> None:
        """More was printed."""

    def shorten(self) -> None:
        """Somebody read less than there was."""

    def name(self, session_id: int) -> None:
        """The command outlived its call; scripts know it by this id."""

    def finish(self) -> None:
        """Nothing is printed any more."""


class NoSink:
    """Keeps nothing."""

    def take(self, text: str, stream: Stream) -> None:
        """Nobody wants it."""

    def shorten(self) -> None:
        """What was left out is lost."""

    def name(self, session_id: int) -> None:
        """There is nothing to be named."""

    def finish(self) -> None:
        """Nothing was kept."""
