"""The tool `apply_patch` with a note of what went through it and why it refused."""

from pathlib import Path
from typing import Any

from toolbridge.patch.errors import Fault, PatchRefusedError
from toolbridge.sources.apply_patch import ApplyPatchSource

from toolbridge import CallContext, JsonValue, Tool, ToolCall


class RecordedPatches(ApplyPatchSource):
    """The real source."""

    def __init__(self, root: Path) -> None:
        super().__init__(root)
        self.calls: list[ToolCall] = []
        """Those that the gate let through."""
        self.faults: list[Fault] = []

    def admit(self, tool: Tool, arguments: JsonValue) -> Any:
        try:
            return super().admit(tool, arguments)
        except PatchRefusedError as error:
            self.faults.append(error.fault)
            raise

    async def call(self, call: ToolCall, admitted: Any, context: CallContext) -> Any:
        self.calls.append(call)
        try:
            return await super().call(call, admitted, context)
        except PatchRefusedError as error:
            self.faults.append(error.fault)
            raise
