"""The seam between the toolbox and the world: what a source of tools is."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from toolbridge.calls import CallContext, ToolCall
from toolbridge.json_values import JsonValue
from toolbridge.tools import Tool


class Source:
    """Offers tools and runs them. Override `tools` and `call`; the rest has sensible answers.

    A call goes `admit` -> gate -> `call`. Everything that can be refused without an effect is
    refused in `admit`, so that nobody is asked about a call that cannot work.
    """

    id: str
    """Unique in a toolbox, such as `python` or `mcp:git`."""
    description: str = ""
    changed: Callable[[], None] = staticmethod(lambda: None)
    """Set by the toolbox: a source calls it when its list of tools is another one."""

    def tools(self) -> Sequence[Tool]:
        """What is offered now, in the order in which it was registered."""
        raise NotImplementedError

    def admit(self, tool: Tool, arguments: JsonValue) -> Any:
        """Check and convert the arguments, without any effect; the answer goes to `call`.

        By default they are checked against `tool.input_schema` and passed on unchanged. Raises
        `ArgumentsRefusedError`.
        """
        raise NotImplementedError

    def present(self, tool: Tool, arguments: JsonValue) -> str:
        """The call in words for the person who is asked; by default the arguments as JSON."""
        raise NotImplementedError

    async def call(self, call: ToolCall, admitted: Any, context: CallContext) -> Any:
        """Run the tool and give its result, something that JSON can hold.

        Raises `ToolError` with the words for the script; any other exception becomes one. The task
        is cancelled when the cell ends first; what the call has started then ends, too.
        """
        raise NotImplementedError

    async def reset(self) -> None:
        """End what earlier calls left running (`%reset`)."""

    async def close(self) -> None:
        """End everything; the source is not used again."""
