"""The tools of a process are the decorated functions among the names of its cells.

So a tool comes and goes with its name: redefined, deleted, imported or overwritten like any other.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from toolbridge.child.threads import in_thread
from toolbridge.errors import words_of
from toolbridge.python.decorator import ToolOptions, options_of
from toolbridge.sources.python_functions import FunctionTool

OF_IPYTHON = re.compile(r"_+|_\d+|_i+|_i\d+|_dh|_ih|_oh|In|Out")
"""Names under which IPython keeps inputs and results: they hold on to what was deleted."""


class DefinedTool:
    """A function of a cell, as the channel's server needs it."""

    def __init__(self, function: Callable[..., Any]) -> None:
        """Raises `ToolDefinitionError`."""
        self._function_tool = FunctionTool(function, "python")
        self.tool = self._function_tool.tool

    async def call(self, arguments: bytes) -> bytes:
        """Call the function with JSON; gives its result as JSON. Raises `ToolError`."""
        bound = self._function_tool.admit(json.loads(arguments))
        value = await self._function_tool.call(bound, in_thread)
        return json.dumps(value, ensure_ascii=False, allow_nan=False).encode()


class Definitions:
    """What was found in the namespace, so that nothing is read, or complained about, twice."""

    def __init__(self) -> None:
        self._read: dict[str, _Reading] = {}
        self._complaints: frozenset[str] = frozenset()

    def read(self, namespace: Mapping[str, Any]) -> tuple[list[DefinedTool], list[str]]:
        """The tools in `namespace`, and new problems, in sentences for the person."""
        readings = {name: self._reading(name, value) for name, value in _marked(namespace)}
        owners: dict[str, str] = {}
        tools: dict[str, DefinedTool] = {}
        complaints = []
        for name, reading in readings.items():
            if isinstance(reading.outcome, str):
                complaints.append(f"`{name}` is not offered as a tool: {reading.outcome}")
                continue
            raw_name = reading.outcome.tool.raw_name
            if raw_name in owners and reading.value is not readings[owners[raw_name]].value:
                complaints.append(
                    f"`{owners[raw_name]}` and `{name}` both define the tool `{raw_name}`: "
                    f"`{name}` is offered"
                )
            owners[raw_name] = name
            tools[raw_name] = reading.outcome
        new = [complaint for complaint in complaints if complaint not in self._complaints]
        self._read, self._complaints = readings, frozenset(complaints)
        return list(tools.values()), new

    def _reading(self, name: str, value: Callable[..., Any]) -> _Reading:
        reading, options = self._read.get(name), options_of(value)
        if reading is None or reading.value is not value or reading.options is not options:
            reading = _Reading(value, options, _tool_or_problem(value))
        return reading


@dataclass(frozen=True, slots=True)
class _Reading:
    """What one name gave."""

    value: Callable[..., Any]
    options: ToolOptions | None
    outcome: DefinedTool | str
    """The tool, or why it cannot be one."""


def _tool_or_problem(function: Callable[..., Any]) -> DefinedTool | str:
    try:
        return DefinedTool(function)
    except Exception as error:  # noqa: BLE001 - hints run code of the person's own
        return words_of(error)


def _marked(namespace: Mapping[str, Any]) -> Iterator[tuple[str, Callable[..., Any]]]:
    for name, value in list(namespace.items()):  # a copy: threads of cells may add names
        if OF_IPYTHON.fullmatch(name):
            continue
        try:
            marked = callable(value) and options_of(value) is not None
        except Exception:  # noqa: BLE001 - any object may be there, and fail to be looked at
            continue
        if marked:
            yield name, value
