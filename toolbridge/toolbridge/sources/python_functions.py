"""Python functions of this process as tools: async ones on the loop, others in threads."""

from __future__ import annotations

import asyncio
import inspect
import threading
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from typing import Any, TypeAlias

from toolbridge.argument_schema import check_arguments, refusal
from toolbridge.calls import CallContext, Progress, ToolCall
from toolbridge.errors import ToolDefinitionError, ToolError, words_of
from toolbridge.json_values import JsonValue
from toolbridge.python.call_hooks import CallHooks, current_hooks
from toolbridge.python.decorator import ToolOptions, options_of
from toolbridge.python.docstrings import read_docstring
from toolbridge.python.signature import BoundArguments, Signature, result_as_json
from toolbridge.python.threads import PythonThreads
from toolbridge.sources.base import Source
from toolbridge.tools import Kind, Tool

OnProgress: TypeAlias = Callable[[Progress], None]

InThread: TypeAlias = Callable[[Callable[[], Any]], Awaitable[Any]]
"""Calls a function in a thread and gives what it gives, or raises what it raises."""


class FunctionTool:
    """One Python function: the tool it is, and the way from JSON to JSON through it.

    Raises `ToolDefinitionError` when the function cannot be a tool.
    """

    def __init__(self, function: Callable[..., Any], source_id: str) -> None:
        options = options_of(function) or ToolOptions()
        documentation = read_docstring(inspect.getdoc(function))
        name = options.name or _name_of(function)
        self.function = function
        self.is_async = _is_async(function)
        self._signature = (
            Signature(name, function, documentation.parameters)
            if options.kind is Kind.FUNCTION and options.input_schema is None
            else None
        )
        signature = self._signature
        self.tool = Tool(
            name=name,
            source=source_id,
            description=(
                documentation.description if options.description is None else options.description
            ),
            kind=options.kind,
            namespace=options.namespace,
            input_schema=signature.input_schema if signature else options.input_schema,
            output_schema=(
                signature.output_schema
                if signature and options.output_schema is None
                else options.output_schema
            ),
            annotations=options.annotations,
        )

    def admit(self, arguments: JsonValue) -> BoundArguments:
        """Convert the arguments to what the function takes.

        Raises `ArgumentsRefusedError` with the path of the fault.
        """
        if self.tool.kind is Kind.FREEFORM:
            return BoundArguments((arguments,))
        if self._signature is None:
            check_arguments(self.tool, arguments)
            assert isinstance(arguments, dict), "a function tool gets an object"
            return BoundArguments(named=arguments)
        from pydantic import ValidationError

        try:
            return self._signature.bind(arguments)
        except ValidationError as error:
            faults = error.errors(include_url=False, include_context=False, include_input=False)
            raise refusal(self.tool, [(fault["loc"], fault["msg"]) for fault in faults]) from None

    async def call(self, bound: BoundArguments, in_thread: InThread) -> JsonValue:
        """Run the function, a sync one through `in_thread`.

        Raises `ToolError` in the words of whatever the function raised.
        """

        def run() -> Any:
            return self.function(*bound.positional, **bound.named)

        try:
            value = run() if self.is_async else await in_thread(run)
            if inspect.isawaitable(value):
                value = await value
        except ToolError:
            raise
        except (Exception, SystemExit) as error:
            raise ToolError(words_of(error)) from error
        return result_as_json(self.tool.identifier, value)


class PythonFunctions(Source):
    """The functions an embedder registers."""

    description = "Python functions of the kernel's own process."

    def __init__(self, source_id: str = "functions") -> None:
        self.id = source_id
        self._functions: dict[str, FunctionTool] = {}
        self._threads = PythonThreads()

    def add(self, function: Callable[..., Any]) -> Tool:
        """Offer `function`; one of the same raw name takes the earlier one's place."""
        function_tool = FunctionTool(function, self.id)
        self._functions[function_tool.tool.raw_name] = function_tool
        self.changed()
        return function_tool.tool

    def tools(self) -> Sequence[Tool]:
        return [function_tool.tool for function_tool in self._functions.values()]

    def admit(self, tool: Tool, arguments: JsonValue) -> tuple[FunctionTool, BoundArguments]:
        function_tool = self._functions[tool.raw_name]
        return function_tool, function_tool.admit(arguments)

    async def call(
        self, call: ToolCall, admitted: tuple[FunctionTool, BoundArguments], context: CallContext
    ) -> JsonValue:
        function_tool, bound = admitted
        hooks = CallHooks(_on_this_loop(context.on_progress))
        reset = current_hooks.set(hooks)
        try:
            return await function_tool.call(bound, self._threads.run)
        except asyncio.CancelledError:
            hooks.is_cancelled = True
            raise
        finally:
            current_hooks.reset(reset)

    async def close(self) -> None:
        self._threads.close()


def _on_this_loop(on_progress: OnProgress) -> OnProgress:
    """`on_progress` for any thread: it is called on the loop that runs now, there at once."""
    loop, thread = asyncio.get_running_loop(), threading.get_ident()

    def tell(progress: Progress) -> None:
        if threading.get_ident() == thread:
            on_progress(progress)
            return
        with suppress(RuntimeError):  # the loop has closed: nobody watches any more
            loop.call_soon_threadsafe(on_progress, progress)

    return tell


def _is_async(function: Callable[..., Any]) -> bool:
    called = function if inspect.isroutine(function) else type(function).__call__
    return inspect.iscoroutinefunction(called)


def _name_of(function: Callable[..., Any]) -> str:
    name = getattr(function, "__name__", None)
    if not isinstance(name, str) or name == "<lambda>":
        raise ToolDefinitionError(f"{function!r} has no name; give one with `tool(name=...)`")
    return name
