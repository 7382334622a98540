"""The tools of a field case: Python functions that behave as its setup says, and a real shell."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from toolbridge.sources.apply_patch import ApplyPatchSource
from toolbridge.sources.shell import ShellSource

from toolbridge import CallContext, ToolCall, tool


@dataclass
class Record:
    """What reached the tools of a case."""

    calls: list[dict[str, Any]] = field(default_factory=list)
    """`tool` and `args`, in order."""
    cancelled: dict[str, asyncio.Event] = field(default_factory=dict)
    """Set when a tool was told that its call is over."""


def case_tool(spec: Mapping[str, Any], record: Record) -> Callable[..., Awaitable[Any]]:
    """A function for `Toolbox.register` with the name, schemas and behaviour of `spec`."""
    name, behaviour = spec["name"], spec["behaviour"]
    cancelled = record.cancelled.setdefault(name, asyncio.Event())

    @tool(
        name=name,
        description=spec["description"],
        freeform=spec["kind"] == "freeform",
        input_schema=spec.get("inputSchema", {"type": "object"}),
        output_schema=spec.get("outputSchema"),
    )
    async def behave(*text: str, **fields: Any) -> Any:
        arguments = text[0] if text else fields
        record.calls.append({"tool": name, "args": arguments})
        try:
            await asyncio.sleep(behaviour.get("delay_ms", 0) / 1000)
        except asyncio.CancelledError:
            cancelled.set()
            raise
        if "throw" in behaviour:
            raise RuntimeError(behaviour["throw"])
        return arguments if behaviour.get("echo") else behaviour["return"]

    return behave


class RecordedShell(ShellSource):
    """The real shell, whose calls are written down as well."""

    def __init__(self, folder: Path, record: Record) -> None:
        super().__init__(folder)
        self._record = record

    async def call(self, call: ToolCall, admitted: Any, context: CallContext) -> Any:
        """Run it as ever."""
        self._record.calls.append({"tool": call.tool.name, "args": call.input})
        return await super().call(call, admitted, context)


class RecordedPatches(ApplyPatchSource):
    """The real `apply_patch`, whose calls are written down as well."""

    def __init__(self, folder: Path, record: Record) -> None:
        super().__init__(folder)
        self._record = record

    async def call(self, call: ToolCall, admitted: Any, context: CallContext) -> Any:
        """Apply it as ever."""
        self._record.calls.append({"tool": call.tool.name, "args": call.input})
        return await super().call(call, admitted, context)
