"""Asks before a server is started that came with a notebook."""

from __future__ import annotations

from codemode_kernel.errors import NobodyToAsk
from codemode_kernel.mcp.places import PROJECT_FILE
from codemode_kernel.mcp.servers import McpServers
from codemode_kernel.outputs import CellOutputs
from codemode_kernel.stdin import Stdin
from codemode_kernel.visible import visible_lines

CHOICES = "Start them, now and whenever they come with a notebook? [y]es, [n]o: "


class Consent:
    """Puts the question below the cell that needs the answer."""

    def __init__(self, servers: McpServers, stdin: Stdin) -> None:
        self._servers = servers
        self._stdin = stdin

    async def ask(self, outputs: CellOutputs) -> None:
        """Ask, unless there is nothing to ask or nobody to answer; cancelling withdraws it."""
        proposal = self._servers.open_proposal()
        if proposal is None:
            return
        prompt = (
            f"{PROJECT_FILE} beside this notebook wants to start MCP servers:\n"
            f"{visible_lines(proposal.text)}\n{CHOICES}"
        )
        outputs.flush()
        try:
            typed = await self._stdin.ask(outputs.publisher.request, prompt)
        except NobodyToAsk:
            return
        self._servers.settle(proposal, typed.strip().lower() in ("y", "yes"))
