"""The definitions of tools as a request carries them: JSON, for the model's own calls."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from toolbridge.prompt.exec_tool import GRAMMAR
from toolbridge.tools import Kind, Tool

if TYPE_CHECKING:
    from toolbridge.prompt.composition import Composition

Definition = dict[str, Any]


def exec_definition(composition: Composition) -> Definition:
    """`exec` takes source text, so it is no function (contract 1.1)."""
    return {
        "type": "custom",
        "name": "exec",
        "description": composition.exec_description,
        "format": {"type": "grammar", "syntax": "lark", "definition": GRAMMAR},
    }


def wait_definition(composition: Composition) -> Definition:
    """`wait` (contract 3.1)."""
    tool = composition.wait_tool
    return {
        "type": "function",
        "name": "wait",
        "description": tool.description,
        "strict": False,
        "parameters": tool.parameters,
    }


def tool_definition(tool: Tool) -> Definition:
    """A tool that a model calls by itself."""
    named = {"name": tool.raw_name, "description": tool.description}
    if tool.kind is Kind.FREEFORM:
        return {"type": "custom", **named, "format": {"type": "text"}}
    schema = {"type": "object"} if tool.input_schema is None else tool.input_schema
    return {"type": "function", **named, "strict": False, "parameters": schema}
