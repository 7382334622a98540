"""Whether a model would be told something else now than when the session began, and why."""

from __future__ import annotations

from toolbridge.prompt.briefing import Briefing

MAX_REASONS = 12
"""Reasons that are told; more of them are counted."""


def prompt_news(briefing: Briefing) -> str:
    """One paragraph for the person."""
    frozen = " The set of tools is frozen." if briefing.is_frozen else ""
    reasons = briefing.changes()
    is_local = briefing.settings.route == "local"
    subject = "The list of declared tools" if is_local else "The description of exec"
    if not reasons and not briefing.has_changed():
        return f"{subject} has not changed since the session began.{frozen}"
    told = "; ".join(reasons[:MAX_REASONS]) or "in words that belong to no tool"
    if len(reasons) > MAX_REASONS:
        told += f"; and {len(reasons) - MAX_REASONS} more"
    if briefing.has_changed():
        return f"{subject} has changed since the session began: {told}.{frozen}"
    return f"{subject} is the same as when the session began, but {told}.{frozen}"
