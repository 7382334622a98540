"""Which deferred tools were loaded, by one principal in one session (deferral document, 2.6).

The record holds names, not tools: what is active at a moment are those of them that are still
deferred and that the caller may still use.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from typing import Any


class Activations:
    """Raw names in the order in which they were loaded."""

    def __init__(self, kept: Iterable[str] = ()) -> None:
        """`kept` are names that `kept` of an earlier life gave."""
        self._kept = dict.fromkeys(kept)
        self._passing: dict[str, None] = {}

    @property
    def names(self) -> tuple[str, ...]:
        """All that was loaded."""
        return tuple(self._kept | self._passing)

    @property
    def kept(self) -> tuple[str, ...]:
        """What outlives a restart: loads of `ToolSearch`, and none of `find_tools`."""
        return tuple(self._kept)

    def load(self, names: Iterable[str], *, keep: bool) -> None:
        """Record what has become active; `keep` it beyond this life."""
        (self._kept if keep else self._passing).update(dict.fromkeys(names))

    def clear(self) -> None:
        """Forget everything (`%reset`)."""
        self._kept.clear()
        self._passing.clear()

    def active(
        self, deferred: Collection[str], is_permitted: Callable[[str], bool]
    ) -> tuple[str, ...]:
        """The loaded names that count now, for a caller who may use what `is_permitted` says."""
        return tuple(name for name in self.names if name in deferred and is_permitted(name))


def journaled_loads(journal: Iterable[Mapping[str, Any]]) -> Iterator[str]:
    """The names that a conversation's own journal tells were loaded, in its order.

    They stand in the results of `ToolSearch` that did not fail, in old ones as `matched`, and in
    the summaries that took the place of such results.
    """
    for entry in journal:
        if entry.get("role") == "compactionSummary":
            names = entry.get("activatedTools")
        elif _is_search_result(entry):
            details = entry.get("details")
            details = details if isinstance(details, Mapping) else {}
            names = details.get("loaded") or details.get("matched")
        else:
            continue
        listed = names if isinstance(names, list) else []
        yield from (name for name in listed if isinstance(name, str))


def _is_search_result(entry: Mapping[str, Any]) -> bool:
    from toolbridge.search.tool_search import TOOL_SEARCH  # a kernel's start needs no search

    is_result = entry.get("role") == "toolResult" and not entry.get("isError")
    return is_result and entry.get("toolName") == TOOL_SEARCH.name
