"""What a model got of the latest execs and waits, for `%view`."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from codemode_kernel.record import RecordKind
from codemode_kernel.session.observation import (
    ModelOutput,
    Notification,
    Observation,
    OutputSize,
    Status,
)

MOST = 64
"""Views that are kept."""

MOST_CHARACTERS = 64 * 1024 * 1024
"""Texts, notifications and data URLs of all views that are kept, but the newest one's."""


@dataclass(frozen=True)
class View:
    """Everything that one exec or wait gave to a model."""

    kind: RecordKind
    call_id: str
    """Of the model's call; waits of a notebook are numbered, and so is what was refused."""
    cell_id: str
    """Empty for what was refused before it had one."""
    status: Status
    output: ModelOutput
    size: OutputSize
    notifications: Sequence[Notification]

    @cached_property
    def characters(self) -> int:
        """About what it takes in memory."""
        items = [self.output] if isinstance(self.output, str) else self.output
        shown = sum(
            len(item) if isinstance(item, str) else sum(len(value) for value in item.values())
            for item in items
        )
        return shown + sum(len(note.text) for note in self.notifications)

    def requested(self) -> list[dict[str, Any]]:
        """The items as a request to a model has them (model view 2 and 8)."""
        is_exec = self.kind is RecordKind.EXEC
        kind = "custom_tool_call_output" if is_exec else "function_call_output"
        result = {"type": kind, "call_id": self.call_id, "output": self.output}
        notes = [
            {
                "type": "custom_tool_call_output",
                "call_id": note.tool_call_id,
                "name": "exec",
                "output": note.text,
            }
            for note in self.notifications
        ]
        return [result, *notes]


class Views:
    """The views that are kept, oldest first."""

    def __init__(self) -> None:
        self._views: deque[View] = deque()
        self._characters = 0
        self._waits = 0
        self._refused = 0

    def remember(self, kind: RecordKind, observation: Observation, call_id: str | None) -> None:
        """Keep what a model got; the oldest views make room for it.

        `call_id` is empty for what was refused before it had one, and None for a wait. Both are
        numbered: a request takes no output without an id.
        """
        if call_id is None:
            self._waits += 1
            call_id = f"wait-{self._waits}"
        elif not call_id:
            self._refused += 1
            call_id = f"refused-{self._refused}"
        view = View(
            kind,
            call_id,
            observation.cell_id,
            observation.status,
            observation.output,
            observation.size,
            observation.notifications,
        )
        self._views.append(view)
        self._characters += view.characters
        while len(self._views) > 1 and (
            len(self._views) > MOST or self._characters > MOST_CHARACTERS
        ):
            self._characters -= self._views.popleft().characters

    def newest(self) -> View | None:
        """The view of the last exec or wait."""
        return self._views[-1] if self._views else None

    def of(self, cell_id: str) -> Sequence[View]:
        """Every view of one cell, oldest first."""
        return [view for view in self._views if view.cell_id == cell_id]

    def clear(self) -> None:
        """Forget all of them."""
        self._views.clear()
        self._characters = 0
