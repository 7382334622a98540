"""A free question to a person: what an MCP server elicits, what `ask_user` asks.

A source puts one with `await context.inquire(Inquiry(...))`. Questions of all kinds share one
queue and one timeout, and the time they take counts against no limit.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from toolbridge.json_values import JsonValue


class ReplyAction(StrEnum):
    """What a person did with a question; the words of MCP's elicitation."""

    ACCEPT = "accept"
    """It was answered."""
    DECLINE = "decline"
    """The person said no."""
    CANCEL = "cancel"
    """Nobody answered in time."""


@dataclass(frozen=True, slots=True)
class Inquiry:
    """One free question."""

    message: str
    """What is asked, for the person; may have many lines."""
    asked_by: str
    """Who asks, in the person's words: `server git`, `ask_user`."""
    form: Mapping[str, Any] | None = None
    """JSON Schema of an object with flat properties (string, number, integer, boolean, enum), as
    in MCP's elicitation; None: one line of free text."""
    cell_id: str | None = None
    """Filled in by the toolbox; None for a direct call."""
    principal: str | None = None
    """Filled in by the toolbox."""


@dataclass(frozen=True, slots=True)
class Reply:
    """What the person said."""

    action: ReplyAction
    content: JsonValue = None
    """With ACCEPT: an object that fits the form, or the text; else None."""
