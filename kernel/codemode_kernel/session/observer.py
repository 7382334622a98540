"""One observation in progress: what an exec or a wait gathers until it is over."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

from codemode_host.wire import ContentItem
from toolbridge.media import SETTLE_S, ObservationMedia

from codemode_kernel.model_view.model_view import ModelView
from codemode_kernel.session.cells import Cell
from codemode_kernel.session.deadline import Deadline
from codemode_kernel.session.observation import Notification, Observation, Sink, Status


@dataclass(frozen=True)
class Ending:
    """How an observation ended."""

    status: Status
    error_text: str | None = None
    host_duration_s: float | None = None
    """How long it took by the host's clock; None where only ours ran."""


class Observer:
    """Attached to a cell from the start of an exec or a wait to its end."""

    def __init__(
        self,
        cell: Cell,
        sink: Sink | None,
        view: ModelView,
        collector: str,
        media: ObservationMedia | None = None,
    ) -> None:
        """`view` makes the model's output, with `media` for what it holds of them.

        What waits in the cell goes to `sink` now. Without one the items stay with the cell until
        the end, so that nothing is lost if the caller gives up before."""
        self.sink = sink
        self.collector = collector
        """Label of the notebook cell that observes."""
        self.deadline: Deadline | None = None
        self.item_count = 0
        self.ending: asyncio.Future[Ending] = asyncio.get_running_loop().create_future()
        self._cell = cell
        self._media = media
        self._view = view
        self._clock = asyncio.get_running_loop().time
        self._started = self._ended = self._clock()
        self._asked = cell.asked.total(self._started)
        self._waiting = 0
        self._is_hurried = False
        if sink is not None:
            self._drain(len(cell.waiting))

    def take(self, items: Sequence[ContentItem]) -> None:
        """Items came while this observation lasts."""
        if self.sink is not None:
            self.sink.take(items)
        self._view.add(*items)
        self.item_count += len(items)

    def _drain(self, count: int) -> None:
        waiting = self._cell.waiting.drain(count)
        self._view.add(*(entry.item for entry in waiting))
        self.item_count += len(waiting)
        unseen = [entry.item for entry in waiting if not entry.shown]
        if self.sink is not None and unseen:
            self.sink.take(unseen)

    def start_deadline(self) -> None:
        """The time begins to run, unless a person is being asked."""
        if self.deadline is not None and not self._cell.asking:
            self.deadline.start()

    def hold_deadline(self) -> None:
        """The time stands still: a person is being asked."""
        if self.deadline is not None:
            self.deadline.hold()

    async def settle(self) -> None:
        """Let the images be prepared that were emitted until the end, unless there is hurry."""
        self._drain(self._waiting)
        self._waiting = 0
        if self._media is not None:
            await self._media.settle(0.0 if self._is_hurried else SETTLE_S)

    def hurry(self) -> None:
        """Give up images that are not prepared yet: somebody pressed Stop."""
        self._is_hurried = True
        if self._media is not None:
            self._media.cancel()

    def observation(
        self, ending: Ending, notifications: Sequence[Notification], notices: Sequence[str]
    ) -> Observation:
        """What the observation gives; call it once, when it has ended and is settled."""
        now = self._ended
        took = now - self._started if ending.host_duration_s is None else ending.host_duration_s
        wall_time_s = max(0.0, took - (self._cell.asked.total(now) - self._asked))
        cell_id = self._cell.id or ""
        output = self._view.finish(ending.status, cell_id, wall_time_s, ending.error_text)
        return Observation(
            status=ending.status,
            cell_id=cell_id,
            error_text=ending.error_text,
            wall_time_s=wall_time_s,
            output=output,
            size=self._view.size,
            media=self._view.shown_media,
            item_count=self.item_count,
            notifications=tuple(notifications),
            notices=tuple(notices),
        )

    def close(self) -> None:
        """Its caller has the result, or has given up."""
        if self.deadline is not None:
            self.deadline.cancel()
        self.hurry()

    def finish(self, ending: Ending) -> None:
        """The observation is over; what comes from now on belongs to the next one."""
        if not self.ending.done():
            self._waiting = len(self._cell.waiting)
            self._ended = self._clock()
            self.ending.set_result(ending)

    def fail(self, error: Exception) -> None:
        """The observation is over without a result: a `SessionError`, or what its sink raised."""
        if not self.ending.done():
            self.ending.set_exception(error)
