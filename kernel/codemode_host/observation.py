"""Observations: who looks at a cell, and for how long (contract 3 and 4.1)."""

from __future__ import annotations

from msgspec import Struct

DEFAULT_YIELD_MS = 10_000
"""What an execute without `yield_time_ms` gets."""
GRACE_FROM_MS = 10_000
GRACE_MS = 1_000


class Observer(Struct, frozen=True, gc=False):
    """A request that waits for news of a cell; `received_ns` is the monotonic time it came in.

    An execute is `initial`: it is answered by `execute/initialResponse`, everything else by
    `operation/response`.
    """

    request_id: int
    received_ns: int
    initial: bool = False


def yield_after_ms(requested_ms: int | None, cap_ms: int | None) -> int:
    """Milliseconds until the deadline of an observation that was asked for `requested_ms`.

    From 10 s up there is 1 s of grace; the session's `maxYieldTimeMs` caps the sum.
    """
    asked = DEFAULT_YIELD_MS if requested_ms is None else requested_ms
    with_grace = asked + GRACE_MS if asked >= GRACE_FROM_MS else asked
    return with_grace if cap_ms is None else min(with_grace, cap_ms)
