"""`clock__curr_time`: what time it is."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Any

from toolbridge.calls import CallContext, ToolCall
from toolbridge.json_values import JsonValue
from toolbridge.sources.base import Source
from toolbridge.tools import Annotations, Tool

SOURCE_ID = "clock"

CURR_TIME = Tool(
    name="curr_time",
    namespace="clock",
    source=SOURCE_ID,
    description="Gives the time where the kernel runs.",
    input_schema={"type": "object", "properties": {}, "additionalProperties": False},
    output_schema={
        "type": "object",
        "properties": {
            "current_time": {"type": "string", "description": "ISO 8601, with the offset from UTC."}
        },
        "required": ["current_time"],
        "additionalProperties": False,
    },
    annotations=Annotations(read_only=True),
)


def _now() -> datetime:
    return datetime.now().astimezone()


class ClockSource(Source):
    """Reads the kernel's clock. A cell itself knows the time, but not the time zone's offset."""

    id = SOURCE_ID
    description = "What time it is."

    def __init__(self, clock: Callable[[], datetime] = _now) -> None:
        """`clock` gives times with a time zone."""
        self._clock = clock

    def tools(self) -> Sequence[Tool]:
        return (CURR_TIME,)

    async def call(
        self, call: ToolCall, admitted: Any, context: CallContext
    ) -> dict[str, JsonValue]:
        return {"current_time": self._clock().isoformat(timespec="seconds")}
