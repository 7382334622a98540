"""A question to a person about one call, and what can be answered.

The toolbox puts one question at a time, in the order of the calls. Whoever can reach a person
implements `Asker`, for these and for free questions (`toolbridge.gate.inquiries`).
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from toolbridge.gate.inquiries import Inquiry, Reply
from toolbridge.json_values import JsonValue
from toolbridge.tools import Tool


class Answer(StrEnum):
    """What a person says to a question."""

    ONCE = "once"
    SAME = "same"
    """Yes to this tool with these very arguments, as long as SESSION."""
    SESSION = "session"
    """Yes to this tool of this source until `%reset` or the end of the kernel."""
    NO = "no"
    """Not remembered: the next call asks again."""
    NEVER = "never"
    """No to this tool of this source, as long as SESSION."""
    AGAIN = "again"
    """Neither: the rules are others now, so the call has to be looked at once more."""


class Approval(StrEnum):
    """Why a call was let through."""

    RULE = "rule"
    ONCE = "once"
    SAME = "same"
    SESSION = "session"


@dataclass(frozen=True, slots=True)
class ApprovalRequest:
    """One question. Everything a person needs in order to decide."""

    tool: Tool
    arguments: JsonValue
    """The arguments as the tool will get them, without the values of secret fields."""
    text: str
    """The call in words a person reads quickly, such as the command line; may have many lines."""
    reason: str
    """Why the gate asks."""
    call_id: str
    """`tool-1`, ... of the cell; empty for a direct call."""
    cell_id: str | None
    """None for a direct call."""
    principal: str | None


class Asker(Protocol):
    """Puts a question to a person."""

    async def ask(self, question: ApprovalRequest) -> Answer:
        """Wait for the person, however long it takes.

        Cancellation withdraws the question: the cell has ended, or the call was stopped. Raises
        `NobodyThereError` when it turns out that nobody can answer.
        """
        ...

    async def inquire(self, inquiry: Inquiry) -> Reply:
        """Put a free question, likewise."""
        ...
