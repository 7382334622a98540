"""What the record and the footer of a cell cost: making their messages, without the socket."""

import asyncio
import statistics
import time
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from codemode_host.wire import TextItem
from codemode_kernel.messages.request import Request
from codemode_kernel.model_view.model_view import ModelView
from codemode_kernel.model_view.views import Views
from codemode_kernel.notebook.footers import Footers
from codemode_kernel.notebook.runs import CellRun, NotebookRun
from codemode_kernel.outputs.outputs import CellOutputs
from codemode_kernel.outputs.publisher import Publisher
from codemode_kernel.recording.calls import Detail, RecordedCalls
from codemode_kernel.recording.records import Circumstances, Records
from codemode_kernel.session.calls import Call, CallOutcome
from codemode_kernel.session.cells import Cell
from codemode_kernel.session.observation import Observation, Status
from jupyter_client.session import Session

from benchmarks.report import Row, below
from toolbridge import Tool

WHAT = "a cell's overhead by its record"
LISTING = "a line of a listing\n" * 2_000
CALLS = 5
RESULT = {"exit_code": 0, "output": "x" * 500, "wall_time_seconds": 0.1}


def measure(rounds: int) -> Iterator[Row]:
    """Rows in the order of the report; the median of `rounds` records each."""
    for what, text, calls, target in (
        ("median", "1", 0, below(1)),
        ("40 kB of text", LISTING, 0, None),
        (f"{CALLS} tool calls", "1", CALLS, None),
    ):
        figure = asyncio.run(_milliseconds(text, calls, rounds))
        yield Row(f"{WHAT}, {what}", "ms", figure, target=target)
    figure = asyncio.run(_milliseconds("1", 0, rounds, yields=True))
    yield Row(f"{WHAT} and footer, median", "ms", figure, target=below(1))


async def _milliseconds(text: str, calls: int, rounds: int, *, yields: bool = False) -> float:
    """Of a cell with `calls` tool calls; one that `yields` has a footer, which is closed again."""
    records = Records(
        Circumstances(Detail.FULL, "codex", "codemode-host", lambda: "QuickJS"), Views()
    )
    outputs = CellOutputs(Publisher(_serializer(), _request()), asyncio.get_running_loop())
    footers = Footers(asyncio.get_running_loop())
    observation = _observation(text)
    taken = []
    for _ in range(rounds):
        cell = Cell(1, text)
        cell_run = CellRun(cell, NotebookRun("In [1]", text, 1, outputs), 1)
        begin = time.perf_counter()
        _make_calls(cell_run.recorded, calls)
        if yields:
            footers.open(cell, outputs)
            footers.collected(cell, "In [2]", None, ())
        records.show_exec(cell_run, observation, has_hint=False)
        taken.append((time.perf_counter() - begin) * 1e3)
    await footers.close()
    return statistics.median(taken)


def _serializer() -> Callable[[str, Mapping[str, Any], Mapping[str, Any]], None]:
    """Makes the signed message as a kernel sends it."""
    session = Session(key=b"key")

    def send(kind: str, content: Mapping[str, Any], parent: Mapping[str, Any]) -> None:
        session.serialize(session.msg(kind, dict(content), parent=dict(parent)))

    return send


def _request() -> Request:
    message = Session(key=b"key").msg("execute_request", {})
    return Request(message, [], allow_stdin=True, silent=False, notebook_cell=None)


def _observation(text: str) -> Observation:
    view = ModelView()
    view.add(TextItem(text))
    output = view.finish(Status.COMPLETED, "1", 0.1)
    return Observation(Status.COMPLETED, "1", None, 0.1, output, view.size, 1, ())


def _make_calls(recorded: RecordedCalls, count: int) -> None:
    for number in range(count):
        arguments = {"cmd": "git log --oneline"}
        call = Call(f"tool-{number}", "exec_command", arguments, time.time(), TOOL)
        recorded.started(call)
        call.outcome, call.duration_s, call.result = CallOutcome.OK, 0.1, RESULT
        recorded.ended(call)


TOOL = Tool("exec_command", "shell", input_schema={"properties": {"cmd": {"type": "string"}}})
