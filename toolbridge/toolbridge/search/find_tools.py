"""The second loader, `find_tools`: over a list of tools that a person put away by name.

It looks before it loads: a query tells matches and their state, `load` takes exact names. What it
loads lasts for the session. (Toolkit document, 5.8.)
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from toolbridge.deferral.policy import BUILTIN
from toolbridge.deferral.preview import preview
from toolbridge.errors import SearchError
from toolbridge.search.index import ToolIndex
from toolbridge.search.scope import SearchScope, Standing
from toolbridge.tools import Annotations, Exposure, Tool

MAX_MATCHES = 8

FIND_TOOLS = Tool(
    "find_tools",
    source=BUILTIN,
    description=(
        "Looks through tools that were put away to keep the prompt short. `query` tells what there "
        "is; `load` makes tools callable, by the exact names that a query gave."
    ),
    input_schema={
        "type": "object",
        "properties": {
            "query": {"type": "string", "description": "Words that say what is needed."},
            "load": {
                "type": "array",
                "items": {"type": "string"},
                "description": "Exact names of tools to load.",
            },
        },
        "additionalProperties": False,
    },
    annotations=Annotations(read_only=True),
    exposure=Exposure.DIRECT_ONLY,
)


class State(StrEnum):
    """How a managed tool stands."""

    ACTIVE = "active"
    ELIGIBLE = "eligible"
    """It can be loaded."""
    UNAVAILABLE = "unavailable"


_STATES = {
    Standing.ACTIVE: State.ACTIVE,
    Standing.LOADABLE: State.ELIGIBLE,
    Standing.REFUSED: State.UNAVAILABLE,
}


@dataclass(frozen=True, slots=True)
class Match:
    """One managed tool that a query found."""

    name: str
    summary: str
    """One line."""
    state: State
    reason: str = ""
    """Why it is unavailable."""


@dataclass(frozen=True)
class Finding:
    """What one call comes to; whoever applies it records `loaded`."""

    matches: tuple[Match, ...] = ()
    loaded: tuple[str, ...] = ()
    """Raw names to be activated now; those that were active are not among them."""
    rejected: dict[str, str] = field(default_factory=dict)
    """Name to reason."""

    @property
    def value(self) -> dict[str, Any]:
        """The result as the model gets it."""
        matches = [
            {"name": match.name, "summary": match.summary, "state": _state_text(match)}
            for match in self.matches
        ]
        rejected = [{"name": name, "reason": why} for name, why in self.rejected.items()]
        return {"matches": matches, "loaded": list(self.loaded), "rejected": rejected}


class Finder:
    """The managed tools of one caller."""

    def __init__(
        self, managed: Iterable[str], scope: SearchScope, atomic: Iterable[str] = ()
    ) -> None:
        """`managed` are raw names; groups named in `atomic` are loaded whole.

        Raises `SearchError` when `managed` names a part of an atomic group.
        """
        self._managed = tuple(dict.fromkeys(managed))
        self._scope = scope
        self._atomic = frozenset(atomic)
        self._tools = {tool.raw_name: tool for tool in scope.tools}
        for name in self._managed:
            missing = [other for other in self._whole(name) if other not in self._managed]
            if missing:
                raise SearchError(
                    f"`{name}` can be deferred only together with {', '.join(missing)}"
                )

    def find(self, query: str | None = None, load: Sequence[str] | None = None) -> Finding:
        """Answer one call. Raises `SearchError` when it asks for nothing."""
        if query is None and load is None:
            raise SearchError("find_tools needs `query` or `load`")
        matches = self._matches(query) if query is not None else ()
        loaded: dict[str, None] = {}
        rejected: dict[str, str] = {}
        for name in load or ():
            reason = self._fault(name)
            if reason:
                rejected[name] = reason
            else:
                loaded.update(dict.fromkeys(self._whole(name)))
        return Finding(matches, tuple(filter(self._is_away, loaded)), rejected)

    def _matches(self, query: str) -> tuple[Match, ...]:
        known = [self._tools.get(name) or Tool(name, source="") for name in self._managed]
        found = ToolIndex(known).ranked(query)
        return tuple(self._match(tool) for tool in found[:MAX_MATCHES])

    def _match(self, tool: Tool) -> Match:
        state, reason = self._state(tool.raw_name)
        return Match(tool.raw_name, preview(tool.description), state, reason)

    def _state(self, name: str) -> tuple[State, str]:
        tool = self._tools.get(name)
        if tool is None:
            return State.UNAVAILABLE, "it is not offered"
        state = _STATES[self._scope.standing(tool)]
        return state, "it is not permitted here" if state is State.UNAVAILABLE else ""

    def _fault(self, name: str) -> str:
        """Why `name` cannot be loaded; empty: it can. No member of a group goes without the others."""
        if name not in self._managed:
            return "it is not managed here"
        for member in [name, *self._group(name)]:
            state, reason = self._state(member)
            if state is State.UNAVAILABLE:
                return reason if member == name else f"{member}, which it needs: {reason}"
        return ""

    def _is_away(self, name: str) -> bool:
        return self._state(name)[0] is State.ELIGIBLE

    def _whole(self, name: str) -> list[str]:
        """`name`, with all of its group where that is atomic."""
        tool = self._tools.get(name)
        return self._group(name) if tool and tool.group in self._atomic else [name]

    def _group(self, name: str) -> list[str]:
        """The members of the group of `name`, itself included."""
        tool = self._tools.get(name)
        if tool is None or tool.group is None:
            return [name]
        return [
            other.raw_name
            for other in self._tools.values()
            if (other.source, other.group) == (tool.source, tool.group)
        ]


def _state_text(match: Match) -> str:
    return f"{match.state}: {match.reason}" if match.reason else str(match.state)
