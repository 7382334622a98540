"""The tools one caller sees, frozen: a cell keeps its catalog while the toolbox changes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property

from toolbridge.tools import Exposure, Tool


@dataclass(frozen=True)
class Clash:
    """Two tools wanted one name. Reported; neither is lost or replaced silently."""

    tool: Tool
    """The later one."""
    holder: Tool
    """The one that was there first and keeps the name."""
    identifier: str | None
    """The callable name the later one got instead; None: its raw name is taken, it is left out."""

    @property
    def message(self) -> str:
        """One sentence for the person."""
        both = f"`{self.tool.raw_name}` of {self.tool.source}"
        holder = f"`{self.holder.raw_name}` of {self.holder.source}"
        if self.identifier is None:
            return f"{both} is left out: {holder} has the name."
        return f"{both} is called `{self.identifier}`: {holder} has `{self.holder.identifier}`."


@dataclass(frozen=True)
class Catalog:
    """A list of tools. Identifiers are unique in it."""

    tools: tuple[Tool, ...]
    """What a script can call, in byte order of the raw names: the order of `tools`, `ALL_TOOLS`."""
    direct: tuple[Tool, ...] = ()
    """What only a model or a person can call, likewise."""
    clashes: tuple[Clash, ...] = ()
    registered: tuple[Tool, ...] = ()
    """All of them, callable or direct, in order of registration."""

    def named(self, name: str, namespace: str | None = None) -> Tool | None:
        """The callable tool with the source's own name, as the wire names it in `tool_name`."""
        return self._by_name.get((namespace or "", name))

    def called(self, identifier: str) -> Tool | None:
        """The callable tool that scripts know as `tools.IDENTIFIER`."""
        return self._by_identifier.get(identifier)

    @cached_property
    def _by_name(self) -> dict[tuple[str, str], Tool]:
        return {(tool.namespace or "", tool.name): tool for tool in self.tools}

    @cached_property
    def _by_identifier(self) -> dict[str, Tool]:
        return {tool.identifier: tool for tool in self.tools}


def settle(
    tools: Iterable[Tool], clashes: Iterable[Clash] = (), *, numbered: bool = True
) -> Catalog:
    """Give every tool of `tools` (in order of registration) one identifier of its own.

    The first keeps the plain one, later ones get `_2`, `_3`, and so on (design, Names); not
    `numbered`, later ones are left out, as the deferral document has it. `clashes` are earlier ones
    to report with those found here.
    """
    holders: dict[str, Tool] = {}
    found = list(clashes)
    for tool in tools:
        holder = holders.get(tool.identifier)
        if holder is None:
            holders[tool.identifier] = tool
            continue
        if not numbered:
            found.append(Clash(tool, holder, None))
            continue
        free = next(name for name in _numbered(tool.identifier) if name not in holders)
        renamed = replace(tool, identifier=free)
        holders[free] = renamed
        found.append(Clash(renamed, holder, free))
    ordered = sorted(holders.values(), key=lambda tool: tool.raw_name.encode())
    return Catalog(
        tools=tuple(tool for tool in ordered if tool.exposure is Exposure.NESTED),
        direct=tuple(tool for tool in ordered if tool.exposure is not Exposure.NESTED),
        clashes=tuple(found),
        registered=tuple(holders.values()),
    )


def prompt_order(tools: Iterable[Tool]) -> list[Tool]:
    """`tools` as a prompt lists them: those without a section, then section by section, by name."""
    return sorted(tools, key=_prompt_place)


def _prompt_place(tool: Tool) -> tuple[bytes, bytes]:
    section = tool.prompt_section
    return (section.name if section else "").encode(), tool.raw_name.encode()


def _numbered(identifier: str) -> Iterator[str]:
    number = 2
    while True:
        yield f"{identifier}_{number}"
        number += 1
