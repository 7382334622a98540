"""A question that an MCP server puts to the person while it serves a call."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Protocol, runtime_checkable

from toolbridge.json_values import JsonValue


@dataclass(frozen=True, slots=True)
class Elicitation:
    """One question. Either some fields are asked for, or the person is to visit a page."""

    server: str
    """Whose question it is, by the name that the person gave the server."""
    message: str
    fields: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    """Schemas of the fields by name, flat; each a string, number, integer, boolean or enum."""
    required: frozenset[str] = frozenset()
    url: str | None = None
    """A page to visit in place of fields."""
    cell_id: str | None = None
    """The cell whose call the server serves."""


class ElicitationAction(StrEnum):
    """How a person reacts; the words of the protocol."""

    ACCEPT = "accept"
    DECLINE = "decline"
    CANCEL = "cancel"
    """Neither: the person went away, or the cell ended."""


@dataclass(frozen=True, slots=True)
class ElicitationAnswer:
    """What is told to the server."""

    action: ElicitationAction
    content: Mapping[str, JsonValue] = field(default_factory=dict)
    """The fields that were filled in."""


DECLINED = ElicitationAnswer(ElicitationAction.DECLINE)
CANCELLED = ElicitationAnswer(ElicitationAction.CANCEL)


@runtime_checkable
class Elicitor(Protocol):
    """An `Asker` that can put such questions, too."""

    async def elicit(self, question: Elicitation) -> ElicitationAnswer:
        """Wait for the person; cancellation withdraws the question.

        Raises `NobodyThereError` when it turns out that nobody can answer.
        """
        ...
