"""What has happened since the last events went out. Sans-I/O.

Hundreds of cells may run and each may tell of a thousand things a second, but a page needs only
what is true now: a cell is told once in each round, however much happened to it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from codemode_kernel.control.facts import cell_facts
from codemode_kernel.control.from_kernel import (
    CellEvent,
    Events,
    Happened,
    ShellFacts,
    Stage,
)
from codemode_kernel.session.cells import Cell
from codemode_kernel.session.events import (
    AskingChanged,
    CallEnded,
    CallStarted,
    CellCollected,
    CellEnded,
    CellForgotten,
    CellStarted,
    CellYielded,
    HostLost,
    Notified,
    OutputWaiting,
    SessionEvent,
)

_HAPPENED: dict[type, Happened] = {
    CellStarted: Happened.STARTED,
    CellYielded: Happened.YIELDED,
    OutputWaiting: Happened.OUTPUT_WAITING,
    Notified: Happened.NOTIFIED,
    CallStarted: Happened.CALL_STARTED,
    CallEnded: Happened.CALL_ENDED,
    AskingChanged: Happened.ASKING_CHANGED,
    CellEnded: Happened.ENDED,
    CellCollected: Happened.COLLECTED,
    CellForgotten: Happened.FORGOTTEN,
}


@dataclass
class _CellNews:
    cell: Cell
    happened: list[Happened] = field(default_factory=list)


class News:
    """Gathers session events; `take` gives a round of them."""

    def __init__(self) -> None:
        self.sequence = 0
        """Of the last events that were taken."""
        self._cells: dict[int, _CellNews] = {}
        self._host_lost: str | None = None
        self._shells: dict[int, bool] = {}
        """Whether each shell that was told is over."""

    def tell(self, event: SessionEvent) -> None:
        """Take an event in."""
        if isinstance(event, HostLost):
            self._host_lost = event.reason
            return
        news = self._cells.setdefault(event.cell.serial, _CellNews(event.cell))
        happened = _HAPPENED[type(event)]
        if happened not in news.happened:
            news.happened.append(happened)

    @property
    def has_any(self) -> bool:
        """Whether something was told that nobody has been sent."""
        return bool(self._cells or self._host_lost)

    def take(self, shells: Sequence[ShellFacts]) -> Events | None:
        """What there is to send, given the live shells now; None for nothing."""
        over = {shell.session_id: shell.is_over for shell in shells}
        if not self.has_any and over == self._shells:
            return None
        self.sequence += 1
        events = Events(
            sequence=self.sequence,
            cells=[_cell_event(news) for news in self._cells.values()],
            shells=None if over == self._shells else list(shells),
            host_lost=self._host_lost,
        )
        self._cells, self._host_lost, self._shells = {}, None, over
        return events


def _cell_event(news: _CellNews) -> CellEvent:
    forgotten = Stage.FORGOTTEN if Happened.FORGOTTEN in news.happened else None
    return CellEvent(cell_facts(news.cell, forgotten), news.happened)
