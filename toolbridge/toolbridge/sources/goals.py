"""`create_goal`, `get_goal`, `update_goal`: what a long session is to come to."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from toolbridge.calls import CallContext, ToolCall
from toolbridge.errors import ToolError
from toolbridge.json_values import JsonValue
from toolbridge.sources.base import Source
from toolbridge.tools import Annotations, Tool

SOURCE_ID = "goals"
GROUP = "goals"
ENDINGS = ("complete", "blocked")


@dataclass(frozen=True, slots=True)
class Goal:
    """One goal of one principal."""

    objective: str
    token_budget: int | None
    created_at: int
    """Unix time, in seconds."""
    status: str = "active"

    def value(self, now: float) -> dict[str, JsonValue]:
        """The goal as scripts see it."""
        return {
            "objective": self.objective,
            "status": self.status,
            "token_budget": self.token_budget,
            "created_at": self.created_at,
            "time_used_seconds": max(0, int(now) - self.created_at),
        }


_GOAL = {
    "type": "object",
    "properties": {
        "goal": {
            "type": ["object", "null"],
            "properties": {
                "objective": {"type": "string"},
                "status": {"type": "string", "enum": ["active", *ENDINGS]},
                "token_budget": {"type": ["integer", "null"]},
                "created_at": {"type": "integer"},
                "time_used_seconds": {"type": "integer"},
            },
            "required": ["objective", "status", "token_budget", "created_at", "time_used_seconds"],
        }
    },
    "required": ["goal"],
}


def _tool(
    name: str, description: str, properties: Mapping[str, Any], required: Sequence[str] = ()
) -> Tool:
    return Tool(
        name=name,
        source=SOURCE_ID,
        group=GROUP,
        description=description,
        input_schema={
            "type": "object",
            "properties": properties,
            "required": list(required),
            "additionalProperties": False,
        },
        output_schema=_GOAL,
        annotations=Annotations(read_only=True),
    )


CREATE_GOAL = _tool(
    "create_goal",
    "Notes what the session is to come to, when the person asked for a goal. There is one at most.",
    {
        "objective": {"type": "string", "minLength": 1, "description": "What is to be reached."},
        "token_budget": {
            "type": "integer",
            "minimum": 1,
            "description": "Tokens it may cost. Noted, and not enforced.",
        },
    },
    ["objective"],
)
GET_GOAL = _tool("get_goal", "Gives the goal and how long it has been there, or null.", {})
UPDATE_GOAL = _tool(
    "update_goal",
    "Says that the goal is reached, or that nothing more can be done for it.",
    {"status": {"type": "string", "enum": list(ENDINGS)}},
    ["status"],
)


class GoalsSource(Source):
    """Keeps one goal for each principal. It changes nothing but itself, so nobody is asked."""

    id = SOURCE_ID
    description = "What a long session is to come to."

    def __init__(self, clock: Callable[[], float] = time.time) -> None:
        """`clock` gives Unix time, in seconds."""
        self._clock = clock
        self._goals: dict[str | None, Goal] = {}

    def tools(self) -> Sequence[Tool]:
        return (CREATE_GOAL, GET_GOAL, UPDATE_GOAL)

    async def call(
        self, call: ToolCall, admitted: Any, context: CallContext
    ) -> dict[str, JsonValue]:
        goal = self._goals.get(context.principal)
        if call.tool.name == CREATE_GOAL.name:
            goal = self._created(admitted, goal)
        elif call.tool.name == UPDATE_GOAL.name:
            goal = _ended(admitted["status"], goal)
        if goal is None:
            return {"goal": None}
        self._goals[context.principal] = goal
        return {"goal": goal.value(self._clock())}

    async def reset(self) -> None:
        self._goals.clear()

    def _created(self, arguments: Mapping[str, Any], last: Goal | None) -> Goal:
        if last is not None and last.status == "active":
            raise ToolError("create_goal failed: there is a goal already; end it with update_goal")
        now = int(self._clock())
        return Goal(arguments["objective"], arguments.get("token_budget"), now)


def _ended(status: str, goal: Goal | None) -> Goal:
    if goal is None:
        raise ToolError("update_goal failed: there is no goal")
    return replace(goal, status=status)
