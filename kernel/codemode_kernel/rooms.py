"""The rooms of a running kernel: what the message handlers and the magics call into."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from dataclasses import dataclass

from toolbridge.deferral.policy import LOADERS_SOURCE
from toolbridge.prompt.briefing import Briefing
from toolbridge.sources.shell import ShellSource

from codemode_kernel.captures import Captures
from codemode_kernel.errors import HostUnavailable, KernelError, NotOffered
from codemode_kernel.front_door import FrontDoor
from codemode_kernel.gate.policy import Policy
from codemode_kernel.mcp.room import McpRoom
from codemode_kernel.messages.stdin import Stdin
from codemode_kernel.model_view.views import Views
from codemode_kernel.notebook.exec_cells import ExecCells
from codemode_kernel.notebook.footers import Footers
from codemode_kernel.notebook.runs import Runs
from codemode_kernel.notebook.waits import Waits
from codemode_kernel.prompt.choices import PromptChoices, offer_loader
from codemode_kernel.prompt.loaded_tools import LoadedTools
from codemode_kernel.prompt.options import loads_tools
from codemode_kernel.python_child import PythonChild
from codemode_kernel.questions.asker import Askers
from codemode_kernel.questions.board import Board
from codemode_kernel.recording.records import Records
from codemode_kernel.replay import OutputLog
from codemode_kernel.session.call_counts import CallCounts
from codemode_kernel.session.session import Session
from codemode_kernel.settings import KernelSettings
from toolbridge import Toolbox


@dataclass(frozen=True)
class Rooms:
    """Made once, when the kernel's event loop is there."""

    session: Session
    toolbox: Toolbox
    loaded: LoadedTools
    briefing: Briefing
    """What the model is told about the toolbox."""
    choices: PromptChoices
    counts: CallCounts
    shell: ShellSource
    policy: Policy
    settings: KernelSettings
    python: PythonChild
    stdin: Stdin
    askers: Askers
    board: Board
    runs: Runs
    footers: Footers
    mcp: McpRoom
    log: OutputLog
    door: FrontDoor
    records: Records
    views: Views
    captures: Captures
    exec_cells: ExecCells
    waits: Waits
    problem: KernelError | None
    """An option that cannot be used, or nobody whose rooms these are: nothing runs then."""

    async def warm_up(self) -> None:
        """Bring the host up before it is needed. Should that fail, the first cell says why."""
        with suppress(HostUnavailable, NotOffered):
            await self.session.start()
            await self.session.describe_host()  # records name the engine
        await self.captures.sweep()

    def follow_notebook(self, path: str) -> None:
        """A page says where the notebook is: what was loaded in it belongs to that."""
        names = self.loaded.follow(path)
        if names and loads_tools(self.settings):
            self.briefing.activations.load(names, keep=True)

    async def brief_anew(self) -> None:
        """The options of the prompt are others now: for the model the session begins anew."""
        for source in self.toolbox.sources:
            if source.id == LOADERS_SOURCE:
                await source.reset()
                await self.toolbox.remove(source.id)
        self.briefing.reconsider()
        offer_loader(self.choices.options, self.toolbox, self.briefing, self.loaded)

    async def close(self) -> None:
        """End every cell, tool, child and the host."""
        await self.door.close()
        await self.footers.close()
        await asyncio.gather(
            self.session.close(), self.python.close(), self.toolbox.close(), self.mcp.close()
        )
