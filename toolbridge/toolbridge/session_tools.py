"""Tools that recorded scripts call and that a session offers only when it is told to."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from toolbridge.sources.base import Source
    from toolbridge.sources.shell import ShellSource

SESSION_TOOLS = ("update_plan", "goals", "clock", "shell_command")
"""The names by which they are switched on."""


def session_tools(names: Sequence[str], shell: ShellSource) -> Iterator[Source]:
    """The sources with these names, each once; raises `ValueError` for an unknown one."""
    for name in dict.fromkeys(names):
        yield _source(name, shell)


def _source(name: str, shell: ShellSource) -> Source:
    """Imports only what is wanted: most sessions want none."""
    match name:
        case "update_plan":
            from toolbridge.sources.update_plan import UpdatePlanSource

            return UpdatePlanSource()
        case "goals":
            from toolbridge.sources.goals import GoalsSource

            return GoalsSource()
        case "clock":
            from toolbridge.sources.clock import ClockSource

            return ClockSource()
        case "shell_command":
            from toolbridge.sources.shell_command import ShellCommandSource

            return ShellCommandSource(shell)
    raise ValueError(f"there is no session tool {name!r}, only {', '.join(SESSION_TOOLS)}")
