"""Everything a session can call, behind one gate.

The journey of a call: normalise -> admit -> gate -> source -> result as JSON. There is no other
way to a source.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from toolbridge.calls import CallContext, ToolCall
from toolbridge.catalog import Catalog
from toolbridge.gate import Gate
from toolbridge.json_values import JsonValue
from toolbridge.sources.base import Source


class Toolbox:
    """Sources, in the order in which they were added, and the gate before them.

    Used from one event loop. `gate` may be replaced at any time; the next look at a call, also of
    a cell that runs already, uses the new one.
    """

    gate: Gate

    def __init__(self, gate: Gate | None = None) -> None:
        raise NotImplementedError

    def add(self, source: Source) -> None:
        """Offer the tools of `source` from now on; `SourceError` when its id is taken."""
        raise NotImplementedError

    async def remove(self, source_id: str) -> None:
        """Close a source and offer its tools no more; `SourceError` when there is none."""
        raise NotImplementedError

    def register(self, *functions: Callable[..., Any]) -> None:
        """Offer Python functions as tools, with or without the `tool` decorator.

        They run in this process: async ones on the loop, others in threads. A function of the same
        name as an earlier one takes its place. Raises `ToolDefinitionError`.
        """
        raise NotImplementedError

    def catalog(self, principal: str | None = None) -> Catalog:
        """What `principal` sees now. Cheap when nothing changed since the last time."""
        raise NotImplementedError

    async def invoke(self, call: ToolCall, context: CallContext) -> JsonValue:
        """Run one call and give its result, strict JSON (no NaN, no lone surrogate, string keys).

        Raises `ToolError`, whose text is what the script's promise rejects with. Cancelling the
        task withdraws a question, or stops the tool.
        """
        raise NotImplementedError

    async def reset(self) -> None:
        """End what calls left running, such as shells, and forget approvals (`%reset`)."""
        raise NotImplementedError

    async def close(self) -> None:
        """End everything (kernel shutdown)."""
        raise NotImplementedError
