"""The loader `ToolSearch`: a query to the tools that it loads (deferral document, section 2).

Who applies an outcome records `loaded`, no more: the results say what to activate and hold no
schema, since the next request declares what was loaded.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from toolbridge.deferral.policy import BUILTIN
from toolbridge.errors import SearchError
from toolbridge.search.index import ToolIndex
from toolbridge.search.scope import SearchScope, Standing
from toolbridge.tools import Annotations, Exposure, Tool

DEFAULT_LIMIT = 8

TOOL_SEARCH = Tool(
    "ToolSearch",
    source=BUILTIN,
    description=(
        "Finds and loads tools whose definitions are not in your prompt yet. Describe in a few words "
        "what you want to do, or name tools exactly with `select:NAME,NAME`. What it loads can be "
        "called from your next call on."
    ),
    input_schema={
        "type": "object",
        "properties": {
            "query": {
                "type": "string",
                "description": "Words to search for, or `select:` and exact names with commas.",
            },
            "limit": {
                "type": "integer",
                "minimum": 1,
                "description": f"Most tools to load for words; {DEFAULT_LIMIT} by default.",
            },
        },
        "required": ["query"],
        "additionalProperties": False,
    },
    annotations=Annotations(read_only=True),
    exposure=Exposure.DIRECT_ONLY,
)

_SELECT = re.compile(r"\s*select:(.*)", re.IGNORECASE | re.DOTALL)
_LINE_BREAK = re.compile(r"\r?\n")


@dataclass(frozen=True)
class Found:
    """What one query comes to. Names are raw ones."""

    loaded: tuple[Tool, ...] = ()
    """To be loaded now, best first."""
    active: tuple[str, ...] = ()
    """Named, and callable already."""
    refused: tuple[str, ...] = ()
    """Named, and not for this caller."""
    unknown: tuple[str, ...] = ()
    """Named, and not there as far as this caller is told."""

    @property
    def text(self) -> str:
        """What the model is told."""
        lines = [_loaded_text(self.loaded)] if self.loaded or not self._others else []
        lines += [f"{words}: {', '.join(names)}" for words, names in self._others]
        return "\n".join(lines)

    @property
    def details(self) -> dict[str, Any]:
        """The same for programs; a journal keeps `loaded`."""
        return {
            "loaded": [tool.raw_name for tool in self.loaded],
            "active": list(self.active),
            "refused": list(self.refused),
            "unknown": list(self.unknown),
        }

    @property
    def _others(self) -> list[tuple[str, tuple[str, ...]]]:
        groups = (
            ("Callable already", self.active),
            ("Not permitted here", self.refused),
            ("No such tool", self.unknown),
        )
        return [(words, names) for words, names in groups if names]


def search_tools(
    query: str, scope: SearchScope, index: ToolIndex | None = None, limit: float | None = None
) -> Found:
    """What `query` finds in `scope`; `index` is one of its tools, made anew when it is None.

    `select:` and names loads exactly those, however many. Raises `SearchError` for a query without
    words and for a limit that is no positive integer.
    """
    selected = _SELECT.fullmatch(query)
    if selected:
        return _selected(selected[1], scope)
    if not query.strip():
        raise SearchError("query must not be empty")
    most = DEFAULT_LIMIT if limit is None else _positive_integer(limit)
    found = (index or ToolIndex(scope.tools)).ranked(query, scope.left_out)
    return Found(tuple(found[:most]))


def _positive_integer(limit: float) -> int:
    if isinstance(limit, bool) or not isinstance(limit, int | float):
        raise SearchError("limit must be a positive integer")
    if limit <= 0 or limit != limit // 1:
        raise SearchError("limit must be a positive integer")
    return int(limit)


def _selected(names: str, scope: SearchScope) -> Found:
    loaded: dict[str, Tool] = {}
    others: dict[Standing | None, dict[str, None]] = {}
    for name in filter(None, (part.strip() for part in names.split(","))):
        tool = scope.named(name)
        standing = scope.standing(tool) if tool else None
        if tool and standing is Standing.LOADABLE:
            loaded[tool.raw_name] = tool
        else:
            others.setdefault(standing, {})[tool.raw_name if tool else name] = None
    return Found(
        tuple(loaded.values()),
        active=tuple(others.get(Standing.ACTIVE, ())),
        refused=tuple(others.get(Standing.REFUSED, ())),
        unknown=tuple(others.get(None, ())),
    )


def _loaded_text(tools: tuple[Tool, ...]) -> str:
    if not tools:
        return "No matching tools found."
    lines = [f"- {tool.raw_name}: {_first_line(tool.description)}" for tool in tools]
    noun = "tool" if len(tools) == 1 else "tools"
    head = f"Loaded {len(tools)} {noun}. They are available from your next call:"
    return "\n".join([head, *lines])


def _first_line(description: str) -> str:
    return _LINE_BREAK.split(description.strip())[0]
