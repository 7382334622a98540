"""All captures of one kernel."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path

from codemode_kernel.captures.capture import Capture
from codemode_kernel.captures.folder import CaptureFolder, sweep
from codemode_kernel.captures.writer import Writer
from codemode_kernel.cells import Cell

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
        self._has_files = False

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
        self._captured.clear()
        self._has_files = False
        self._writer.offer(0, self._folder.remove)
        await self._writer.drained(SETTLE_S)

    async def close(self) -> None:
        """The session is over."""
        await self.reset()
        self._writer.close()

    def _note_files(self) -> None:
        if not self._has_files:
            self._has_files = True
            self.on_first_file()

    def _make_room(self) -> None:
        small = [
            serial
            for serial, (_, capture) in self._captured.items()
            if capture.is_over and not capture.is_published
        ]
        for serial in small[: -IN_MEMORY or None]:
            del self._captured[serial]
