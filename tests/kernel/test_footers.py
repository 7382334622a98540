"""The line under a yielded cell."""

import asyncio
from collections.abc import Mapping
from typing import Any

import pytest
from codemode_host.wire import TextItem
from codemode_kernel.messages.request import Request
from codemode_kernel.notebook.footer import (
    BAD,
    GOOD,
    OVER,
    Footer,
    collected_footer,
    forgotten_footer,
    live_footer,
)
from codemode_kernel.notebook.footers import ROUND, Footers
from codemode_kernel.outputs.outputs import CellOutputs
from codemode_kernel.outputs.publisher import Publisher
from codemode_kernel.session.cells import Cell, Outcome
from codemode_kernel.session.observation import Status


def running_cell(number: int = 3) -> Cell:
    cell = Cell(number, "text(1)")
    cell.start(str(number), str(number))
    return cell


def ended_cell(status: Status, error_text: str | None = None) -> Cell:
    cell = running_cell()
    cell.end(Outcome(status, error_text))
    return cell


def test_a_running_cell_says_how_long_and_what_can_be_done() -> None:
    assert live_footer(running_cell(), stop_hint=False).line == (
        "Cell 3: running · 0 s · `%wait 3` collects its output, `%terminate 3` ends it"
    )


@pytest.mark.parametrize(
    "calls, questions, words",
    [(1, 0, "waiting for 1 tool call"), (2, 0, "2 tool calls"), (1, 1, "waiting for your answer")],
)
def test_it_says_what_the_cell_waits_for(calls: int, questions: int, words: str) -> None:
    cell = running_cell()
    cell.open_calls = calls
    for _ in range(questions):
        cell.asked.begin(0.0)
    assert words in live_footer(cell, stop_hint=False).line


def test_the_window_shows_the_last_lines_of_what_waits() -> None:
    cell = running_cell()
    cell.waiting.add([TextItem(f"line {i}\n") for i in range(100)])
    cell.waiting.add([TextItem("y" * 1000)])
    window = live_footer(cell, stop_hint=False).window.split("\n")
    assert window[0] == "line 93"
    assert len(window) == 8
    assert len(window[-1]) < 250


@pytest.mark.parametrize(
    "cell, words",
    [
        (ended_cell(Status.COMPLETED), "completed · 0 s · `%wait 3` collects it"),
        (ended_cell(Status.TERMINATED), "terminated"),
        (ended_cell(Status.FAILED, "Error: no\n    at exec_main.mjs:1:1"), "collects the error"),
    ],
)
def test_an_ended_cell_waits_to_be_collected(cell: Cell, words: str) -> None:
    assert words in live_footer(cell, stop_hint=True).line


def test_a_failed_cell_is_red_and_shows_its_message() -> None:
    cell = ended_cell(Status.FAILED, "Error: no\n    at exec_main.mjs:1:1")
    footer = live_footer(cell, stop_hint=False)
    assert (footer.colour, footer.window) == (BAD, "Error: no")


def test_only_a_cell_that_did_its_work_is_green() -> None:
    colours = [
        live_footer(ended_cell(status), stop_hint=False).colour
        for status in (Status.COMPLETED, Status.TERMINATED)
    ]
    assert colours == [GOOD, OVER]


def test_the_last_state_says_who_collected_it() -> None:
    cell = ended_cell(Status.COMPLETED)
    assert "collected by In [4]" in collected_footer(cell, "In [4]", "").line
    assert collected_footer(cell, None, "left").window == "left"
    assert "ended with its session" in forgotten_footer(cell).line


def test_what_a_script_printed_is_escaped() -> None:
    bundle = Footer(BAD, "a `b` <c>", "<script>").bundle()
    assert "<script>" not in bundle.data["text/html"]
    assert "a <code>b</code> &lt;c&gt;" in bundle.data["text/html"]


class Screen:
    """Counts what is published, by display id."""

    def __init__(self) -> None:
        self.updates: list[str] = []

    def outputs(self) -> CellOutputs:
        request = Request({"header": {"msg_id": "r"}}, [], True, False, None)
        return CellOutputs(Publisher(self._send, request), asyncio.get_running_loop())

    def _send(self, kind: str, content: Mapping[str, Any], parent: Mapping[str, Any]) -> None:
        if kind == "update_display_data":
            self.updates.append(content["transient"]["display_id"])


async def test_a_round_writes_a_few_footers_and_the_next_goes_on_with_the_others() -> None:
    screen = Screen()
    footers = Footers(asyncio.get_running_loop())
    for number in range(ROUND + 15):
        footers.open(running_cell(number), screen.outputs())
    footers.hint_how_to_end()
    assert len(screen.updates) == ROUND
    footers.hint_how_to_end()
    assert len(set(screen.updates)) == len(screen.updates) == ROUND + 15
    await footers.close()


async def test_a_stop_is_answered_below_the_cells_that_it_left_alone() -> None:
    screen = Screen()
    footers = Footers(asyncio.get_running_loop())
    footers.open(running_cell(1), screen.outputs())
    footers.hint_how_to_end()
    assert len(screen.updates) == 1
    later = running_cell(2)
    footers.open(later, screen.outputs())
    footers.changed(later)
    assert len(screen.updates) == 1
    await footers.close()


async def test_a_footer_that_says_the_same_is_not_written() -> None:
    screen = Screen()
    footers = Footers(asyncio.get_running_loop())
    cell = ended_cell(Status.COMPLETED)
    footers.open(cell, screen.outputs())
    footers.changed(cell)
    footers.hint_how_to_end()
    assert screen.updates == []
    await footers.close()
