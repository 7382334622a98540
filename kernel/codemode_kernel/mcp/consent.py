"""Asks before a server is started that came with a notebook."""

from __future__ import annotations

from codemode_kernel.mcp.places import PROJECT_FILE
from codemode_kernel.mcp.servers import McpServers
from codemode_kernel.notebook.runs import NotebookRun
from codemode_kernel.questions import wording
from codemode_kernel.questions.asker import Askers
from toolbridge import NobodyThereError


class Consent:
    """Puts the question wherever the person can answer it."""

    def __init__(self, servers: McpServers, askers: Askers) -> None:
        self._servers = servers
        self._askers = askers

    async def ask(self, run: NotebookRun) -> None:
        """Ask for `run`, unless there is nothing to ask or nobody to answer.

        Cancelling withdraws the question.
        """
        proposal, asker = self._servers.open_proposal(), self._askers.of(run)
        if proposal is None or asker is None:
            return
        try:
            agreed = await asker.consents(wording.server_consent(PROJECT_FILE, proposal.text))
        except NobodyThereError:
            return
        self._servers.settle(proposal, agreed)
