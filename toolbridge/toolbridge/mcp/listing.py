"""From a server's list of tools to ours. Sans-I/O.

A tool that makes no sense is left out, so that one fault of a server does not cost its other tools.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from toolbridge.mcp.settings import ServerSettings
from toolbridge.tools import Annotations, JsonSchema, Section, Tool


@dataclass(frozen=True)
class Listing:
    """What a server says of itself and of its tools, at one moment."""

    tools: tuple[dict[str, Any], ...] = ()
    """As the server sent them."""
    instructions: str = ""
    has_resources: bool = False
    server: str = ""
    """Name and version by which the server calls itself."""


def source_id(server: str) -> str:
    """The source of a server's tools, as rules know it."""
    return f"mcp:{server}"


def namespace_of(server: str) -> str:
    """The namespace of a server's tools (contract 8.1)."""
    return f"mcp__{server}"


def tools_of(listing: Listing, settings: ServerSettings) -> Sequence[Tool]:
    """The tools to offer, in the server's order; of one name the first."""
    section = Section(namespace_of(settings.name), listing.instructions)
    tools: dict[str, Tool] = {}
    for said in _usable(listing.tools, settings):
        tools.setdefault(said["name"], _tool(said, settings.name, section))
    return tuple(tools.values())


def _usable(tools: Iterable[dict[str, Any]], settings: ServerSettings) -> Iterable[dict[str, Any]]:
    for said in tools:
        name = said.get("name")
        if isinstance(name, str) and name and settings.offers(name):
            yield said


def _tool(said: dict[str, Any], server: str, section: Section) -> Tool:
    description = said.get("description")
    return Tool(
        name=said["name"],
        source=source_id(server),
        description=description if isinstance(description, str) else "",
        namespace=namespace_of(server),
        input_schema=_input_schema(said.get("inputSchema")),
        output_schema=_result_schema(said.get("outputSchema")),
        annotations=_annotations(said.get("annotations")),
        section=section,
    )


def _input_schema(schema: Any) -> JsonSchema:
    """The schema as it is, but that an object without properties says so (deferral 5.1)."""
    if not isinstance(schema, dict):
        return {"type": "object", "properties": {}}
    if schema.get("properties") is None:
        return schema | {"properties": {}}
    return schema


def _result_schema(structured: Any) -> JsonSchema:
    """The schema of the whole result, in which the server's own stands for a part (contract 10.3)."""
    return {
        "type": "object",
        "properties": {
            "content": {"type": "array", "items": {"type": "object"}},
            "structuredContent": structured if isinstance(structured, dict) else True,
            "isError": {"type": "boolean"},
            "_meta": {"type": "object"},
        },
        "required": ["content"],
    }


def _annotations(said: Any) -> Annotations:
    hints = said if isinstance(said, dict) else {}
    return Annotations(
        read_only=_truth(hints.get("readOnlyHint")),
        destructive=_truth(hints.get("destructiveHint")),
    )


def _truth(value: Any) -> bool | None:
    return value if isinstance(value, bool) else None
