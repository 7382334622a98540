"""The servers as `%mcp` shows them."""

from __future__ import annotations

from collections.abc import Iterator

from codemode_kernel.mcp.servers import McpServers, Named
from codemode_kernel.outputs.shortened import shortened

HEADINGS = ("server", "state", "tools", "transport", "named by", "last error", "last stderr")

LONGEST = 80
"""Characters of a cell of the table."""


def rows(servers: McpServers) -> Iterator[tuple[str, ...]]:
    """One for each server that is named."""
    for one in servers.named():
        settings, source = one.settings, servers.source(one.settings.name)
        yield (
            settings.name,
            state(servers, one),
            str(len(source.tools())) if source else "-",
            _short(settings.transport.words),
            one.origin.value,
            _short(source.connection.last_error) if source else "",
            _short(source.connection.stderr.last_line) if source else "",
        )


def state(servers: McpServers, one: Named) -> str:
    """What a server does, or why it does nothing."""
    if not one.settings.enabled:
        return "off"
    if not one.is_agreed:
        return "not agreed to"
    source = servers.source(one.settings.name)
    return source.connection.condition.value if source else "off"


def _short(text: str) -> str:
    return shortened(" ".join(text.split()), LONGEST)
