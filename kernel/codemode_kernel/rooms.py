"""The rooms of a running kernel: what the message handlers and the magics call into."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from jupyter_core.paths import jupyter_data_dir
from toolbridge.errors import RuleError
from toolbridge.prompt.briefing import Briefing
from toolbridge.search.activation import Activations
from toolbridge.session_tools import session_tools
from toolbridge.sources.apply_patch import ApplyPatchSource
from toolbridge.sources.shell import ShellSource
from toolbridge.sources.view_image import ViewImageSource

from codemode_kernel.call_counts import CallCounts
from codemode_kernel.errors import ConfigurationError, HostUnavailable, KernelError, NotOffered
from codemode_kernel.events import SessionEvent
from codemode_kernel.exec_cells import ExecCells
from codemode_kernel.footers import Footers
from codemode_kernel.front_door import FrontDoor
from codemode_kernel.hints.adviser import Adviser
from codemode_kernel.host_command import EarlyHost, command_line
from codemode_kernel.interrupt import Interrupts
from codemode_kernel.loaded_tools import LoadedTools
from codemode_kernel.mcp.places import Places
from codemode_kernel.mcp.room import McpRoom
from codemode_kernel.policy import CONFIGURATION, Policy
from codemode_kernel.progress import ProgressBars
from codemode_kernel.project_rules import ProjectRules
from codemode_kernel.prompt_options import loads_tools, prompt_settings
from codemode_kernel.python_child import PythonChild
from codemode_kernel.questions.asker import Askers
from codemode_kernel.questions.board import Board
from codemode_kernel.recording.calls import Detail
from codemode_kernel.recording.records import Circumstances, Records
from codemode_kernel.replay import OutputLog
from codemode_kernel.runs import Runs
from codemode_kernel.session import Session, SessionSettings
from codemode_kernel.settings import KernelSettings
from codemode_kernel.stdin import Stdin
from codemode_kernel.trace import Traces
from codemode_kernel.waits import Waits
from toolbridge import GateMode, Rule, Toolbox, parse_rules

OWN_PROGRAM = "codemode-host"
"""What records call the host that comes with the kernel."""


@dataclass(frozen=True)
class Rooms:
    """Made once, when the kernel's event loop is there."""

    session: Session
    toolbox: Toolbox
    loaded: LoadedTools
    briefing: Briefing
    """What the model is told about the toolbox."""
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
    exec_cells: ExecCells
    waits: Waits
    problem: KernelError | None
    """An option that cannot be used, or nobody whose rooms these are: nothing runs then."""

    async def warm_up(self) -> None:
        """Bring the host up before it is needed. Should that fail, the first cell says why."""
        with suppress(HostUnavailable, NotOffered):
            await self.session.start()
            await self.session.describe_host()  # records name the engine

    def follow_notebook(self, path: str) -> None:
        """A page says where the notebook is: what was loaded in it belongs to that."""
        names = self.loaded.follow(path)
        if names and loads_tools(self.settings):
            self.briefing.activations.load(names, keep=True)

    async def close(self) -> None:
        """End every cell, tool, child and the host."""
        await self.door.close()
        await self.footers.close()
        await asyncio.gather(
            self.session.close(), self.python.close(), self.toolbox.close(), self.mcp.close()
        )


