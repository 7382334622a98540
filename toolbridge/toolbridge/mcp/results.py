"""The value a script gets for what a server answered (contract 8.4, model view 9). Sans-I/O."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from toolbridge.argument_schema import schema_faults
from toolbridge.json_values import JsonValue
from toolbridge.tools import Tool

AUDIO_OMITTED = "<audio content omitted because you do not support audio input>"


def call_result(answer: dict[str, Any], *, keeps_audio: bool) -> dict[str, JsonValue]:
    """`content`, `structuredContent` and `isError` as the server sent them, without `_meta`.

    Without `keeps_audio` a notice stands for each sound, as where a model hears none.
    """
    content = answer.get("content")
    blocks = content if isinstance(content, list) else []
    result: dict[str, JsonValue] = {
        "content": blocks if keeps_audio else [_without_audio(block) for block in blocks]
    }
    if answer.get("structuredContent") is not None:
        result["structuredContent"] = answer["structuredContent"]
    if isinstance(answer.get("isError"), bool):
        result["isError"] = answer["isError"]
    return result


def error_result(server: str, tool: str, code: int, message: str) -> dict[str, JsonValue]:
    """The value for a call that the server answered with an error of the protocol."""
    text = (
        f"tool call error: tool call failed for `{server}/{tool}`\n\n"
        f"Caused by:\n    Mcp error: {code}: {message}"
    )
    return {"content": [{"type": "text", "text": text}], "isError": True}


def complaint(tool: Tool, result: dict[str, JsonValue]) -> str | None:
    """What is wrong with the structured content, in a sentence; None when all is well.

    The result is given to the script all the same. One that says it is an error owes nothing.
    """
    whole = tool.output_schema
    schema = whole["properties"]["structuredContent"] if isinstance(whole, Mapping) else True
    if schema is True or result.get("isError"):
        return None
    if "structuredContent" not in result:
        return (
            f"`{tool.raw_name}` has an output schema, and its result has no structured content. "
            "The script got the result as it is."
        )
    faults = schema_faults(schema, result["structuredContent"])
    if not faults:
        return None
    return (
        f"The structured content of `{tool.raw_name}` does not fit its output schema: {faults}. "
        "The script got the result as it is."
    )


def _without_audio(block: Any) -> Any:
    if isinstance(block, dict) and block.get("type") == "audio":
        return {"type": "text", "text": AUDIO_OMITTED}
    return block
