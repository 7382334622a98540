"""When a trace is written."""

import asyncio
from collections.abc import Callable
from typing import Any, cast

import pytest
from codemode_kernel.outputs.bundles import Bundle
from codemode_kernel.outputs.outputs import CellOutputs
from codemode_kernel.session.calls import Call, CallOutcome
from codemode_kernel.session.cells import Cell
from codemode_kernel.trace import traces
from codemode_kernel.trace.traces import ROUND, Traces

from toolbridge import Tool

TOOL = Tool("fetch", "web")


class Clock:
    """An event loop's timers, run by hand."""

    def __init__(self) -> None:
        self.due: list[Callable[[], None]] = []

    def call_later(self, delay: float, callback: Callable[[], None]) -> object:
        self.due.append(callback)
        return callback

    def tick(self) -> None:
        due, self.due = self.due, []
        for callback in due:
            callback()


class Page:
    """Where traces are shown."""

    def __init__(self) -> None:
        self.shown: list[str] = []
        self.serial = id(self)

    def display(self, bundle: Bundle, display_id: str) -> None:
        self.shown.append(bundle.data["text/plain"].split("\n")[0])

    update = display


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture(autouse=True)
def _no_patience(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(traces, "PATIENCE_S", 0.0)


def followed(clock: Clock, **options: Any) -> Traces:
    return Traces(cast(asyncio.AbstractEventLoop, clock), **options)


def begin(some: Traces, page: Page, number: int = 1) -> Call:
    call = Call(f"tool-{number}", "fetch", None, 0.0, TOOL)
    some.started(cast(Cell, page), call, cast(CellOutputs, page))
    return call


def end(some: Traces, page: Page, call: Call) -> None:
    call.outcome, call.duration_s = CallOutcome.OK, 1.0
    some.ended(cast(Cell, page), call)


def test_it_is_written_in_rounds_while_a_call_is_open(clock: Clock) -> None:
    some, page = followed(clock), Page()
    call = begin(some, page)
    assert page.shown == []
    clock.tick()
    end(some, page, call)
    clock.tick()
    assert page.shown == ["1 tool call: 1 running", "1 tool call: 1 done"]
    assert clock.due == []
    begin(some, page, 2)
    assert len(clock.due) == 1


def test_one_round_writes_so_many_and_the_next_the_others(clock: Clock) -> None:
    some, pages = followed(clock), [Page() for _ in range(ROUND + 5)]
    for page in pages:
        begin(some, page)
    clock.tick()
    assert sum(bool(page.shown) for page in pages) == ROUND
    clock.tick()
    assert all(page.shown for page in pages)


def test_a_cell_that_ends_before_a_round_shows_none(clock: Clock) -> None:
    some, page = followed(clock), Page()
    end(some, page, begin(some, page))
    some.cell_ended(cast(Cell, page))
    clock.tick()
    assert page.shown == []


def test_a_call_that_outlives_its_cell_is_followed_to_its_end(clock: Clock) -> None:
    some, page = followed(clock), Page()
    call = begin(some, page)
    clock.tick()
    some.cell_ended(cast(Cell, page))
    assert page.shown == ["1 tool call: 1 running"]
    end(some, page, call)
    assert page.shown[1:] == ["1 tool call: 1 done"]


def test_it_can_be_turned_off(clock: Clock) -> None:
    some, page = followed(clock, enabled=False), Page()
    end(some, page, begin(some, page))
    some.cell_ended(cast(Cell, page))
    assert clock.due == []
