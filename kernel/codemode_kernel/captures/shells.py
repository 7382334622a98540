"""The whole outputs of shell commands, over all the calls that read them.

A command has a capture of its own from its first byte on, so whatever its readers leave out or a
flood pushes out between two reads is still there, up to `MOST_BYTES`. Nothing is run again for it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from codemode_host.wire import TextItem

from codemode_kernel.captures.capture import Capture, Snapshot

_PREFIX = "shell-"

MOST_BYTES = 256 * 1024 * 1024
"""Of one command that are kept, its beginning: some print for ever."""

IN_MEMORY = 32
"""Captures of ended commands that are kept in memory."""


def names_shell(word: str) -> bool:
    """Whether it has the form of a command's id, which no cell's id has."""
    return word.startswith(_PREFIX)


@dataclass(eq=False)
class ShellCapture:
    """The `OutputSink` of one command."""

    id: str
    """`shell-1`, `shell-2`, ...: what a person calls it."""
    command: str
    cell_id: str | None
    """The cell whose call started it."""
    capture: Capture
    on_file: Callable[[], None]
    """Called when there is something in a file."""
    session_id: int | None = None

    def take(self, text: str) -> None:
        """More was printed."""
        self.capture.take([TextItem(text)])
        self._tell()

    def shorten(self) -> None:
        """Somebody read less than there was."""
        self.capture.publish()
        self._tell()

    def name(self, session_id: int) -> None:
        """Scripts know it by this id."""
        self.session_id = session_id

    def finish(self) -> None:
        """Nothing is printed any more."""
        self.capture.finish(None)

    def snapshot(self) -> Snapshot:
        """How it stands now."""
        return self.capture.snapshot()

    def _tell(self) -> None:
        if self.capture.is_published:
            self.on_file()


class ShellCaptures:
    """Makes a capture for each command, and finds it again."""

    def __init__(self, new_capture: Callable[[str], Capture], on_file: Callable[[], None]) -> None:
        """`new_capture` is given the beginning of its files' names."""
        self._new_capture = new_capture
        self._on_file = on_file
        self._last_number = 0
        self._kept: dict[str, ShellCapture] = {}

    def begin(self, command: str, cell_id: str | None) -> ShellCapture:
        """Capture what a command prints from now on."""
        self._last_number += 1
        shell_id = f"{_PREFIX}{self._last_number}"
        made = ShellCapture(shell_id, command, cell_id, self._new_capture(shell_id), self._on_file)
        self._kept[shell_id] = made
        self._make_room()
        return made

    def of(self, shell_id: str) -> ShellCapture | None:
        """The one of that id, if it is still kept."""
        return self._kept.get(shell_id)

    def of_session(self, session_id: int) -> ShellCapture | None:
        """The newest one that scripts knew by that id."""
        found = [one for one in self._kept.values() if one.session_id == session_id]
        return found[-1] if found else None

    def in_files(self) -> Sequence[ShellCapture]:
        """Those of which more was printed than somebody got, oldest first."""
        return [one for one in self._kept.values() if one.capture.is_published]

    def reset(self) -> None:
        """Forget all of them; their files are removed by who made them."""
        for one in self._kept.values():
            one.capture.discard()
        self._kept.clear()

    def _make_room(self) -> None:
        small = [
            one.id
            for one in self._kept.values()
            if one.capture.is_over and not one.capture.is_published
        ]
        for shell_id in small[: -IN_MEMORY or None]:
            del self._kept[shell_id]
