"""The seam between the toolbox and the world: what a source of tools is."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Any

from toolbridge.argument_schema import check_arguments
from toolbridge.calls import CallContext, ToolCall
from toolbridge.json_values import JsonValue
from toolbridge.tools import Annotations, Kind, Tool


def _nobody_listens() -> None:
    """The source is in no toolbox."""


class Source:
    """Offers tools and runs them. Override `tools` and `call`; the rest has sensible answers.

    A call goes `admit` -> gate -> `call`. Everything that can be refused without an effect is
    refused in `admit`, so that nobody is asked about a call that cannot work.
    """

    id: str
    """Unique in a toolbox, such as `shell` or `mcp:git`."""
    description: str = ""
    changed: Callable[[], None] = staticmethod(_nobody_listens)
    """Set by the toolbox: a source calls it when its list of tools is another one."""

    def tools(self) -> Sequence[Tool]:
        """What is offered now, in the order in which it was registered."""
        raise NotImplementedError

    def annotations_of(self, tool: Tool, arguments: JsonValue) -> Annotations:
        """What this one call would do, as the gate is told; by default what the tool does."""
        return tool.annotations

    def admit(self, tool: Tool, arguments: JsonValue) -> Any:
        """Check and convert the arguments, without any effect; the answer goes to `call`.

        `arguments` is an object for a function, a string for a freeform tool. By default a
        function's are checked against `tool.input_schema` and passed on unchanged. Raises
        `ArgumentsRefusedError`.
        """
        if tool.kind is Kind.FUNCTION:
            check_arguments(tool, arguments)
        return arguments

    def present(self, tool: Tool, arguments: JsonValue) -> str:
        """The call in words for the person who is asked; by default the arguments as JSON."""
        if isinstance(arguments, str):
            return arguments
        return json.dumps(arguments, indent=2, ensure_ascii=False)

    async def call(self, call: ToolCall, admitted: Any, context: CallContext) -> Any:
        """Run the tool and give its result, something that JSON can hold.

        Raises `ToolError` with the words for the script. The task is cancelled when the cell ends
        first; what the call has started then ends, too.
        """
        raise NotImplementedError

    async def reset(self) -> None:
        """End what earlier calls left running (`%reset`)."""

    async def close(self) -> None:
        """End everything; the source is not used again."""
