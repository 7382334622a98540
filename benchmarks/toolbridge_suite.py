"""The tool bridge by itself: search in a large catalog, and the exec description of one."""

import statistics
import time
from collections.abc import Callable, Iterator
from functools import partial

from toolbridge.catalog import settle
from toolbridge.prompt.composition import compose
from toolbridge.prompt.exec_tool import exec_description
from toolbridge.search.tool_search import search_tools

from benchmarks.report import Row, below
from benchmarks.tool_catalogs import catalog_of, queries

SEARCHED = 10_000
DESCRIBED = 1_000
REPEATS = 5


def measure(rounds: int) -> Iterator[Row]:
    """Rows in the order of the report; `rounds` searches."""
    yield from _search(rounds)
    yield from _description()


def _search(rounds: int) -> Iterator[Row]:
    composition = compose(settle(catalog_of(SEARCHED)))
    scope = composition.scope()
    first = _milliseconds(partial(search_tools, "create an issue", scope, composition.index))
    yield Row(f"search over {SEARCHED:,} tools, the first with its index", "ms", first)
    taken = [
        _milliseconds(partial(search_tools, query, scope, composition.index))
        for query in queries(scope.tools, rounds)
    ]
    for what, figure in (
        ("median", statistics.median(taken)),
        ("p95", statistics.quantiles(taken, n=20, method="inclusive")[-1]),
    ):
        yield Row(f"search over {SEARCHED:,} tools, warm, {what}", "ms", figure, target=below(20))


def _description() -> Iterator[Row]:
    fresh, again = [], []
    for _ in range(REPEATS):
        tools = settle(catalog_of(DESCRIBED)).tools  # nothing is declared yet
        fresh.append(_milliseconds(partial(exec_description, tools)))
        again.append(_milliseconds(partial(exec_description, tools)))
    what = f"exec description of {DESCRIBED:,} tools"
    yield Row(f"{what}, the first", "ms", statistics.median(fresh), target=below(150))
    yield Row(f"{what}, again", "ms", statistics.median(again))


def _milliseconds(work: Callable[[], object]) -> float:
    begin = time.perf_counter()
    work()
    return (time.perf_counter() - begin) * 1e3
