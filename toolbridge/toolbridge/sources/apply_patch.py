"""`apply_patch`: edits to text files below one folder (`toolbridge.patch`)."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING

from toolbridge.calls import CallContext, ToolCall
from toolbridge.json_values import JsonValue
from toolbridge.patch.tool import APPLY_PATCH, SOURCE_ID
from toolbridge.python.threads import PythonThreads
from toolbridge.sources.base import Source
from toolbridge.tools import Tool

if TYPE_CHECKING:
    from toolbridge.patch.document import Patch
    from toolbridge.patch.files import FileOperations
    from toolbridge.patch.stopping import Stop

STOP_S = 5.0
"""How long a patch that was stopped may take to clean up, or to end its commit, in seconds."""

_TURN = Lock()
"""Of the patch that has the disk: in a kernel that people share, each has a source of their own."""


class ApplyPatchSource(Source):
    """Applies patches to the files below `root`, in the order of the calls, one at a time in the
    whole process.

    The text and its paths are checked before anybody is asked; the files are looked at after that,
    so a call that the gate refuses learns nothing about them. A call that is cancelled changes
    nothing, unless its first file is in place already: then all of them follow, and the call ends
    as if nobody had cancelled it.
    """

    id = SOURCE_ID
    description = "Patches to text files."

    def __init__(self, root: Path | str, files: FileOperations | None = None) -> None:
        self._root = Path(os.path.realpath(root))
        self._files = files
        # A single thread is the queue of this source's calls.
        self._threads = PythonThreads(max_threads=1)
        self._running: dict[asyncio.Future[None], Stop] = {}

    def tools(self) -> Sequence[Tool]:
        return (APPLY_PATCH,)

    def admit(self, tool: Tool, arguments: JsonValue) -> Patch:
        from toolbridge.patch.paths import check_paths

        patch = self._read(arguments)
        check_paths(self._root, patch)
        return patch

    def present(self, tool: Tool, arguments: JsonValue) -> str:
        from toolbridge.patch.presentation import present

        return present(self._read(arguments), self._root)

    async def call(
        self, call: ToolCall, admitted: Patch, context: CallContext
    ) -> dict[str, JsonValue]:
        from toolbridge.patch.files import FileOperations
        from toolbridge.patch.stopping import Stop

        stop = Stop()
        files = self._files or FileOperations()
        work = asyncio.ensure_future(
            self._threads.run(partial(_apply_in_turn, admitted, self._root, files, stop))
        )
        self._running[work] = stop
        work.add_done_callback(self._forget)
        try:
            await asyncio.shield(work)
        except asyncio.CancelledError:
            is_stopped = stop.request()
            if stop.has_begun:
                await asyncio.wait([work], timeout=STOP_S)
            if is_stopped or not work.done():
                raise
            work.result()
        return {}

    async def close(self) -> None:
        """Stop what has not begun to change files, and let the rest end."""
        running = dict(self._running)
        for stop in running.values():
            stop.request()
        if running:
            _, hanging = await asyncio.wait(running, timeout=STOP_S)
            for work in hanging:
                work.cancel()
        self._threads.close()

    def _read(self, arguments: JsonValue) -> Patch:
        from toolbridge.patch.reading import read_patch

        assert isinstance(arguments, str), "a freeform tool gets a string"
        return read_patch(arguments)

    def _forget(self, work: asyncio.Future[None]) -> None:
        del self._running[work]
        if not work.cancelled():
            work.exception()  # its caller may have gone


def _apply_in_turn(patch: Patch, root: Path, files: FileOperations, stop: Stop) -> None:
    from toolbridge.patch.application import apply_patch

    with _TURN:
        apply_patch(patch, root, files, stop)
