"""The tool `exec` as a model is told about it (contract 1.1 and 10.6, deferral document 5.5)."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field
from itertools import groupby

from codemode_rules.wait_arguments import DEFAULT_YIELD_TIME_MS
from codemode_rules.white_space import WHITE_SPACE

from toolbridge.catalog import prompt_order
from toolbridge.declarations import declared_description, heading, returns_mcp_result
from toolbridge.prompt import texts
from toolbridge.prompt.messages import Messages
from toolbridge.schema_types import DEFAULT_MAX_BYTES
from toolbridge.tools import Section, Tool

GRAMMAR = r"""
start: pragma_source | plain_source
pragma_source: PRAGMA_LINE NEWLINE SOURCE
plain_source: SOURCE

PRAGMA_LINE: /[ \t]*\/\/ @exec:[^\r\n]*/
NEWLINE: /\r?\n/
SOURCE: /[\s\S]+/
"""
"""Of its input, in Lark's syntax."""

_PLACEHOLDER = re.compile(f"{re.escape(texts.YIELD_TIME)}|{re.escape(texts.IMAGE_HELPER)}")


@dataclass(frozen=True)
class ExecText:
    """What goes into the description besides the tools."""

    messages: Messages = field(default_factory=Messages)
    default_yield_time_ms: int = DEFAULT_YIELD_TIME_MS
    image_helper: str = texts.IMAGE_HELPER_PLAIN
    always_mcp_types: bool = True
    """Tell the shared types of MCP results even when no tool gives one, so that the text stays the
    same whatever servers come and go."""
    input_max_bytes: int | None = None
    """Longest type of arguments, UTF-8 bytes; it can only widen the default."""


def exec_description(
    tools: Iterable[Tool], deferred: Collection[str] = (), text: ExecText | None = None
) -> str:
    """The description with the declarations of `tools`, except those in `deferred` (raw names)."""
    text = text or ExecText()
    tools = list(tools)
    sections = [
        _base(text),
        _or_ours(text.messages.deferred_guidance, texts.DEFERRED_GUIDANCE),
        _mcp_types(tools, text),
        *_tool_sections((tool for tool in tools if tool.raw_name not in deferred), text),
    ]
    return "\n\n".join(section for section in sections if section)


def tool_section(tool: Tool, text: ExecText) -> str:
    """What the description says about one tool."""
    return f"{heading(tool)}\n{_sample(tool, text.input_max_bytes or 0).strip(WHITE_SPACE)}"


def _base(text: ExecText) -> str:
    values = {
        texts.YIELD_TIME: str(text.default_yield_time_ms),
        texts.IMAGE_HELPER: text.image_helper,
    }
    base = _or_ours(text.messages.exec_description, texts.EXEC)
    return _PLACEHOLDER.sub(lambda found: values[found[0]], base)


def _mcp_types(tools: Iterable[Tool], text: ExecText) -> str:
    types = _or_ours(text.messages.mcp_types, texts.MCP_TYPES)
    if not types or not (text.always_mcp_types or any(map(returns_mcp_result, tools))):
        return ""
    return f"{texts.MCP_TYPES_HEADING}\n```ts\n{types}\n```"


def _tool_sections(tools: Iterable[Tool], text: ExecText) -> Iterator[str]:
    """Tools without a section, then each section with its heading once."""
    for _, together in groupby(prompt_order(tools), key=_section_name):
        of_section = list(together)
        yield _section_heading(of_section)
        yield from (tool_section(tool, text) for tool in of_section)


def _section_name(tool: Tool) -> str:
    return tool.prompt_section.name if tool.prompt_section else ""


def _section_heading(tools: Iterable[Tool]) -> str:
    """The heading of one section; empty where there is nothing to say under it."""
    for tool in tools:
        section = tool.prompt_section or Section("")
        about = section.description.strip(WHITE_SPACE)
        if section.name and about:
            return f"## {section.name}\n{about}"
    return ""


def _sample(tool: Tool, max_bytes: int) -> str:
    if max_bytes <= DEFAULT_MAX_BYTES:
        return tool.declared_description
    return declared_description(tool, max_bytes)


def _or_ours(replacement: str | None, ours: str) -> str:
    return ours if replacement is None else replacement
