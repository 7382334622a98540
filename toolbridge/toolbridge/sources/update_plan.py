"""`update_plan`: the steps of a longer task, as the model sees them now."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from toolbridge.calls import CallContext, ToolCall
from toolbridge.json_values import JsonValue
from toolbridge.sources.base import Source
from toolbridge.tools import Annotations, Tool

SOURCE_ID = "update_plan"

MARKS = {"pending": "[ ]", "in_progress": "[>]", "completed": "[x]"}

UPDATE_PLAN = Tool(
    name="update_plan",
    source=SOURCE_ID,
    description="Notes the plan of a longer task: every step and how far it is. One is in progress.",
    input_schema={
        "type": "object",
        "properties": {
            "plan": {
                "type": "array",
                "description": "All steps, in order; they take the place of the last plan.",
                "items": {
                    "type": "object",
                    "properties": {
                        "step": {"type": "string"},
                        "status": {"type": "string", "enum": list(MARKS)},
                    },
                    "required": ["step", "status"],
                    "additionalProperties": False,
                },
            },
            "explanation": {"type": "string", "description": "Why the plan is another one."},
        },
        "required": ["plan"],
        "additionalProperties": False,
    },
    output_schema={"type": "object", "properties": {}, "additionalProperties": False},
    annotations=Annotations(read_only=True),
)


class UpdatePlanSource(Source):
    """Keeps the last plan of each principal. It changes nothing but itself, so nobody is asked."""

    id = SOURCE_ID
    description = "The plan of a longer task."

    def __init__(self) -> None:
        self._plans: dict[str | None, Sequence[Any]] = {}

    def tools(self) -> Sequence[Tool]:
        return (UPDATE_PLAN,)

    def plan(self, principal: str | None = None) -> str:
        """The last plan as a list with marks, one step a line; empty when there is none."""
        steps = self._plans.get(principal, ())
        return "\n".join(f"{MARKS[step['status']]} {step['step']}" for step in steps)

    async def call(
        self, call: ToolCall, admitted: Any, context: CallContext
    ) -> dict[str, JsonValue]:
        self._plans[context.principal] = admitted["plan"]
        return {}

    async def reset(self) -> None:
        self._plans.clear()
