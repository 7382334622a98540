"""Bars of calls that tell how far they are."""

import asyncio
from types import SimpleNamespace
from typing import Any, cast

import pytest
from codemode_kernel.notebook.progress import ProgressBars
from codemode_kernel.outputs.outputs import CellOutputs
from codemode_kernel.pace import PERIOD_S
from codemode_kernel.session.calls import Call, CallOutcome
from codemode_kernel.session.cells import Cell

from toolbridge import Progress, Tool


class Screen:
    """Outputs that keep the plain states of displays."""

    def __init__(self) -> None:
        self.states: list[str] = []
        self.ids: set[str] = set()

    def display(self, bundle: Any, display_id: str) -> None:
        self.states.append(bundle.data["text/plain"])
        self.ids.add(display_id)

    update = display


class Clock:
    """A loop whose time does not pass by itself."""

    def __init__(self) -> None:
        self.due: list[tuple[float, Any]] = []

    def call_later(self, delay: float, callback: Any, *arguments: Any) -> Any:
        entry = (delay, lambda: callback(*arguments))
        self.due.append(entry)
        return SimpleNamespace(cancel=lambda: self.due.remove(entry))

    def pass_time(self) -> None:
        due, self.due = self.due, []
        for _, callback in due:
            callback()


class Cells:
    """One cell on one screen."""

    def __init__(self) -> None:
        self.clock = Clock()
        self.screen = Screen()
        self.bars = ProgressBars(cast(asyncio.AbstractEventLoop, self.clock))
        self.cell = cast(Cell, SimpleNamespace(serial=1))

    def tell(self, call: Call, done: float, total: float | None = None, text: str = "") -> None:
        outputs = cast(CellOutputs, self.screen)
        self.bars.show(self.cell, call, Progress(done, total, text or None), outputs)

    def end(self, call: Call, outcome: CallOutcome = CallOutcome.OK) -> None:
        call.outcome = outcome
        self.bars.ended(call)


@pytest.fixture
def cells() -> Cells:
    return Cells()


def call(name: str) -> Call:
    return Call("tool-1", name, {}, 0.0, Tool(name, "s"))


def test_the_first_is_shown_at_once_and_the_next_in_their_turn(cells: Cells) -> None:
    work = call("work")
    for done in range(1, 100):
        cells.tell(work, done, 100)
    assert cells.screen.states == ["[....................] work · 1 of 100"]
    assert [delay for delay, _ in cells.clock.due] == [PERIOD_S]
    cells.clock.pass_time()
    assert cells.screen.states[1:] == ["[####################] work · 99 of 100"]


def test_all_calls_of_a_cell_share_a_display(cells: Cells) -> None:
    one, two = call("one"), call("two")
    cells.tell(one, 5, 10, "half")
    cells.tell(two, 3)
    cells.end(one)
    assert cells.screen.states[-1] == "[##########..........] one · 5 of 10 · half · done\ntwo · 3"
    cells.end(two, CallOutcome.ERROR)
    assert cells.screen.states[-1].endswith("two · 3 · error")
    assert len(cells.screen.ids) == 1
    assert cells.clock.due == []


def test_what_comes_after_the_end_is_not_shown(cells: Cells) -> None:
    work = call("work")
    cells.tell(work, 1, 2)
    cells.end(work)
    shown = len(cells.screen.states)
    cells.tell(work, 2, 2)
    assert len(cells.screen.states) == shown


def test_a_total_that_makes_no_sense_makes_no_bar(cells: Cells) -> None:
    cells.tell(call("work"), 3, 0)
    assert cells.screen.states == ["work · 3 of 0"]


def test_a_cell_that_is_over_writes_no_more(cells: Cells) -> None:
    work = call("work")
    cells.tell(work, 1)
    cells.tell(work, 2)
    cells.bars.forget(cells.cell)
    assert cells.clock.due == []
