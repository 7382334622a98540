"""Recorded cases whose outcome hangs on times, played slower where a machine is too slow for them.

A recording says "yields after 50 ms, the text comes after 700 ms". On a loaded machine the wait in
between may be asked for too late. Stretched, the same case asks the same with more room.
"""

import re
from collections.abc import Iterator
from typing import Any

from tests.patience import SLOWDOWN
from tests.recorded import JsonObject

SLOWER = 4 * SLOWDOWN
"""How much slower a case is played again before it counts as failed."""

_TIMES = frozenset({"ms", "delay_ms", "yield_time_ms", "min_wall_ms", "max_wall_ms", "within_ms"})
_SCRIPTS = frozenset({"source", "input", "arguments"})

_TIME_IN_SCRIPT = re.compile(
    r"""((?: \b nap\( | \bms: | yield_time_ms"?:\ * | setTimeout\( [^;]*? ,\ * ))  # what takes a time
    (\d{1,6}) (?![\d.e])""",
    re.VERBOSE,
)


def paces(case: JsonObject) -> Iterator[JsonObject]:
    """The case as it was recorded and, if there are times in it, once more at a slower pace."""
    yield case
    slower = stretched(case, SLOWER)
    if slower != case:
        yield slower


def stretched(value: Any, factor: float, key: str = "") -> Any:
    """The same case with every time `factor` times as long."""
    if isinstance(value, dict):
        return {name: stretched(part, factor, name) for name, part in value.items()}
    if isinstance(value, list):
        return [stretched(part, factor, key) for part in value]
    if key in _SCRIPTS and isinstance(value, str):
        return _TIME_IN_SCRIPT.sub(lambda m: f"{m[1]}{round(int(m[2]) * factor)}", value)
    if key in _TIMES and isinstance(value, int) and value >= 0:
        return round(value * factor)
    return value
