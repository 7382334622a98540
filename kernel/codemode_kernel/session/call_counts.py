"""How often each tool was called in this session."""

from __future__ import annotations

from collections import Counter

from codemode_kernel.session.events import CallStarted, SessionEvent
from toolbridge import Tool


class CallCounts:
    """Counts calls of scripts and direct ones, whatever became of them."""

    def __init__(self) -> None:
        self._counts: Counter[tuple[str, str]] = Counter()

    def on_event(self, event: SessionEvent) -> None:
        """Count what a script calls."""
        if isinstance(event, CallStarted):
            self.add(event.call.definition)

    def add(self, tool: Tool) -> None:
        """Count one call."""
        self._counts[tool.source, tool.raw_name] += 1

    def of(self, tool: Tool) -> int:
        """Calls of `tool` so far."""
        return self._counts[tool.source, tool.raw_name]

    def clear(self) -> None:
        """A session as new (`%reset`)."""
        self._counts.clear()
