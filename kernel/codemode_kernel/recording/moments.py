"""Points in time as a record writes them."""

from __future__ import annotations

from datetime import UTC, datetime


def moment(seconds: float) -> str:
    """Seconds since the epoch as ISO 8601 in UTC, to the millisecond."""
    written = datetime.fromtimestamp(seconds, UTC).isoformat(timespec="milliseconds")
    return written.removesuffix("+00:00") + "Z"
