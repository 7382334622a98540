"""An index of tools by name and by words.

The words are counted once, when the first search needs them. A tool that a search leaves out has no
say in it: not in how rare a term is, nor in how long a text is on average.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from toolbridge.search.terms import terms_of, tool_text
from toolbridge.tools import Tool

if TYPE_CHECKING:
    from toolbridge.search.okapi import Okapi


class ToolIndex:
    """`tools` in order of registration. Use it again for as long as they are the same."""

    def __init__(self, tools: Sequence[Tool]) -> None:
        self.tools = tuple(tools)

    def ranked(self, query: str, left_out: Collection[str] = ()) -> list[Tool]:
        """The tools that match `query`, best first; equals in order of registration.

        A tool whose name is the query, whatever the case, comes before all others. `left_out` are
        raw names.
        """
        if not self.tools:
            return []
        out = {self._places[name] for name in left_out if name in self._places}
        named = [at for at in self._by_name.get(query.strip().casefold(), ()) if at not in out]
        found = self._words.best(dict.fromkeys(terms_of(query)), out)
        return [self.tools[at] for at in dict.fromkeys([*named, *found])]

    @cached_property
    def _words(self) -> Okapi:
        # Brings numpy with it, which is slow to import.
        from toolbridge.search.okapi import Okapi

        return Okapi([terms_of(tool_text(tool)) for tool in self.tools])

    @cached_property
    def _places(self) -> dict[str, int]:
        return {tool.raw_name: at for at, tool in enumerate(self.tools)}

    @cached_property
    def _by_name(self) -> dict[str, list[int]]:
        """Places by every name of a tool, in lower case."""
        places: dict[str, list[int]] = {}
        for at, tool in enumerate(self.tools):
            names = {name.casefold() for name in (tool.raw_name, tool.identifier, tool.name)}
            for name in names:
                places.setdefault(name, []).append(at)
        return places
