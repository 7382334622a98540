"""The servers of a kernel. Nothing of MCP is imported before somebody names one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

from codemode_kernel.mcp.places import Places
from toolbridge import Toolbox

if TYPE_CHECKING:
    from codemode_kernel.mcp.consent import Consent
    from codemode_kernel.mcp.servers import McpServers
    from codemode_kernel.notebook.runs import NotebookRun
    from codemode_kernel.questions.asker import Askers


class McpRoom:
    """What is due before a cell, and the servers for who asks for them."""

    def __init__(
        self,
        toolbox: Toolbox,
        askers: Askers,
        places: Places,
        option: Mapping[str, Any],
        *,
        keeps_audio: bool = True,
    ) -> None:
        """`option` is the trait `mcp_servers`, as it was set; `keeps_audio` as in `McpSource`."""
        self._toolbox = toolbox
        self._askers = askers
        self._places = places
        self._option = option
        self._keeps_audio = keeps_audio

    @property
    def is_used(self) -> bool:
        """Whether there is a place that names servers, or was since the kernel began."""
        return (
            "servers" in self.__dict__
            or bool(self._option)
            or self._places.project.exists()
            or self._places.user.exists()
        )

    @cached_property
    def servers(self) -> McpServers:
        """Made when they are first asked for."""
        from codemode_kernel.mcp.servers import McpServers

        return McpServers(self._toolbox, self._places, self._option, keeps_audio=self._keeps_audio)

    def names(self) -> Sequence[str]:
        """Of all servers, in alphabetical order."""
        return [one.settings.name for one in self.servers.named()] if self.is_used else []

    @cached_property
    def consent(self) -> Consent:
        """Who asks about servers that came with a notebook."""
        from codemode_kernel.mcp.consent import Consent

        return Consent(self.servers, self._askers)

    async def before(self, code: str, run: NotebookRun) -> None:
        """Bring the servers up to date and ask about new ones if the cell may need them.

        Faults of a file are told below the cell, once.
        """
        if not self.is_used:
            return
        for problem in self.servers.refresh():
            run.outputs.warn(problem)
        if self.servers.may_be_needed_by(code):
            await self.consent.ask(run)

    async def close(self) -> None:
        """Wait for servers that were ended. Those in use are the toolbox's to close."""
        if "servers" in self.__dict__:
            await self.servers.close()
