"""All captures of one kernel."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path

from codemode_host.wire import TextItem

from codemode_kernel.captures.calls import WholeCalls
from codemode_kernel.captures.capture import Capture, Snapshot, name_of
from codemode_kernel.captures.folder import CaptureFolder, sweep
from codemode_kernel.captures.shells import MOST_BYTES, ShellCaptures
from codemode_kernel.captures.writer import Writer
from codemode_kernel.session.cells import Cell

IN_MEMORY = 32
"""Captures of ended cells that are kept in memory."""

SETTLE_S = 5.0
"""How long the end of an observation waits for a file, in seconds."""


class Captures:
    """Makes a capture for each cell, and finds it again by the cell's id."""

    def __init__(self, root: Path) -> None:
        """`root` holds the folders of all kernels of this user."""
        self.root = root
        self.on_first_file: Callable[[], None] = lambda: None
        """Called when there is something to read for the first time since a reset."""
        self._folder = CaptureFolder(root)
        self._writer = Writer()
        self._captured: dict[int, tuple[Cell, Capture]] = {}
        self._calls: dict[int, WholeCalls] = {}
        """By the cell's serial number."""
        self._texts: list[Capture] = []
        self._has_files = False
        self.shells = ShellCaptures(self._new_stream, self._note_files)
        """What shell commands print."""

    def begin(self, cell: Cell) -> None:
        """Capture what `cell` emits from now on."""
        capture = Capture(f"cell-{cell.serial}", self._folder, self._writer)
        cell.capture = capture
        self._captured[cell.serial] = cell, capture
        self._make_room()

    def of(self, cell_id: str) -> Capture | None:
        """The capture of the newest cell of that id, if it is still kept."""
        found = [capture for cell, capture in self._captured.values() if cell.id == cell_id]
        return found[-1] if found else None

    def in_file(self, name: str) -> Capture | None:
        """The one of a cell, a command or a text whose file has that name (`name_of`)."""
        captures = [*self._texts, *(capture for _, capture in self._captured.values())]
        for shell in self.shells.in_files():
            captures += shell.streams.values()
        found = (one for one in captures if one.path is not None and name_of(one.path) == name)
        return next(found, None)

    def calls_of(self, cell: Cell) -> WholeCalls:
        """Where the calls of `cell` go that its record cuts."""
        if cell.serial not in self._calls:
            capture = Capture(f"cell-{cell.serial}-calls", self._folder, self._writer)
            self._calls[cell.serial] = WholeCalls(capture)
        return self._calls[cell.serial]

    def calls_of_id(self, cell_id: str) -> WholeCalls | None:
        """The same for the newest cell of that id; None when nothing is kept of it."""
        found = [cell.serial for cell, _ in self._captured.values() if cell.id == cell_id]
        return self._calls.get(found[-1]) if found else None

    async def keep_text(self, name: str, text: str) -> Snapshot:
        """Write a text that is shown in part to a file of its own, whose name begins with `name`."""
        capture = Capture(f"{name}-{len(self._texts) + 1}", self._folder, self._writer)
        self._texts.append(capture)
        capture.take([TextItem(text)])
        capture.finish(None)
        capture.publish()
        await capture.settled(SETTLE_S)
        return capture.snapshot()

    async def secure(self, cell: Cell, *, truncated: bool) -> None:
        """An observation is over: see that what it lacks is in a file."""
        capture = cell.capture
        if capture is None:
            return
        if truncated:
            capture.publish()
        if capture.is_published:
            await capture.settled(SETTLE_S)
            self._note_files()

    @property
    def fault(self) -> OSError | None:
        """Why the newest output could not be written; None when it was."""
        return self._folder.fault

    @property
    def has_files(self) -> bool:
        """Whether there is something to read."""
        return self._has_files

    async def sweep(self) -> None:
        """Remove what killed kernels left."""
        await asyncio.to_thread(sweep, self.root)

    async def reset(self) -> None:
        """Forget all captures and remove their files."""
        for _, capture in self._captured.values():
            capture.discard()
        for calls in self._calls.values():
            calls.discard()
        for text in self._texts:
            text.discard()
        self.shells.reset()
        self._captured.clear()
        self._calls.clear()
        self._texts.clear()
        self._has_files = False
        self._writer.offer(0, self._folder.remove)
        await self._writer.drained(SETTLE_S)

    async def close(self) -> None:
        """The session is over."""
        await self.reset()
        self._writer.close()

    def _new_stream(self, name: str) -> Capture:
        return Capture(name, self._folder, self._writer, stream_bytes=MOST_BYTES)

    def _note_files(self) -> None:
        if not self._has_files:
            self._has_files = True
            self.on_first_file()

    def _make_room(self) -> None:
        small = [
            serial
            for serial, (_, capture) in self._captured.items()
            if capture.is_over and not capture.is_published and not self._calls.get(serial)
        ]
        for serial in small[: -IN_MEMORY or None]:
            del self._captured[serial]
            self._calls.pop(serial, None)
