"""Payload objects of both directions; snake_case (contract 11.3, 11.4)."""

from __future__ import annotations

from typing import Literal, TypeAlias

from msgspec import Raw

from codemode_host.wire.shapes import NULL, Envelope, Payload, TokenBudget, Unsigned, check_u64


class TextItem(Payload, frozen=True, tag_field="type", tag="input_text"):
    text: str


class ImageItem(Payload, frozen=True, tag_field="type", tag="input_image", omit_defaults=True):
    image_url: str
    detail: Literal["auto", "low", "high", "original"] | None = None


class AudioItem(Payload, frozen=True, tag_field="type", tag="input_audio"):
    audio_url: str


ContentItem: TypeAlias = TextItem | ImageItem | AudioItem


class ToolName(Payload, frozen=True):
    """A tool's own name; `namespace` is None in the default one."""

    name: str
    namespace: str | None = None


ToolKind: TypeAlias = Literal["function", "freeform"]


class ToolDefinition(Payload, frozen=True):
    """One tool a cell may call. The host makes the callable identifier of `name` itself."""

    name: str
    tool_name: ToolName
    description: str
    kind: ToolKind
    input_schema: Raw = NULL
    output_schema: Raw = NULL


class ExecuteRequest(Payload, frozen=True):
    """`yield_time_ms` in milliseconds, None for the default; `max_output_tokens` is not used."""

    tool_call_id: str
    enabled_tools: list[ToolDefinition]
    source: str
    yield_time_ms: Unsigned | None = None
    max_output_tokens: TokenBudget | None = None

    def __post_init__(self) -> None:
        check_u64("yield_time_ms", self.yield_time_ms)


class WaitRequest(Payload, frozen=True):
    """`yield_time_ms` in milliseconds."""

    cell_id: str
    yield_time_ms: Unsigned

    def __post_init__(self) -> None:
        check_u64("yield_time_ms", self.yield_time_ms)


class CellExecutionLimits(Envelope, frozen=True, omit_defaults=True):
    """Bounds of every cell of a session: milliseconds, bytes."""

    max_yield_time_ms: Unsigned | None = None
    max_heap_size_bytes: Unsigned | None = None

    def __post_init__(self) -> None:
        check_u64("maxYieldTimeMs", self.max_yield_time_ms)
        check_u64("maxHeapSizeBytes", self.max_heap_size_bytes)


class Invocation(Payload, frozen=True):
    """A nested tool call; `runtime_tool_call_id` is `tool-1`, `tool-2`, ... of the cell."""

    cell_id: str
    runtime_tool_call_id: str
    tool_name: ToolName
    tool_kind: ToolKind
    input: Raw


class Failure(Envelope, frozen=True, tag_field="status", tag="error"):
    """The `error` variant of every result."""

    message: str
