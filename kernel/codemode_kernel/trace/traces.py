"""Keeps the traces of running cells up to date, within a budget of messages.

A trace appears only when a call has been open for a moment: most calls are over before a person
could look. From then on it is written when something has changed, at most four times a second, a
few of them in one round.
"""

from __future__ import annotations

import asyncio
import time
from dataclasses import dataclass, field
from uuid import uuid4

from codemode_kernel.outputs.outputs import CellOutputs
from codemode_kernel.pace import PERIOD_S
from codemode_kernel.session.calls import Call
from codemode_kernel.session.cells import Cell
from codemode_kernel.trace.drawing import trace_bundle
from codemode_kernel.trace.ledger import Ledger

PATIENCE_S = 0.7
"""How long a call is open before its cell shows a trace, in seconds."""

ROUND = 25
"""Traces written in one round."""


@dataclass
class _Trace:
    """One cell's."""

    outputs: CellOutputs
    ledger: Ledger = field(default_factory=Ledger)
    display_id: str = field(default_factory=lambda: f"codemode-{uuid4()}")
    last: dict[str, object] | None = None
    """What is shown; None before it appears."""
    is_over: bool = False
    """Its cell's code runs no more; the calls it left open settle a moment later."""


class Traces:
    """All traces of one kernel. Rounds run only while a call is open."""

    def __init__(self, loop: asyncio.AbstractEventLoop, *, enabled: bool = True) -> None:
        self._loop = loop
        self._enabled = enabled
        self._traces: dict[int, _Trace] = {}
        self._round: asyncio.TimerHandle | None = None

    def started(self, cell: Cell, call: Call, outputs: CellOutputs) -> None:
        """A call of the cell came in."""
        if not self._enabled:
            return
        trace = self._traces.get(cell.serial)
        if trace is None:
            trace = self._traces[cell.serial] = _Trace(outputs)
        trace.ledger.started(call)
        self._plan_round()

    def ended(self, cell: Cell, call: Call) -> None:
        """It has its outcome now; the next round shows it."""
        trace = self._traces.get(cell.serial)
        if trace is None:
            return
        trace.ledger.ended(call)
        if trace.is_over:
            self.cell_ended(cell)

    def cell_ended(self, cell: Cell) -> None:
        """The cell's code runs no more: with its last call its trace gets its last state."""
        trace = self._traces.get(cell.serial)
        if trace is None:
            return
        trace.is_over = True
        if trace.ledger.open_count:
            return
        del self._traces[cell.serial]
        if trace.last is not None:
            self._write(trace)

    def _plan_round(self) -> None:
        if self._round is None:
            self._round = self._loop.call_later(PERIOD_S, self._write_round)

    def _write_round(self) -> None:
        self._round = None
        written = 0
        for serial, trace in list(self._traces.items()):
            if not (trace.last or _is_slow(trace.ledger)):
                continue
            if self._write(trace):
                written += 1
                # To the back of the queue: with many traces each gets its turn.
                self._traces[serial] = self._traces.pop(serial)
            if written == ROUND:
                break
        if any(trace.ledger.open_count for trace in self._traces.values()):
            self._plan_round()

    def _write(self, trace: _Trace) -> bool:
        bundle = trace_bundle(trace.ledger, is_over=trace.is_over)
        if bundle.data == trace.last:
            return False
        if trace.last is None:
            trace.outputs.display(bundle, trace.display_id)
        else:
            trace.outputs.update(bundle, trace.display_id)
        trace.last = dict(bundle.data)
        return True


def _is_slow(ledger: Ledger) -> bool:
    oldest = ledger.oldest_open
    return bool(oldest) and time.time() - oldest[0].started >= PATIENCE_S