def furnish(
    settings: KernelSettings,
    problems: Sequence[str],
    interrupts: Interrupts,
    stdin: Stdin,
    early_host: EarlyHost | None,
    principal: str | None = None,
) -> Rooms:
    """Make the rooms that `settings` describe; `problems` is what they could not take.

    They are `principal`'s own; None: of the only writer.

    An `early_host` that is not the one wanted is ended.
    """
    command = command_line(settings.host_command, settings.exit_is_catchable)
    if early_host is not None and early_host.command != command:
        early_host.discard()
        early_host = None
    footers = Footers(asyncio.get_running_loop())
    door = FrontDoor()
    records = _records(settings, lambda: session.engine)
    progress = ProgressBars(asyncio.get_running_loop())
    traces = Traces(asyncio.get_running_loop(), enabled=settings.trace_calls)
    runs = Runs(footers, records, progress, traces)
    adviser = Adviser(settings.hints)
    python = PythonChild(cwd=str(Path.cwd()), on_call_output=runs.relay_call_output)
    rules, problem = _rules(settings, problems)
    toolbox = Toolbox()
    project = ProjectRules(Path.cwd(), Path(jupyter_data_dir()) / "codemode" / "agreed-rules.json")
    toolbox.questions.timeout_s = settings.question_timeout_s
    policy = Policy(toolbox, rules, project, GateMode(settings.gate_mode))
    board = Board(door.questions_changed)
    askers = Askers(stdin, board, policy)
    shell = ShellSource(Path.cwd())
    toolbox.add(shell)
    toolbox.add(ApplyPatchSource(Path.cwd()))
    toolbox.add(ViewImageSource(Path.cwd()))
    for source in session_tools(settings.session_tools, shell):
        toolbox.add(source)
    toolbox.add(python.source)
    mcp = McpRoom(toolbox, stdin, Places.of(Path.cwd()), settings.mcp_servers)
    if settings.ask_user:
        from toolbridge.sources.ask_user import AskUserSource

        toolbox.add(AskUserSource())
    loaded = LoadedTools(
        Path(jupyter_data_dir()) / "codemode" / "loaded-tools",
        os.environ.get("JPY_SESSION_NAME"),
        principal,
    )
    briefing = _briefing(settings, toolbox, principal, loaded)
    counts = CallCounts()

    def on_event(event: SessionEvent) -> None:
        runs.on_event(event)
        door.on_event(event)
        counts.on_event(event)

    session = Session(
        SessionSettings(
            host_command=command,
            exec_yield_time_ms=settings.exec_yield_time_ms,
            wait_yield_time_ms=settings.wait_yield_time_ms,
            max_output_tokens=settings.max_output_tokens,
            max_uncollected_cells=settings.max_uncollected_cells,
        ),
        toolbox,
        on_event=on_event,
        principal=principal,
        catalog=briefing.equip,
        launched=early_host.launched if early_host else None,
    )
    return Rooms(
        session=session,
        toolbox=toolbox,
        loaded=loaded,
        briefing=briefing,
        counts=counts,
        shell=shell,
        policy=policy,
        settings=settings,
        python=python,
        stdin=stdin,
        askers=askers,
        board=board,
        runs=runs,
        footers=footers,
        mcp=mcp,
        log=OutputLog(),
        door=door,
        records=records,
        exec_cells=ExecCells(
            session,
            runs,
            mcp,
            askers,
            adviser,
            records,
            lambda: str(settings.late_output),
        ),
        waits=Waits(session, runs, interrupts, adviser, records, settings.wait_yield_time_ms),
        problem=problem,
    )


def _briefing(
    settings: KernelSettings, toolbox: Toolbox, principal: str | None, kept: LoadedTools
) -> Briefing:
    """What the model is told, with what earlier lives of the kernel have loaded."""
    loads = loads_tools(settings)
    briefing = Briefing(
        toolbox,
        lambda: prompt_settings(settings),
        principal,
        is_frozen=bool(settings.freeze_tools),
        activations=Activations(kept.read() if loads else ()),
    )
    if loads:
        from toolbridge.sources.loaders import Loaders

        toolbox.add(
            Loaders(
                toolbox,
                briefing,
                atomic=settings.atomic_tool_groups,
                on_load=lambda: kept.write(briefing.activations.kept),
            )
        )
    return briefing


def _records(settings: KernelSettings, engine: Callable[[], str]) -> Records:
    program = settings.host_command[0] if settings.host_command else OWN_PROGRAM
    return Records(
        Circumstances(Detail(settings.record_calls), settings.profile, Path(program).name, engine)
    )


def _rules(
    settings: KernelSettings, problems: Sequence[str]
) -> tuple[tuple[Rule, ...], ConfigurationError | None]:
    rules: tuple[Rule, ...] = ()
    problems = list(problems)
    try:
        rules = parse_rules(settings.gate_rules, CONFIGURATION)
    except RuleError as error:
        problems.append(f"CodeModeKernel.gate_rules: {error}")
    return rules, ConfigurationError("\n".join(problems)) if problems else None
