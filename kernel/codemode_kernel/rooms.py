"""The rooms of a running kernel: what the message handlers and the magics call into."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from jupyter_core.paths import jupyter_data_dir, jupyter_runtime_dir
from toolbridge.errors import RuleError
from toolbridge.media import MediaPreparation, MediaRules, media_rules
from toolbridge.prompt.model_facts import ModelFacts, facts_of
from toolbridge.sources.apply_patch import ApplyPatchSource
from toolbridge.sources.shell import ShellSource

from codemode_kernel.captures import Captures
from codemode_kernel.captures.source import CaptureSource
from codemode_kernel.errors import ConfigurationError, HostUnavailable, NotOffered
from codemode_kernel.events import SessionEvent
from codemode_kernel.exec_cells import ExecCells
from codemode_kernel.footers import Footers
from codemode_kernel.front_door import FrontDoor
from codemode_kernel.hints.adviser import Adviser
from codemode_kernel.host_command import EarlyHost, command_line
from codemode_kernel.interrupt import Interrupts
from codemode_kernel.policy import Policy
from codemode_kernel.project_rules import ProjectRules
from codemode_kernel.python_child import PythonChild
from codemode_kernel.recording.calls import Detail
from codemode_kernel.recording.records import Circumstances, Records
from codemode_kernel.replay import OutputLog
from codemode_kernel.runs import Runs
from codemode_kernel.session import Session, SessionSettings
from codemode_kernel.settings import KernelSettings
from codemode_kernel.stdin import Stdin
from codemode_kernel.views import Views
from codemode_kernel.waits import Waits
from toolbridge import Rule, Toolbox, parse_rules

OWN_PROGRAM = "codemode-host"
"""What records call the host that comes with the kernel."""


@dataclass(frozen=True)
class Rooms:
    """Made once, when the kernel's event loop is there."""

    session: Session
    toolbox: Toolbox
    shell: ShellSource
    policy: Policy
    settings: KernelSettings
    python: PythonChild
    stdin: Stdin
    runs: Runs
    footers: Footers
    log: OutputLog
    door: FrontDoor
    records: Records
    views: Views
    captures: Captures
    exec_cells: ExecCells
    waits: Waits
    problem: ConfigurationError | None
    """An option that cannot be used: nothing runs before it is mended."""

    async def warm_up(self) -> None:
        """Bring the host up before it is needed. Should that fail, the first cell says why."""
        with suppress(HostUnavailable, NotOffered):
            await self.session.start()
            await self.session.describe_host()  # records name the engine
        await self.captures.sweep()

    async def close(self) -> None:
        """End every cell, tool, child and the host."""
        await self.door.close()
        await self.footers.close()
        await asyncio.gather(self.session.close(), self.python.close(), self.toolbox.close())


def furnish(
    settings: KernelSettings,
    problems: Sequence[str],
    interrupts: Interrupts,
    stdin: Stdin,
    early_host: EarlyHost | None,
) -> Rooms:
    """Make the rooms that `settings` describe; `problems` is what they could not take.

    An `early_host` that is not the one wanted is ended.
    """
    command = command_line(settings.host_command, settings.exit_is_catchable)
    if early_host is not None and early_host.command != command:
        early_host.discard()
        early_host = None
    footers = Footers(asyncio.get_running_loop())
    door = FrontDoor()
    views = Views()
    captures = Captures(Path(jupyter_runtime_dir()) / "codemode-captures")
    records = _records(settings, lambda: session.engine, views)
    runs = Runs(footers, records)
    adviser = Adviser(settings.hints)
    python = PythonChild(cwd=str(Path.cwd()), on_call_output=runs.relay_call_output)
    rules, problem = _rules(settings, problems)
    toolbox = Toolbox()
    project = ProjectRules(Path.cwd(), Path(jupyter_data_dir()) / "codemode" / "agreed-rules.json")
    policy = Policy(toolbox, rules, project)
    shell = ShellSource(Path.cwd())
    toolbox.add(shell)
    toolbox.add(ApplyPatchSource(Path.cwd()))
    toolbox.add(python.source)
    toolbox.add(CaptureSource(captures))

    def on_event(event: SessionEvent) -> None:
        runs.on_event(event)
        door.on_event(event)

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
        launched=early_host.launched if early_host else None,
        media=MediaPreparation(_media_rules(settings)),
    )
    return Rooms(
        session=session,
        toolbox=toolbox,
        shell=shell,
        policy=policy,
        settings=settings,
        python=python,
        stdin=stdin,
        runs=runs,
        footers=footers,
        log=OutputLog(),
        door=door,
        records=records,
        views=views,
        captures=captures,
        exec_cells=ExecCells(
            session,
            runs,
            stdin,
            policy,
            adviser,
            records,
            captures,
            lambda: str(settings.late_output),
        ),
        waits=Waits(
            session, runs, interrupts, adviser, records, captures, settings.wait_yield_time_ms
        ),
        problem=problem,
    )


def _records(settings: KernelSettings, engine: Callable[[], str], views: Views) -> Records:
    program = settings.host_command[0] if settings.host_command else OWN_PROGRAM
    return Records(
        Circumstances(Detail(settings.record_calls), settings.profile, Path(program).name, engine),
        views,
    )


def _media_rules(settings: KernelSettings) -> MediaRules:
    facts = facts_of(settings.model, ModelFacts(audio_input=settings.audio_input))
    return media_rules(settings.profile, facts)


def _rules(
    settings: KernelSettings, problems: Sequence[str]
) -> tuple[tuple[Rule, ...], ConfigurationError | None]:
    rules: tuple[Rule, ...] = ()
    problems = list(problems)
    try:
        rules = parse_rules(settings.gate_rules)
    except RuleError as error:
        problems.append(f"CodeModeKernel.gate_rules: {error}")
    return rules, ConfigurationError("\n".join(problems)) if problems else None
