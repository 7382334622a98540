"""The tools one caller sees, frozen: a cell keeps its catalog while the toolbox changes."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from toolbridge.tools import Tool


@dataclass(frozen=True)
class Clash:
    """Two tools wanted one name. Reported, and settled without losing or replacing any silently."""

    tool: Tool
    """The later one."""
    holder: Tool
    """The one that was there first and keeps the name."""
    identifier: str | None
    """The callable name the later one got instead; None: its raw name is taken, it is left out."""

    @property
    def message(self) -> str:
        """One sentence for the person."""
        raise NotImplementedError


@dataclass(frozen=True)
class Catalog:
    """A list of tools. Identifiers are unique in it."""

    tools: tuple[Tool, ...]
    """What a script can call, in byte order of the raw names: the order of `tools`, `ALL_TOOLS`."""
    direct: tuple[Tool, ...] = ()
    """What only a model or a person can call, likewise."""
    clashes: tuple[Clash, ...] = ()

    def named(self, name: str, namespace: str | None = None) -> Tool | None:
        """The callable tool with the source's own name, as the wire names it in `tool_name`."""
        raise NotImplementedError

    def called(self, identifier: str) -> Tool | None:
        """The callable tool that scripts know as `tools.IDENTIFIER`."""
        raise NotImplementedError


def settle(tools: Iterable[Tool]) -> Catalog:
    """Give every tool of `tools` (in order of registration) one identifier of its own."""
    raise NotImplementedError
