"""Our host beside the Codex CLI's own: warm cells and nested tool calls, through one client."""

import statistics
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field

from benchmarks.hosts import Host, connected
from benchmarks.report import Row, at_least, at_most

OURS = (sys.executable, "-m", "codemode_host", "--listen", "stdio")
PEER_NAME = "Codex host"

BATCH = 10  # cells of one host before it is the other's turn
CALLS = 500
BURST = 100
BURSTS = 20
REPEATS = 7  # cells of each kind of calls

TRIVIAL = "text(1)"
SEQUENTIAL = f"for (let i = 0; i < {CALLS}; i++) await tools.echo({{i}})"
PARALLEL = (
    f"for (let round = 0; round < {BURSTS}; round++) "
    f"await Promise.all(Array.from({{length: {BURST}}}, (_, i) => tools.echo({{i}})))"
)


@dataclass
class Samples:
    """What one host did: milliseconds a cell, calls a second."""

    back_to_back: list[float] = field(default_factory=list)
    paused: list[float] = field(default_factory=list)
    sequential: list[float] = field(default_factory=list)
    parallel: list[float] = field(default_factory=list)


def measure(rounds: int, codex: str | None) -> Iterator[Row]:
    """Rows in the order of the report; `codex` is the path of the peer, if there is one."""
    commands: list[Sequence[str]] = [OURS]
    if codex is not None:
        commands.append((codex, "--listen", "stdio"))
    ours, *others = _sample(commands, rounds)
    peer = others[0] if others else Samples()
    for what, unit, mine, theirs, target in (
        (
            "warm trivial cell, back to back",
            "ms",
            ours.back_to_back,
            peer.back_to_back,
            at_most(0.5),
        ),
        ("warm trivial cell, 20 ms pause", "ms", ours.paused, peer.paused, at_most(0.5)),
        ("tool calls, one after the other", "1/s", ours.sequential, peer.sequential, at_least(1)),
        (f"tool calls, {BURST} at once", "1/s", ours.parallel, peer.parallel, at_least(4)),
    ):
        reference = statistics.median(theirs) if theirs else None
        yield Row(what, unit, statistics.median(mine), reference, PEER_NAME, target)


def _sample(commands: Sequence[Sequence[str]], rounds: int) -> list[Samples]:
    with ExitStack() as stack:
        hosts = [stack.enter_context(connected(command)) for command in commands]
        samples = [Samples() for _ in hosts]
        pairs = list(zip(hosts, samples, strict=True))
        for _ in range(max(1, rounds // BATCH)):
            for host, sample in pairs:
                _trivial_cells(host, sample.back_to_back, pause=0)
                _trivial_cells(host, sample.paused, pause=0.020)
        for _ in range(REPEATS):
            for host, sample in pairs:
                sample.sequential.append(CALLS / host.run(SEQUENTIAL))
                sample.parallel.append(BURST * BURSTS / host.run(PARALLEL))
        return samples


def _trivial_cells(host: Host, milliseconds: list[float], pause: float) -> None:
    host.run(TRIVIAL)  # the first of a batch pays for the change of turns
    for _ in range(BATCH):
        time.sleep(pause)
        milliseconds.append(host.run(TRIVIAL) * 1e3)
