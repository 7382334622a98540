"""What a server that does not work costs a cell that does not need it: nothing."""

import statistics
import sys
import time
from collections.abc import Iterator

from benchmarks.kernels import Kernel, started
from benchmarks.report import Row, at_most

BATCH = 20  # cells of one kernel before it is another's turn
SETTLE_S = (
    3.0  # the first cell with a server has the SDK imported, in a thread, beside the next ones
)
CELL = "text(1)"
SERVERS = {
    "dead": {"command": "/no/such/program"},
    "silent": {"command": sys.executable, "args": ["-c", "import time; time.sleep(3600)"]},
}
PEER_NAME = "none configured"


def measure(rounds: int) -> Iterator[Row]:
    """Rows in the order of the report; `rounds` cells of each kernel."""
    with started("codemode") as without:
        for name, server in SERVERS.items():
            with started(
                "codemode", f"--CodeModeKernel.mcp_servers={ ({name: server})!r}"
            ) as beside:
                beside.execute(CELL)
                time.sleep(SETTLE_S)
                ours, peer = _interleaved(beside, without, rounds)
            what = f"text(1) to idle beside a {name} MCP server"
            median = statistics.median
            yield Row(what, "ms", median(ours), median(peer), PEER_NAME, at_most(1.1))


def _interleaved(beside: Kernel, without: Kernel, rounds: int) -> tuple[list[float], list[float]]:
    """Milliseconds to idle of both kernels."""
    series: tuple[list[float], list[float]] = ([], [])
    for _ in range(max(1, rounds // BATCH)):
        for kernel, milliseconds in zip((beside, without), series, strict=True):
            kernel.execute(CELL)  # the first of a batch pays for the change of turns
            milliseconds.extend(kernel.execute(CELL).idle * 1e3 for _ in range(BATCH))
    return series
