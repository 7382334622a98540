"""The inputs of this kernel's life, for front ends that ask (arrow keys and search in consoles).

Where several people share the kernel, each gets their own.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Any

from codemode_kernel.messages.sender import principal_in

KEPT = 1000
"""Inputs remembered; the oldest go first."""

SESSION = 1
"""History is not kept across kernels, so there is one session. Requests may call it 0, too."""


@dataclass(frozen=True)
class Entry:
    """One input: its execution count and text."""

    line: int
    text: str


class History:
    """Answers the three kinds of `history_request` of the messaging protocol."""

    def __init__(self) -> None:
        self._entries: deque[Entry] = deque(maxlen=KEPT)

    def add(self, line: int, text: str) -> None:
        """Remember one input."""
        self._entries.append(Entry(line, text))

    def reply(self, request: dict[str, Any]) -> dict[str, Any]:
        """The content of the `history_reply` to the content of a request."""
        kind = request.get("hist_access_type")
        if kind == "range":
            found = self._range(request)
        elif kind == "search":
            found = self._search(request)
        else:
            found = self._last(self._entries, request.get("n"))
        with_output = bool(request.get("output"))
        return {"status": "ok", "history": [_row(entry, with_output) for entry in found]}

    def _range(self, request: dict[str, Any]) -> list[Entry]:
        if request.get("session", 0) not in (0, SESSION):
            return []
        start, stop = request.get("start") or 0, request.get("stop")
        return [
            entry
            for entry in self._entries
            if entry.line >= start and (stop is None or entry.line < stop)
        ]

    def _search(self, request: dict[str, Any]) -> list[Entry]:
        pattern = request.get("pattern") or "*"
        found = [entry for entry in self._entries if fnmatchcase(entry.text, pattern)]
        if request.get("unique"):
            newest = {entry.text: entry for entry in found}
            found = sorted(newest.values(), key=lambda entry: entry.line)
        return self._last(found, request.get("n"))

    def _last(self, entries: Iterable[Entry], n: int | None) -> list[Entry]:
        everything = list(entries)
        return everything if n is None else everything[max(0, len(everything) - n) :]


class Histories:
    """The history of everybody who writes in a kernel."""

    def __init__(self, *, shared: bool) -> None:
        self._shared = shared
        self._by_principal: dict[str | None, History] = {}

    def of(self, message: Mapping[str, Any]) -> History:
        """That of whoever sends `message`. Nobody in particular has none: what is added is gone."""
        principal = principal_in(message) if self._shared else None
        if self._shared and principal is None:
            return History()
        return self._by_principal.setdefault(principal, History())


def _row(entry: Entry, with_output: bool) -> tuple[int, int, Any]:
    # An exec cell has no last value, so the output of every input is None.
    return SESSION, entry.line, (entry.text, None) if with_output else entry.text
