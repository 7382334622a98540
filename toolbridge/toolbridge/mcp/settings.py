"""One MCP server, as somebody configured it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from typing import TypeAlias

START_TIMEOUT_S = 30.0
"""How long a server may take from its start to its list of tools, in seconds."""

CALL_TIMEOUT_S = 300.0
"""How long a call may go without an answer or a sign of progress, in seconds."""


@dataclass(frozen=True, slots=True)
class Stdio:
    """A program that speaks on its stdin and stdout."""

    command: str
    args: tuple[str, ...] = ()
    env: Mapping[str, str] = field(default_factory=dict)
    """Added to the few variables that every server inherits, such as PATH and HOME."""
    cwd: str | None = None
    """None: the folder of the notebook."""

    @property
    def words(self) -> str:
        """The transport for a table."""
        return f"stdio: {' '.join((self.command, *self.args))}"


@dataclass(frozen=True, slots=True)
class Http:
    """A URL that speaks streamable HTTP."""

    url: str
    headers: Mapping[str, str] = field(default_factory=dict)

    @property
    def words(self) -> str:
        """The transport for a table; a query may hold a secret and is left out."""
        return f"http: {self.url.split('?', 1)[0]}"


Transport: TypeAlias = Stdio | Http


@dataclass(frozen=True, slots=True)
class ServerSettings:
    """How to reach a server and what to use of it."""

    name: str
    transport: Transport
    enabled: bool = True
    start_timeout_s: float = START_TIMEOUT_S
    call_timeout_s: float = CALL_TIMEOUT_S
    """Time in which a person is asked does not count."""
    parallel: bool = False
    """Whether it takes several calls at a time; by default one waits for the other (model view 9)."""
    enabled_tools: tuple[str, ...] | None = None
    """Globs over the server's own names of tools; None: all of them."""
    disabled_tools: tuple[str, ...] = ()
    """Globs likewise; they come after `enabled_tools`."""

    def offers(self, tool: str) -> bool:
        """Whether the tool that the server calls `tool` is used."""
        wanted = self.enabled_tools is None or _matches(tool, self.enabled_tools)
        return wanted and not _matches(tool, self.disabled_tools)


def _matches(name: str, patterns: tuple[str, ...]) -> bool:
    return any(fnmatchcase(name, pattern) for pattern in patterns)
