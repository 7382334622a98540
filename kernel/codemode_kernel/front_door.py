"""Where pages of our JupyterLab extension come in.

A kernel without such a page pays for nothing: what answers them (`codemode_kernel.control`) is
imported when the first one opens its comm.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from codemode_kernel.replay import LoggedRun
from codemode_kernel.session.events import SessionEvent

if TYPE_CHECKING:
    from codemode_kernel.control.front import Comm
    from codemode_kernel.control.fronts import Fronts
    from codemode_kernel.rooms import Rooms


class FrontDoor:
    """Passes on what concerns pages, once there was one."""

    def __init__(self) -> None:
        self._fronts: Fronts | None = None

    @property
    def attached_count(self) -> int:
        """Pages that are attached now."""
        return 0 if self._fronts is None else len(self._fronts.attached)

    def admit(
        self,
        comm: Comm,
        opened: Mapping[str, Any],
        waiting: Sequence[Mapping[str, Any]],
        rooms: Rooms,
    ) -> None:
        """A comm was opened, and `waiting` came on it since."""
        if self._fronts is None:
            from codemode_kernel.control.fronts import Fronts

            self._fronts = Fronts(rooms)
        self._fronts.admit(comm, opened, waiting)

    def on_event(self, event: SessionEvent) -> None:
        """The session tells something."""
        if self._fronts is not None:
            self._fronts.on_event(event)

    def questions_changed(self) -> None:
        """A question was opened or is no more."""
        if self._fronts is not None:
            self._fronts.tell_questions()

    def announce(self, run: LoggedRun) -> None:
        """A run of a notebook cell begins."""
        if self._fronts is not None:
            self._fronts.announce(run)

    async def close(self) -> None:
        """Close every comm."""
        if self._fronts is not None:
            await self._fronts.close()
