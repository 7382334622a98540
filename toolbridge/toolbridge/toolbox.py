"""Everything a session can call, behind one gate.

The journey of a call: normalise -> admit -> hooks -> gate -> source -> result as JSON. There is no
other way to a source.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import partial
from typing import Any

from toolbridge.argument_aliases import canonical
from toolbridge.calls import CallContext, CallEvent, CallState, ToolCall
from toolbridge.catalog import Catalog
from toolbridge.errors import (
    ArgumentsRefusedError,
    ResultRefusedError,
    SourceError,
    ToolError,
    words_of,
)
from toolbridge.gate.asking import Admission, Questions
from toolbridge.gate.explanations import Explanation
from toolbridge.gate.gate import Decision, Gate, Verdict
from toolbridge.gate.hooks import Hooks, environment_for, identity_of, objection_of
from toolbridge.json_values import JsonValue, NotJsonError, strict_json
from toolbridge.masking import without_secrets
from toolbridge.offer import Offer
from toolbridge.sources.base import Source
from toolbridge.sources.python_functions import PythonFunctions
from toolbridge.tools import Kind, Tool


class Toolbox:
    """Sources, in the order in which they were added, and the gate before them.

    Used from one event loop. `gate` may be replaced at any time; the next look at a call, also of
    a cell that runs already, uses the new one.
    """

    def __init__(self, gate: Gate | None = None, hooks: Hooks | None = None) -> None:
        """`hooks` is what an embedder adds to every call."""
        self.gate = gate or Gate()
        self.questions = Questions()
        """The queue before the person, and what they said for the session."""
        self._hooks = hooks
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
        await self.withdraw(source_id).close()

    def withdraw(self, source_id: str) -> Source:
        """Offer the tools of a source no more, at once. The caller has to close it.

        `SourceError` when there is none.
        """
        if source_id not in self._sources:
            raise SourceError(f"there is no source `{source_id}`")
        source = self._sources.pop(source_id)
        if source is self._functions:
            self._functions = None  # what is registered from now on needs a new one
        self._forget_offer()
        return source

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

    async def prepare(self, code: str) -> None:
        """Wait until what the script `code` may call is known; most often it is, and nothing waits."""
        waits = [source.prepare(code) for source in self._sources.values()]
        if any(waits):
            await asyncio.gather(*filter(None, waits))

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
        hooks = self._hooks
        environment = environment_for(hooks, identity_of(tool, call, context)) if hooks else {}

        def look() -> Verdict:
            current = self._offer.find(call, context)
            if hooks is not None:
                objection = objection_of(hooks, identity_of(current, call, context))
                if objection is not None:
                    return Verdict(Decision.DENY, objection)
            effects = source.annotations_of(current, arguments)
            return self.gate.decide(current, effects, arguments, context.principal)

        admission = Admission(
            call,
            tool,
            arguments,
            effects=source.annotations_of(tool, arguments),
            present=partial(source.present, tool),
            look=look,
        )
        approval = await self.questions.decide(admission, context)
        context.on_event(CallEvent(call, CallState.RUNNING, approval))
        inquire = partial(self.questions.inquire, call=call, context=context)
        look_again = partial(self.questions.look_again, admission, context, approval)
        served = context.serving(inquire, look_again, environment)
        result = await _run(source, call, admitted, served)
        try:
            return strict_json(result)
        except NotJsonError as error:
            raise ResultRefusedError(
                f"tool `{tool.identifier}` gave a result that JSON cannot hold: {error}"
            ) from None

    def explain(self, tool: Tool, value: JsonValue, principal: str | None = None) -> Explanation:
        """What would happen to a call as it is now, without making it.

        `tool` is an entry of the principal's catalog, `value` its arguments; None for a call of
        which they are not known. Raises `ToolError` for arguments that would be refused before
        the gate looks at them.
        """
        source = self._sources[tool.source]
        arguments: JsonValue = "" if tool.kind is Kind.FREEFORM else {}
        effects = tool.annotations
        if value is not None:
            arguments = _normalised(tool, value)
            source.admit(tool, arguments)
            effects = source.annotations_of(tool, arguments)
        return Explanation(
            tool=tool,
            arguments=without_secrets(arguments, tool.input_secrets),
            effects=effects,
            verdict=self.gate.decide(tool, effects, arguments, principal),
            grant=self.questions.grants.about(tool, arguments, principal),
        )

    async def reset(self) -> None:
        """End what calls left running, such as shells, and forget approvals (`%reset`)."""
        self.questions.forget()
        for source in self._sources.values():
            await source.reset()

    async def close(self) -> None:
        """End everything (kernel shutdown)."""
        sources, self._sources = self._sources, {}
        self._forget_offer()
        await asyncio.gather(*(source.close() for source in sources.values()))

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
    elif tool.argument_aliases:
        return canonical(value, tool.argument_aliases)
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
