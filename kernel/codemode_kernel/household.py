"""Everybody who writes in this kernel, each with rooms of their own.

A kernel of one writer has one set of rooms and asks for no name. In a shared one cells, stored
values, tools, shells, Python, approvals and loaded tools are each person's own, because the rooms
that hold them are: nothing looks another person's things up by accident. A request that does not say
whose it is gets a room in which nothing runs.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from toolbridge.errors import PrincipalUnknownError
from toolbridge.principals import Partition

from codemode_kernel.completion.surroundings import Lookout
from codemode_kernel.errors import SenderUnknown
from codemode_kernel.messages.sender import principal_in
from codemode_kernel.notebook.foreground import Foreground
from codemode_kernel.rooms import Rooms

Furnish = Callable[[str | None, SenderUnknown | None], Foreground]
"""Makes the rooms of a principal; with an error, rooms in which every cell ends with it."""


@dataclass(frozen=True)
class Resident:
    """One principal in the kernel."""

    foreground: Foreground
    lookout: Lookout
    warm_up: asyncio.Task[None] | None
    """Brings up what the first cell needs; None where no cell will run."""

    @property
    def rooms(self) -> Rooms:
        """What is theirs."""
        return self.foreground.rooms

    async def close(self) -> None:
        """End everything of theirs."""
        if self.warm_up is not None:
            self.warm_up.cancel()
        self.lookout.close()
        await self.rooms.close()


class Household:
    """Finds the resident that a message comes from. Used from the event loop."""

    def __init__(
        self, furnish: Furnish, prepare: Callable[[Rooms], asyncio.Task[None]], *, shared: bool
    ) -> None:
        """`prepare` starts a resident's warm-up."""
        self._furnish = furnish
        self._prepare = prepare
        self._shared = shared
        self._residents = Partition(self._move_in, shared=shared)
        self._nobody: Resident | None = None

    def of(self, message: Mapping[str, Any]) -> Resident:
        """Whose `message` is. Raises nothing: cells of nobody in particular say so themselves."""
        try:
            return self._residents.of(principal_in(message) if self._shared else None)
        except PrincipalUnknownError:
            if self._nobody is None:
                foreground = self._furnish(None, SenderUnknown())
                self._nobody = Resident(foreground, _lookout(foreground), None)
            return self._nobody

    def is_nobody(self, message: Mapping[str, Any]) -> bool:
        """Whether `message` is refused."""
        return self._shared and principal_in(message) is None

    def all(self) -> list[Resident]:
        """Everybody, and nobody if there were such messages."""
        nobody = [] if self._nobody is None else [self._nobody]
        return [*self._residents.all(), *nobody]

    async def close(self) -> None:
        """End everything."""
        await asyncio.gather(*(resident.close() for resident in self.all()))

    def _move_in(self, principal: str | None) -> Resident:
        foreground = self._furnish(principal, None)
        return Resident(foreground, _lookout(foreground), self._prepare(foreground.rooms))


def _lookout(foreground: Foreground) -> Lookout:
    rooms = foreground.rooms
    return Lookout(rooms.session, rooms.briefing.catalog, rooms.mcp.names)
