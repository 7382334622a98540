"""What a planning turn may call. Deferral and the core set have no say in it.

A planning turn looks and asks, and changes nothing. The cell tools are let in so that it can reach
what is nested below them; a call from their scripts meets this same rule.
"""

from __future__ import annotations

from toolbridge.deferral.policy import BUILTIN, LOADERS
from toolbridge.tools import Annotations, Tool

ADMITTED = LOADERS | {
    "exec",
    "wait",
    "Delegate",
    "AskUserQuestion",
    "ExitPlanMode",
    "ShowView",
    "ask_user",
}
"""Built-in tools that have no effect of their own."""


def is_admitted_to_plan(tool: Tool, effects: Annotations | None = None) -> bool:
    """Whether a planning turn may call `tool`, directly or from a script.

    A tool of another source is let in when it says that it changes nothing; `effects` is what its
    source says of the one call, if that differs from the tool.
    """
    if tool.source == BUILTIN and tool.raw_name in ADMITTED:
        return True
    return (effects or tool.annotations).read_only is True
