"""What is due before a cell's tools are listed."""

from __future__ import annotations

from codemode_rules.identifiers import normalise
from toolbridge.mcp.listing import namespace_of
from toolbridge.sources.mcp import LOOKS_THROUGH_TOOLS

from codemode_kernel.mcp.consent import Consent
from codemode_kernel.mcp.servers import McpServers
from codemode_kernel.outputs import CellOutputs


class Preparation:
    """Brings the servers up to date and asks about new ones where a cell may need them."""

    def __init__(self, servers: McpServers, consent: Consent) -> None:
        self._servers = servers
        self._consent = consent

    async def before(self, code: str, outputs: CellOutputs) -> None:
        """Look at what has changed; faults of a file are told below the cell, once."""
        for problem in self._servers.refresh():
            outputs.warn(problem)
        proposal = self._servers.open_proposal()
        if proposal is None:
            return
        names = (normalise(namespace_of(name)) for name in proposal.names)
        if LOOKS_THROUGH_TOOLS.search(code) or any(name in code for name in names):
            await self._consent.ask(outputs)
