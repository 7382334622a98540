"""Makes the rooms of a kernel from its settings."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from codemode_host.launch import LaunchedHost
from jupyter_core.paths import jupyter_data_dir, jupyter_runtime_dir
from toolbridge.errors import RuleError
from toolbridge.media import MediaPreparation
from toolbridge.prompt.briefing import Briefing
from toolbridge.search.activation import Activations
from toolbridge.session_tools import session_tools
from toolbridge.sources.apply_patch import ApplyPatchSource
from toolbridge.sources.shell import ShellSource
from toolbridge.sources.view_image import ViewImageSource

from codemode_kernel.captures import Captures
from codemode_kernel.captures.source import CaptureSource
from codemode_kernel.errors import ConfigurationError
from codemode_kernel.front_door import FrontDoor
from codemode_kernel.gate.policy import CONFIGURATION, Policy
from codemode_kernel.gate.project_rules import ProjectRules
from codemode_kernel.hints.adviser import Adviser
from codemode_kernel.host_command import EarlyHost, command_line
from codemode_kernel.mcp.places import Places
from codemode_kernel.mcp.room import McpRoom
from codemode_kernel.messages.stdin import Stdin
from codemode_kernel.model_view.options import keeps_mcp_audio, rules_of_media
from codemode_kernel.model_view.views import Views
from codemode_kernel.notebook.exec_cells import ExecCells
from codemode_kernel.notebook.footers import Footers
from codemode_kernel.notebook.interrupt import Interrupts
from codemode_kernel.notebook.progress import ProgressBars
from codemode_kernel.notebook.runs import Runs
from codemode_kernel.notebook.waits import Waits
from codemode_kernel.prompt.choices import PromptChoices, offer_loader
from codemode_kernel.prompt.loaded_tools import LoadedTools
from codemode_kernel.prompt.options import loads_tools
from codemode_kernel.python_child import PythonChild
from codemode_kernel.questions.asker import Askers
from codemode_kernel.questions.board import Board
from codemode_kernel.recording.calls import Detail
from codemode_kernel.recording.records import Circumstances, Records
from codemode_kernel.replay import OutputLog
from codemode_kernel.rooms import Rooms
from codemode_kernel.session.call_counts import CallCounts
from codemode_kernel.session.events import SessionEvent
from codemode_kernel.session.session import Session, SessionSettings
from codemode_kernel.settings import KernelSettings
from codemode_kernel.trace import Traces
from toolbridge import GateMode, Rule, Toolbox, parse_rules

OWN_PROGRAM = "codemode-host"
"""What records call the host that comes with the kernel."""


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
    command, launched = _host(settings, early_host)
    rules, problem = _rules(settings, problems)
    loop, toolbox, door, views = asyncio.get_running_loop(), Toolbox(), FrontDoor(), Views()
    captures = Captures(Path(jupyter_runtime_dir()) / "codemode-captures")
    records = _records(settings, lambda: session.engine, views)
    footers = Footers(loop)
    traces = Traces(loop, enabled=settings.trace_calls)
    runs = Runs(footers, records, ProgressBars(loop), traces)
    adviser = Adviser(settings.hints)
    python = PythonChild(cwd=str(Path.cwd()), on_call_output=runs.relay_call_output)
    shell = ShellSource(Path.cwd(), captures.shells.begin)
    _fill(toolbox, settings, shell, python, captures)
    policy = _policy(settings, toolbox, rules)
    board = Board(door.questions_changed)
    askers = Askers(stdin, board, policy)
    mcp = McpRoom(
        toolbox,
        askers,
        Places.of(Path.cwd()),
        settings.mcp_servers,
        keeps_audio=keeps_mcp_audio(settings),
    )
    loaded = _loaded_tools(principal)
    choices = PromptChoices(settings)
    briefing = _briefing(settings, choices, toolbox, principal, loaded)
    counts = CallCounts()

    def on_event(event: SessionEvent) -> None:
        runs.on_event(event)
        door.on_event(event)
        counts.on_event(event)

    session = Session(
        _session_settings(settings, command),
        toolbox,
        on_event=on_event,
        principal=principal,
        catalog=briefing.equip,
        launched=launched,
        media=MediaPreparation(rules_of_media(settings)),
    )
    late_output = partial(getattr, settings, "late_output")
    return Rooms(
        session=session,
        toolbox=toolbox,
        loaded=loaded,
        briefing=briefing,
        choices=choices,
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
        views=views,
        captures=captures,
        exec_cells=ExecCells(session, runs, mcp, askers, adviser, records, captures, late_output),
        waits=Waits(
            session, runs, interrupts, adviser, records, captures, settings.wait_yield_time_ms
        ),
        problem=problem,
    )


def _host(
    settings: KernelSettings, early_host: EarlyHost | None
) -> tuple[tuple[str, ...], LaunchedHost | None]:
    """The command of the host, and the one that was started early if it is that."""
    command = command_line(settings.host_command, settings.exit_is_catchable)
    if early_host is None:
        return command, None
    if early_host.command == command:
        return command, early_host.launched
    early_host.discard()
    return command, None


def _session_settings(settings: KernelSettings, command: Sequence[str]) -> SessionSettings:
    return SessionSettings(
        host_command=command,
        exec_yield_time_ms=settings.exec_yield_time_ms,
        wait_yield_time_ms=settings.wait_yield_time_ms,
        max_output_tokens=settings.max_output_tokens,
        prompt_max_tokens=settings.prompt_max_tokens,
        max_uncollected_cells=settings.max_uncollected_cells,
    )


def _fill(
    toolbox: Toolbox,
    settings: KernelSettings,
    shell: ShellSource,
    python: PythonChild,
    captures: Captures,
) -> None:
    """Add the tools that every session has, and those that `settings` ask for."""
    toolbox.questions.timeout_s = settings.question_timeout_s
    toolbox.add(shell)
    toolbox.add(ApplyPatchSource(Path.cwd()))
    toolbox.add(ViewImageSource(Path.cwd()))
    for source in session_tools(settings.session_tools, shell):
        toolbox.add(source)
    toolbox.add(python.source)
    toolbox.add(CaptureSource(captures))
    if settings.ask_user:
        from toolbridge.sources.ask_user import AskUserSource

        toolbox.add(AskUserSource())


def _policy(settings: KernelSettings, toolbox: Toolbox, rules: tuple[Rule, ...]) -> Policy:
    project = ProjectRules(Path.cwd(), Path(jupyter_data_dir()) / "codemode" / "agreed-rules.json")
    return Policy(toolbox, rules, project, GateMode(settings.gate_mode))


def _loaded_tools(principal: str | None) -> LoadedTools:
    folder = Path(jupyter_data_dir()) / "codemode" / "loaded-tools"
    return LoadedTools(folder, os.environ.get("JPY_SESSION_NAME"), principal)


def _briefing(
    settings: KernelSettings,
    choices: PromptChoices,
    toolbox: Toolbox,
    principal: str | None,
    kept: LoadedTools,
) -> Briefing:
    """What the model is told, with what earlier lives of the kernel have loaded."""
    briefing = Briefing(
        toolbox,
        choices.settings,
        principal,
        is_frozen=bool(settings.freeze_tools),
        activations=Activations(kept.read() if loads_tools(settings) else ()),
    )
    offer_loader(settings, toolbox, briefing, kept)
    return briefing


def _records(settings: KernelSettings, engine: Callable[[], str], views: Views) -> Records:
    program = settings.host_command[0] if settings.host_command else OWN_PROGRAM
    return Records(
        Circumstances(Detail(settings.record_calls), settings.profile, Path(program).name, engine),
        views,
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
