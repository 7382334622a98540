"""`ask_user`: a model's question to the person. Scripts cannot call it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from toolbridge.calls import CallContext, ToolCall
from toolbridge.errors import NobodyThereError, ToolError
from toolbridge.gate.inquiries import Inquiry, ReplyAction
from toolbridge.json_values import JsonValue
from toolbridge.sources.base import Source
from toolbridge.tools import Annotations, Exposure, Tool

SOURCE_ID = "person"

ASK_USER = Tool(
    name="ask_user",
    source=SOURCE_ID,
    description=(
        "Ask the person one question and wait for the answer. Use it when only they can decide; "
        "give `options` where the answers are few."
    ),
    input_schema={
        "type": "object",
        "properties": {
            "question": {"type": "string", "minLength": 1, "description": "What to ask."},
            "options": {
                "type": "array",
                "items": {"type": "string"},
                "minItems": 2,
                "description": "The possible answers; without them any text is one.",
            },
        },
        "required": ["question"],
        "additionalProperties": False,
    },
    output_schema={
        "type": "object",
        "properties": {"answer": {"type": "string"}},
        "required": ["answer"],
    },
    annotations=Annotations(read_only=True),
    exposure=Exposure.MODEL_ONLY,
)


class AskUserSource(Source):
    """Offers the one tool. It changes nothing, so the gate does not ask before it asks."""

    id = SOURCE_ID
    description = "Questions to the person."

    def tools(self) -> Sequence[Tool]:
        return (ASK_USER,)

    async def call(self, call: ToolCall, admitted: Any, context: CallContext) -> JsonValue:
        options = admitted.get("options")
        try:
            reply = await context.inquire(
                Inquiry(admitted["question"], "ask_user", _form(options) if options else None)
            )
        except NobodyThereError:
            raise ToolError("ask_user failed: nobody is there to answer") from None
        if reply.action is not ReplyAction.ACCEPT:
            raise ToolError(f"ask_user failed: {_NO_ANSWER[reply.action]}")
        if isinstance(reply.content, dict):
            return {"answer": reply.content.get("answer")}
        return {"answer": reply.content}


def _form(options: list[str]) -> dict[str, Any]:
    answer = {"type": "string", "enum": options}
    return {"type": "object", "properties": {"answer": answer}, "required": ["answer"]}


_NO_ANSWER = {
    ReplyAction.DECLINE: "the person does not want to answer",
    ReplyAction.CANCEL: "the person has not answered in time",
}
