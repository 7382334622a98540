"""The kernel beside ipykernel's Python kernel: latency, lines, start, Stop and memory."""

import statistics
import time
from collections.abc import Iterator

from benchmarks.kernels import Kernel, started
from benchmarks.memory import tree_pss
from benchmarks.report import Row, Target, at_least, at_most, below

OURS, PEER = "codemode", "python3"
PEER_NAME = "ipykernel"

BATCH = 20  # cells of one kernel before it is the other's turn
LINES = 10_000
SLEEPERS = 200
STOPS = 5

LINES_OURS = f"for (let i = 0; i < {LINES}; i++) text('line ' + i)"
LINES_PEER = f"for i in range({LINES}): print('line', i)"
ENDLESS = "text('running'); await new Promise(() => {})"
UNFINISHED = "const a = await tools.exec_command({cmd: 'ls'});\n" * 40 + "tools.exec_command({w"
SLEEPER = '// @exec: {"yield_time_ms": 0}\nawait new Promise(r => setTimeout(r, 60000))'


def measure(rounds: int, starts: int) -> Iterator[Row]:
    """Rows in the order of the report; `rounds` cells for each latency series."""
    yield from _start(starts)
    with started(OURS) as ours, started(PEER) as peer:
        yield _at_rest(ours, peer)
        yield from _latency(ours, peer, rounds)
        yield from _lines(ours, peer)
    with started(OURS) as ours:
        yield from _stop(ours)
    with started(OURS) as ours:
        yield _sleepers(ours)
    with started(OURS) as ours:
        yield from _completion(ours, rounds)


def _start(times: int) -> Iterator[Row]:
    seconds: dict[str, list[float]] = {OURS: [], PEER: []}
    for _ in range(times):
        for name in (OURS, PEER):
            with started(name) as kernel:
                seconds[name].append(kernel.start)
    for what, of, target in (("median", statistics.median, at_most(1.5)), ("best", min, None)):
        ours, peer = of(seconds[OURS]), of(seconds[PEER])
        yield Row(f"kernel start, {what}", "s", ours, peer, PEER_NAME, target)


def _at_rest(ours: Kernel, peer: Kernel) -> Row:
    ours.execute("text(1)")
    peer.execute("print(1)")
    time.sleep(1)  # spares are refilled a moment after a cell
    return Row(
        "memory at rest, PSS of the tree",
        "MiB",
        tree_pss(ours.pid),
        tree_pss(peer.pid),
        PEER_NAME,
        below(90),
    )


def _latency(ours: Kernel, peer: Kernel, rounds: int) -> Iterator[Row]:
    p95_target = at_most(1.1)
    for pause in (0.0, 0.020):
        series = _interleaved(ours, peer, rounds, pause)
        label = "20 ms pause" if pause else "back to back"
        for what, of, target in (
            ("median", statistics.median, at_most(1.0)),
            ("p95", _p95, p95_target),
        ):
            yield Row(
                f"text(1) to idle, {label}, {what}",
                "ms",
                of(series[0]),
                of(series[1]),
                PEER_NAME,
                target,
            )


def _interleaved(
    ours: Kernel, peer: Kernel, rounds: int, pause: float
) -> tuple[list[float], list[float]]:
    """Milliseconds to idle of both kernels, measured in alternating batches."""
    series: tuple[list[float], list[float]] = ([], [])
    for _ in range(max(1, rounds // BATCH)):
        for kernel, code, results in ((ours, "text(1)", series[0]), (peer, "print(1)", series[1])):
            kernel.execute(code)  # the first of a batch pays for the change of turns
            for _ in range(BATCH):
                time.sleep(pause)
                results.append(kernel.execute(code).idle * 1e3)
    return series


def _p95(figures: list[float]) -> float:
    return statistics.quantiles(figures, n=20, method="inclusive")[-1]


def _lines(ours: Kernel, peer: Kernel) -> Iterator[Row]:
    runs = [(ours.execute(LINES_OURS), peer.execute(LINES_PEER)) for _ in range(STOPS)]
    rates = [[LINES / run.idle for run in side] for side in zip(*runs, strict=True)]
    ours_rate, peer_rate = (statistics.median(side) for side in rates)
    yield Row("10,000 lines from one cell", "lines/s", ours_rate, peer_rate, PEER_NAME, at_least(1))
    lost = [float(max(LINES - run.lines for run in side)) for side in zip(*runs, strict=True)]
    yield Row("lines lost", "", lost[0], lost[1], PEER_NAME, Target("figure", "<=", 0))


def _stop(ours: Kernel) -> Iterator[Row]:
    ours.execute("store('kept', 1)")
    for what, code in (
        ("while(true){}", "while (true) {}"),
        ("an endless await", "await new Promise(() => {})"),
    ):
        taken = [ours.stop(code) * 1e3 for _ in range(STOPS)]
        yield Row(f"Stop of {what}, worst of {STOPS}", "ms", max(taken), target=below(100))
    kept = ours.execute("if (load('kept') !== 1) throw new Error('lost')").status == "ok"
    yield Row("sessions lost by it", "", float(not kept), target=Target("figure", "<=", 0))


def _sleepers(ours: Kernel) -> Row:
    for _ in range(SLEEPERS):
        ours.execute(SLEEPER)
    return Row(
        f"{SLEEPERS} sleeping cells, PSS of the tree", "MiB", tree_pss(ours.pid), target=below(400)
    )


def _completion(ours: Kernel, rounds: int) -> Iterator[Row]:
    ours.begin(ENDLESS)
    first, *taken = (ours.complete(UNFINISHED) * 1e3 for _ in range(rounds))
    yield Row("completion while a cell runs, the first", "ms", first)
    for what, of in (("median", statistics.median), ("p95", _p95)):
        figure = of(taken)
        yield Row(f"completion while a cell runs, {what}", "ms", figure, target=below(20))
