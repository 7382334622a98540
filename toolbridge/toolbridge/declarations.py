"""How a tool is declared to whoever writes scripts, in TypeScript (contract 10.1 and 10.3)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from toolbridge.schema_types import DEFAULT_MAX_BYTES, UNKNOWN, typescript_type
from toolbridge.tools import JsonSchema, Kind, Tool


def declared_description(tool: Tool, input_max_bytes: int = DEFAULT_MAX_BYTES) -> str:
    """The description of `tool` with its declaration, as `ALL_TOOLS` shows it.

    `input_max_bytes` bounds the type of the arguments; one that is longer becomes `unknown`, and
    below 1 the default holds. Types of results keep the default.
    """
    declaration = (
        "exec tool declaration:\n```ts\n"
        f"declare const tools: {{ {signature(tool, input_max_bytes)}; }};\n```"
    )
    return f"{tool.description}\n\n{declaration}"


def signature(tool: Tool, input_max_bytes: int = DEFAULT_MAX_BYTES) -> str:
    """How `tool` is called and what it gives, as one member of `tools`."""
    parameter = _parameter(tool, input_max_bytes)
    return f"{tool.identifier}({parameter}): Promise<{_result_type(tool.output_schema)}>"


def returns_mcp_result(tool: Tool) -> bool:
    """Whether `tool` is declared to give an MCP call result (contract 10.3)."""
    return _is_mcp_result(_properties(tool.output_schema))


def heading(tool: Tool) -> str:
    """The heading above the description in a prompt; it shows the raw name where that differs."""
    raw = "" if tool.raw_name == tool.identifier else f" (`{tool.raw_name}`)"
    return f"### `{tool.identifier}`{raw}"


def _parameter(tool: Tool, max_bytes: int) -> str:
    if tool.kind is Kind.FREEFORM:
        return "input: string"
    if tool.input_schema is None:
        return f"args: {UNKNOWN}"
    return f"args: {typescript_type(tool.input_schema, max_bytes)}"


def _result_type(schema: JsonSchema | None) -> str:
    if schema is None:
        return UNKNOWN
    properties = _properties(schema)
    if not _is_mcp_result(properties):
        return typescript_type(schema)
    # A schema of its own: references in it start from it, not from the result around it.
    structured = typescript_type(properties.get("structuredContent", True))
    return "CallToolResult" if structured == UNKNOWN else f"CallToolResult<{structured}>"


def _properties(schema: JsonSchema | None) -> Mapping[str, Any]:
    properties = schema.get("properties") if isinstance(schema, Mapping) else None
    return properties if isinstance(properties, Mapping) else {}


def _is_mcp_result(properties: Mapping[str, Any]) -> bool:
    """Whether these are the properties of an MCP call result (contract 10.3)."""
    content = properties.get("content")
    items = content.get("items") if isinstance(content, Mapping) else None
    return (
        _has_type(content, "array")
        and _has_type(items, "object")
        and _has_type(properties.get("isError"), "boolean")
        and _has_type(properties.get("_meta"), "object")
    )


def _has_type(schema: object, name: str) -> bool:
    return isinstance(schema, Mapping) and schema.get("type") == name
