"""What a magic is: a name, a line of help and one coroutine."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from codemode_kernel.rooms import Rooms
from codemode_kernel.runs import NotebookRun
from codemode_kernel.stop_button import StopButton


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
