"""Who is told what becomes of a cell and its calls."""

from types import SimpleNamespace
from typing import Any

import pytest
from codemode_kernel.notebook.runs import Runs
from codemode_kernel.session.events import CallEnded, CellCollected, CellForgotten, SessionEvent


class Listener:
    """Stands for whatever draws cells; notes what it is told."""

    def __init__(self) -> None:
        self.told: list[str] = []

    def __getattr__(self, name: str) -> Any:
        return lambda *arguments: self.told.append(name)


@pytest.mark.parametrize("left", [CellForgotten, lambda cell: CellCollected(cell, "In [2]")])
def test_a_call_that_outlives_what_the_session_knows_is_heard_of(left: Any) -> None:
    traces: Any = Listener()
    others: Any = Listener()
    runs = Runs(others, others, others, traces)
    cell: Any = SimpleNamespace(serial=1, id="1", open_calls=1)
    entry: Any = SimpleNamespace(cell=cell, calls=others, recorded=others)
    runs.remember(entry)
    departure: SessionEvent = left(cell)
    runs.on_event(departure)
    cell.open_calls = 0
    runs.on_event(CallEnded(cell, SimpleNamespace()))  # type: ignore[arg-type]
    assert "ended" in traces.told
    assert runs.of(cell) is None
