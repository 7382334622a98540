"""What a magic is: a name, a line of help and one coroutine."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TypeVar

from codemode_kernel.notebook.endings import stopped
from codemode_kernel.notebook.runs import NotebookRun
from codemode_kernel.notebook.stop_button import StopButton
from codemode_kernel.rooms import Rooms

T = TypeVar("T")


@dataclass(frozen=True)
class MagicCall:
    """One use of a magic."""

    arguments: str
    """The rest of its line, trimmed."""
    body: str
    """The lines below it; empty for a line magic."""
    run: NotebookRun
    button: StopButton
    rooms: Rooms

    async def until_stopped(self, work: Awaitable[T], words: str = "It was stopped.") -> T:
        """What `work` gives; a Stop ends it, and the cell with a `ShownError` of these `words`."""
        task = asyncio.ensure_future(work)
        self.button.on_press(task.cancel)
        try:
            return await task
        except asyncio.CancelledError:
            if not self.button.pressed:
                raise
            raise stopped(words) from None

    async def look_through_tools(self, code: str = "ALL_TOOLS") -> None:
        """Bring up the servers whose tools `code` needs, as before a cell with that code."""
        if self.rooms.mcp.is_used:
            await self.until_stopped(self._prepare(code))

    async def _prepare(self, code: str) -> None:
        await self.rooms.mcp.before(code, self.run)
        await self.rooms.toolbox.prepare(code)


@dataclass(frozen=True)
class Magic:
    """One entry of the table in `magics`."""

    name: str
    """With its percent signs."""
    usage: str
    """How it is written, name included."""
    summary: str
    """What it does, one sentence."""
    perform: Callable[[MagicCall], Awaitable[str | None]]
    """Does it; gives a text for the pager, or None. Raises `KernelError` for the person."""
