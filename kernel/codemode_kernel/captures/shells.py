"""The whole outputs of shell commands, over all the calls that read them.

Each stream of a command has a capture of its own from its first byte on, so whatever its readers
leave out or a flood pushes out between two reads is still there, up to `MOST_BYTES`. Nothing is run
again for it. `shell-3` names what both got, in the order it came, `shell-3.stderr` one of them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from codemode_host.wire import TextItem
from toolbridge.shell.streams import Stream

from codemode_kernel.captures.capture import Capture
from codemode_kernel.captures.merged import Merged, Readable

_PREFIX = "shell-"

MOST_BYTES = 256 * 1024 * 1024
"""Of one stream that are kept, its beginning: some commands print for ever."""

IN_MEMORY = 32
"""Captures of ended commands that are kept in memory."""


def names_shell(word: str) -> bool:
    """Whether it begins as a command's id, which no cell's id does."""
    return word.startswith(_PREFIX)


@dataclass(eq=False)
class ShellCapture:
    """The `OutputSink` of one command."""

    id: str
    """`shell-1`, `shell-2`, ...: what a person calls it."""
    command: str
    cell_id: str | None
    """The cell whose call started it."""
    streams: Mapping[Stream, Capture]
    on_file: Callable[[], None]
    """Called when there is something in a file."""
    session_id: int | None = None
    merged: Merged = field(init=False)
    """What both streams got."""

    def __post_init__(self) -> None:
        self.merged = Merged(self.streams)

    def take(self, text: str, stream: Stream) -> None:
        """More was printed."""
        self.streams[stream].take([TextItem(text)])
        self.merged.note(stream, len(text.encode()))
        self._tell()

    def shorten(self) -> None:
        """Somebody read less than there was, of whichever stream."""
        for capture in self.streams.values():
            capture.publish()
        self._tell()

    def name(self, session_id: int) -> None:
        """Scripts know it by this id."""
        self.session_id = session_id

    def finish(self) -> None:
        """Nothing is printed any more."""
        for capture in self.streams.values():
            capture.finish(None)

    def discard(self) -> None:
        """Nothing is kept any more."""
        for capture in self.streams.values():
            capture.discard()

    @property
    def is_over(self) -> bool:
        """Whether nothing is printed any more."""
        return all(capture.is_over for capture in self.streams.values())

    @property
    def is_published(self) -> bool:
        """Whether files were asked for."""
        return any(capture.is_published for capture in self.streams.values())

    def part(self, stream_name: str) -> Readable | None:
        """One stream, or both for an empty name; None when there is none of that name."""
        if not stream_name:
            return self.merged
        return next((self.streams[one] for one in Stream if one.value == stream_name), None)

    def _tell(self) -> None:
        if self.is_published:
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
        streams = {stream: self._new_capture(f"{shell_id}.{stream.value}") for stream in Stream}
        made = ShellCapture(shell_id, command, cell_id, streams, self._on_file)
        self._kept[shell_id] = made
        self._make_room()
        return made

    def named(self, name: str) -> Readable | None:
        """What `shell-3` or `shell-3.stderr` names, if it is still kept."""
        shell_id, _, stream_name = name.partition(".")
        shell = self._kept.get(shell_id)
        return shell.part(stream_name) if shell else None

    def of_session(self, session_id: int) -> ShellCapture | None:
        """The newest one that scripts knew by that id."""
        found = [one for one in self._kept.values() if one.session_id == session_id]
        return found[-1] if found else None

    def in_files(self) -> Sequence[ShellCapture]:
        """Those of which more was printed than somebody got, oldest first."""
        return [one for one in self._kept.values() if one.is_published]

    def reset(self) -> None:
        """Forget all of them; their files are removed by who made them."""
        for one in self._kept.values():
            one.discard()
        self._kept.clear()

    def _make_room(self) -> None:
        small = [one.id for one in self._kept.values() if one.is_over and not one.is_published]
        for shell_id in small[: -IN_MEMORY or None]:
            del self._kept[shell_id]
