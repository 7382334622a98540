"""Everything a session can call, behind one gate.

The journey of a call: normalise -> admit -> gate -> source -> result as JSON. There is no other
way to a source.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

from toolbridge.asking import Admission, Questions
from toolbridge.calls import CallContext, CallEvent, CallState, ToolCall
from toolbridge.catalog import Catalog
from toolbridge.errors import (
    ArgumentsRefusedError,
    ResultRefusedError,
    SourceError,
    ToolError,
    words_of,
)
from toolbridge.gate import Gate, Verdict
from toolbridge.json_values import JsonValue, NotJsonError, strict_json
from toolbridge.offer import Offer
from toolbridge.sources.base import Source
from toolbridge.sources.python_functions import PythonFunctions
from toolbridge.tools import Kind, Tool


class Toolbox:
    """Sources, in the order in which they were added, and the gate before them.

    Used from one event loop. `gate` may be replaced at any time; the next look at a call, also of
    a cell that runs already, uses the new one.
    """

    def __init__(self, gate: Gate | None = None) -> None:
        self.gate = gate or Gate()
        self._questions = Questions()
        self._sources: dict[str, Source] = {}
        self._functions: PythonFunctions | None = None
        self._offered: Offer | None = None

    @property
    def sources(self) -> tuple[Source, ...]:
        """In the order in which they were added."""
        return tuple(self._sources.values())

    def add(self, source: Source) -> None:
        """Offer the tools of `source` from now on; `SourceError` when its id is taken."""
        if source.id in self._sources:
            raise SourceError(f"there is a source `{source.id}` already")
        self._sources[source.id] = source
        source.changed = self._forget_offer
        self._forget_offer()

    async def remove(self, source_id: str) -> None:
        """Close a source and offer its tools no more; `SourceError` when there is none."""
        if source_id not in self._sources:
            raise SourceError(f"there is no source `{source_id}`")
        source = self._sources.pop(source_id)
        self._forget_offer()
        await source.close()

    def register(self, *functions: Callable[..., Any]) -> None:
        """Offer Python functions as tools, with or without the `tool` decorator.

        They run in this process: async ones on the loop, others in threads. A function of the same
        name as an earlier one takes its place. Raises `ToolDefinitionError`.
        """
        if self._functions is None:
            self._functions = PythonFunctions()
            self.add(self._functions)
        for function in functions:
            self._functions.add(function)

    def catalog(self, principal: str | None = None) -> Catalog:
        """What `principal` sees now. Cheap when nothing changed since the last time."""
        return self._offer.catalog(principal)

    def everybodys_tools(self) -> tuple[Tool, ...]:
        """The tools of all principals, in order of registration: to count, never to show."""
        return self._offer.tools

    async def invoke(self, call: ToolCall, context: CallContext) -> JsonValue:
        """Run one call and give its result, strict JSON (no NaN, no lone surrogate, string keys).

        Raises `ToolError`, whose text is what the script's promise rejects with. Cancelling the
        task withdraws a question, or stops the tool.
        """
        tool = self._offer.find(call, context)
        source = self._sources[tool.source]
        arguments = _normalised(tool, call.input)
        admitted = source.admit(tool, arguments)

        def look() -> Verdict:
            current = self._offer.find(call, context)
            effects = source.annotations_of(current, arguments)
            return self.gate.decide(current, effects, arguments, context.principal)

        admission = Admission(call, tool, arguments, lambda: source.present(tool, arguments), look)
        approval = await self._questions.decide(admission, context)
        context.on_event(CallEvent(call, CallState.RUNNING, approval))
        result = await _run(source, call, admitted, context)
        try:
            return strict_json(result)
        except NotJsonError as error:
            raise ResultRefusedError(
                f"tool `{tool.spoken_name}` gave a result that JSON cannot hold: {error}"
            ) from None

    async def reset(self) -> None:
        """End what calls left running, such as shells, and forget approvals (`%reset`)."""
        self._questions.forget()
        for source in self._sources.values():
            await source.reset()

    async def close(self) -> None:
        """End everything (kernel shutdown)."""
        sources, self._sources = self._sources, {}
        self._forget_offer()
        for source in sources.values():
            await source.close()

    @property
    def _offer(self) -> Offer:
        if self._offered is None:
            self._offered = Offer(self._sources.values())
        return self._offered

    def _forget_offer(self) -> None:
        self._offered = None


def _normalised(tool: Tool, value: JsonValue) -> JsonValue:
    """The arguments of `tool`: an object for a function, a string for a freeform (contract 8.3)."""
    if tool.kind is Kind.FREEFORM:
        if not isinstance(value, str):
            raise ArgumentsRefusedError(f"tool `{tool.spoken_name}` expects a string input")
    elif value is None:
        return {}
    elif not isinstance(value, dict):
        raise ArgumentsRefusedError(
            f"tool `{tool.spoken_name}` expects a JSON object for arguments"
        )
    return value


async def _run(source: Source, call: ToolCall, admitted: Any, context: CallContext) -> Any:
    try:
        return await source.call(call, admitted, context)
    except ToolError:
        raise
    except asyncio.CancelledError:
        task = asyncio.current_task()
        if task is None or task.cancelling():
            raise
        raise ToolError("the tool was cancelled from within") from None
    except Exception as error:
        raise ToolError(words_of(error)) from error
