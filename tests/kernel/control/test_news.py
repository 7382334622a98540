"""Events are gathered: a page hears of each cell once in a round. No kernel."""

from codemode_kernel.control.from_kernel import Happened, ShellFacts, Stage
from codemode_kernel.control.news import News
from codemode_kernel.session.cells import Cell, Outcome
from codemode_kernel.session.events import (
    CellEnded,
    CellForgotten,
    CellStarted,
    HostLost,
    Notified,
    OutputWaiting,
)
from codemode_kernel.session.observation import Status


def running_cell(number: int = 1) -> Cell:
    cell = Cell(number, "text(1)")
    cell.start(str(number), str(number))
    return cell


def test_whatever_happened_a_cell_is_told_once_as_it_is_now() -> None:
    news = News()
    cell = running_cell()
    news.tell(CellStarted(cell))
    for _ in range(1000):
        news.tell(OutputWaiting(cell))
        news.tell(Notified(cell, "so far"))
    cell.end(Outcome(Status.FAILED, "Error: no\n    at cell:1:1"))
    news.tell(CellEnded(cell))
    events = news.take([])
    assert events is not None
    (told,) = events.cells
    assert told.happened == [
        Happened.STARTED,
        Happened.OUTPUT_WAITING,
        Happened.NOTIFIED,
        Happened.ENDED,
    ]
    assert (told.cell.stage, told.cell.error) == (Stage.ENDED, "Error: no")


def test_three_hundred_cells_are_one_message() -> None:
    news = News()
    for number in range(300):
        news.tell(CellStarted(running_cell(number)))
    events = news.take([])
    assert events is not None
    assert len(events.cells) == 300
    assert news.take([]) is None


def test_a_forgotten_cell_says_so_although_its_own_state_does_not() -> None:
    news = News()
    news.tell(CellForgotten(running_cell()))
    events = news.take([])
    assert events is not None
    assert events.cells[0].cell.stage is Stage.FORGOTTEN


def test_shells_are_told_when_one_comes_ends_or_goes() -> None:
    news = News()
    running = ShellFacts(1, "sleep 9", None, is_over=False, age_s=0.0)
    over = ShellFacts(1, "sleep 9", None, is_over=True, age_s=0.0)
    told = [news.take(shells) for shells in ([running], [running], [over], [])]
    assert [events.shells if events else None for events in told] == [[running], None, [over], []]


def test_a_lost_host_is_told_with_its_reason() -> None:
    news = News()
    news.tell(HostLost("killed"))
    events = news.take([])
    assert events is not None
    assert (events.host_lost, events.sequence) == ("killed", 1)
