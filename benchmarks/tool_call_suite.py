"""Nested calls of Python tools through the gate, beside a bare host that answers at once.

Twice: a function in the session's own process, as an embedder registers it, and one that a
`%%python` cell defines, which runs in a process of its own under a whole kernel with its trace, record
and hints.
"""

import asyncio
import gc
import statistics
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from codemode_kernel.app import GARBAGE_THRESHOLD
from codemode_kernel.session.session import Session, SessionSettings

from benchmarks.host_suite import BURST, BURSTS, CALLS, PARALLEL, SEQUENTIAL
from benchmarks.hosts import PATIENCE_MS, connected
from benchmarks.kernels import started
from benchmarks.report import Row, Target
from toolbridge import Gate, Toolbox, parse_rules

COMMAND = (sys.executable, "-m", "codemode_host", "--listen", "stdio")
PEER_NAME = "bare host"
REPEATS = 7  # cells of each kind of calls, of one after the other

RULES = [{"decision": "deny", "tool": "rm*"}, {"decision": "allow", "tool": "echo"}]
DEFINITION = """\
%%python
from toolbridge import tool

@tool
async def echo(i: int) -> dict[str, bool]:
    return {"ok": True}
"""

Timed = Callable[[str], float]
"""Runs a cell and gives how long it took, in seconds."""


@dataclass
class Rates:
    """Calls a second of one contender."""

    sequential: list[float] = field(default_factory=list)
    parallel: list[float] = field(default_factory=list)

    def sample(self, run: Timed) -> None:
        self.sequential.append(CALLS / run(SEQUENTIAL))
        self.parallel.append(BURST * BURSTS / run(PARALLEL))


def measure() -> Iterator[Row]:
    """Rows in the order of the report."""
    bare, function, defined = Rates(), Rates(), Rates()
    with connected(COMMAND) as host, _session() as session, _kernel() as kernel:
        for run in (host.run, session, kernel):
            run(SEQUENTIAL)  # the first calls pay for imports
        for _ in range(REPEATS):
            bare.sample(host.run)
            function.sample(session)
            defined.sample(kernel)
    yield from _rows("a Python tool through the gate", function, bare, 1_500, 6_000)
    yield from _rows("a `%%python` tool in a kernel", defined, bare, None, None)


def _rows(
    what: str, ours: Rates, bare: Rates, sequential: float | None, parallel: float | None
) -> Iterator[Row]:
    for how, mine, theirs, bound in (
        ("one after the other", ours.sequential, bare.sequential, sequential),
        (f"{BURST} at once", ours.parallel, bare.parallel, parallel),
    ):
        target = None if bound is None else Target("figure", ">=", bound)
        median = statistics.median
        yield Row(f"{what}, {how}", "1/s", median(mine), median(theirs), PEER_NAME, target)


@contextmanager
def _kernel() -> Iterator[Timed]:
    with started("codemode", f"--CodeModeKernel.gate_rules={RULES!r}") as kernel:
        if kernel.execute(DEFINITION).status != "ok":
            raise RuntimeError("the tool was not defined")

        def run(code: str) -> float:
            result = kernel.execute(code)
            if result.status != "ok":
                raise RuntimeError(f"a cell did not complete: {code}")
            return result.idle

        yield run


async def echo(i: int) -> dict[str, bool]:
    """Answer at once."""
    return {"ok": True}


@contextmanager
def _session() -> Iterator[Timed]:
    usual = gc.get_threshold()
    gc.set_threshold(GARBAGE_THRESHOLD)  # as in a kernel's process
    with asyncio.Runner() as runner:
        toolbox = Toolbox(Gate(parse_rules(RULES)))
        toolbox.register(echo)
        session = Session(SessionSettings(COMMAND), toolbox)
        runner.run(session.start())

        async def run(code: str) -> float:
            begin = time.perf_counter()
            cell = session.new_cell(code)
            observation = await session.run(cell, None, yield_time_ms=PATIENCE_MS)
            if observation.error_text is not None:
                raise RuntimeError(f"a cell did not complete: {observation.error_text}")
            return time.perf_counter() - begin

        try:
            yield lambda code: runner.run(run(code))
        finally:
            runner.run(session.close())
            runner.run(toolbox.close())
            gc.set_threshold(*usual)
