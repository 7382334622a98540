"""The calls of a running cell, followed under it and in its record."""

import json
import os
from pathlib import Path
from typing import Any

import pytest
from codemode_kernel.record import MIME

from tests.kernel.conftest import StartKernel
from tests.kernel.notebook import Execution, Notebook


class Gates:
    """Named pipes: a command that reads one goes on when it is opened."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def make(self, name: str) -> str:
        """A command that waits for `open`."""
        os.mkfifo(self._folder / name)
        return f"cat {name}"

    def open(self, name: str) -> None:
        """Let the command go on."""
        (self._folder / name).write_text("opened")


@pytest.fixture(scope="module")
def trusting(start_kernel: StartKernel) -> Notebook:
    """A kernel in which every call is allowed."""
    return start_kernel(gate_rules=[{"decision": "allow"}])


@pytest.fixture
def gates(kernel_folder: Path) -> Gates:
    return Gates(kernel_folder)


def shell(command: str) -> str:
    arguments = json.dumps({"cmd": command, "yield_time_ms": 60_000})
    return f"tools.exec_command({arguments})"


def traces(cell: Execution) -> list[str]:
    """What its trace said, one text for each state."""
    return [
        content["data"]["text/plain"]
        for kind in ("display_data", "update_display_data")
        for content in cell.of(kind)
        if "codemode-trace" in content["data"].get("text/html", "")
    ]


def calls(content: dict[str, Any]) -> list[tuple[str | None, bool]]:
    """Outcome of each call of a record, and whether it was late."""
    return [
        (call.get("outcome"), call.get("late", False)) for call in content["data"][MIME]["calls"]
    ]


def test_a_call_that_takes_its_time_is_shown_until_its_cell_ends(
    trusting: Notebook, gates: Gates
) -> None:
    wait = gates.make("one")
    cell = trusting.send(f"await {shell('true')}; await {shell(wait)}")
    cell.until(lambda: bool(traces(cell)))
    assert traces(cell)[0].startswith("2 tool calls: 1 done, 1 running")
    gates.open("one")
    cell.done()
    assert traces(cell)[-1].startswith("2 tool calls: 2 done")
    assert 'cmd": "cat one"' in traces(cell)[-1]


def test_quick_calls_leave_no_trace(trusting: Notebook) -> None:
    cell = trusting.run(f"await {shell('true')}")
    assert cell.status == "ok"
    assert traces(cell) == []


def test_a_stopped_cell_sums_up(trusting: Notebook, gates: Gates) -> None:
    wait = gates.make("two")
    cell = trusting.send(f"await {shell('true')}; await {shell(wait)}")
    cell.until(lambda: bool(traces(cell)))
    trusting.stop()
    assert cell.done().quiet_line == "[2 tool calls: 1 done, 1 cancelled]"
    cell.until(lambda: traces(cell)[-1].startswith("2 tool calls: 1 done, 1 cancelled"))


def test_a_call_that_settles_after_the_record_was_written_is_marked_late(
    trusting: Notebook, gates: Gates
) -> None:
    first, second = gates.make("three"), gates.make("four")
    cell = trusting.run(
        f"const a = {shell(first)}, b = {shell(second)}; yield_control(); await a; await b;"
    )
    (written,) = cell.records
    assert calls(written) == [(None, False), (None, False)]
    gates.open("three")
    cell.until(lambda: calls(cell.records[-1])[0] == ("ok", True))
    assert calls(cell.records[-1])[1] == (None, False)
    gates.open("four")
    cell.until(lambda: calls(cell.records[-1]) == [("ok", True), ("ok", True)])
    assert cell.records[-1]["transient"] == written["transient"]


def test_a_reset_settles_the_trace_and_the_record_of_what_it_ended(
    trusting: Notebook, gates: Gates
) -> None:
    cell = trusting.run(f"const call = {shell(gates.make('five'))}; yield_control(); await call;")
    cell.until(lambda: bool(traces(cell)))
    trusting.run("%reset")
    cell.until(lambda: traces(cell)[-1].startswith("1 tool call: 1 cancelled"))
    assert calls(cell.records[-1]) == [("cancelled", True)]
