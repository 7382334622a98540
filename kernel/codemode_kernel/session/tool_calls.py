"""Nested tool calls: from the host's request to the toolbox and back."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import partial

import msgspec
from codemode_host.errors import DelegateError
from codemode_host.wire import Invocation, ToolDefinition, ToolName
from toolbridge.errors import OutcomeUnknownError, PolicyRefusedError

from codemode_kernel.session.calls import Call, CallOutcome
from codemode_kernel.session.cells import Cell
from codemode_kernel.session.events import (
    AskingChanged,
    CallEnded,
    CallProgressed,
    CallStarted,
    CallWarned,
    SessionEvent,
)
from toolbridge import (
    CallContext,
    CallEvent,
    Catalog,
    Progress,
    Tool,
    Toolbox,
    ToolCall,
    ToolError,
)


class ToolCalls:
    """Runs the calls of all cells of one session."""

    def __init__(
        self,
        toolbox: Toolbox,
        principal: str | None,
        emit: Callable[[SessionEvent], None],
        catalog: Callable[[], Catalog] | None = None,
    ) -> None:
        """`catalog` gives the tools of a cell that starts; by default all that `principal` sees."""
        self._toolbox = toolbox
        self._catalog_now = catalog or partial(toolbox.catalog, principal)
        self._principal = principal
        self._emit = emit
        self._catalog: Catalog | None = None
        self._definitions: list[ToolDefinition] = []

    def equip(self, cell: Cell) -> list[ToolDefinition]:
        """Freeze the cell's catalog as it is now; the tools as the host is told them."""
        catalog = self._catalog_now()
        if catalog is not self._catalog:
            self._catalog = catalog
            self._definitions = [_definition(tool) for tool in catalog.tools]
        cell.catalog = catalog
        return self._definitions

    async def run(self, cell: Cell, invocation: Invocation) -> msgspec.Raw:
        """Run one call and give its result as JSON text.

        Raises `DelegateError` with what the script's promise rejects with.
        """
        name = invocation.tool_name
        tool = cell.catalog.named(name.name, name.namespace) if cell.catalog else None
        if tool is None:
            raise DelegateError(f"unknown tool `{name.name}`")
        call = Call(
            id=invocation.runtime_tool_call_id,
            tool=tool.identifier,
            arguments=msgspec.json.decode(invocation.input),
            started=time.time(),
            definition=tool,
        )
        with self._reported(cell, call):
            call.result = await self._toolbox.invoke(
                ToolCall(tool, call.arguments, call.id, cell.id),
                CallContext(
                    principal=self._principal,
                    asker=cell.asker,
                    cell_is_open=lambda: not (cell.over or cell.end_wished),
                    asking=partial(self._asking, cell, call),
                    on_event=partial(_note_approval, call),
                    on_progress=lambda progress: self._emit(
                        CallProgressed(cell, call, _without_secrets(progress, call))
                    ),
                    warn=lambda text: self._emit(
                        CallWarned(cell, call.argument_secrets.left_out_of(text))
                    ),
                ),
            )
        return msgspec.Raw(msgspec.json.encode(call.result))

    @contextmanager
    def _reported(self, cell: Cell, call: Call) -> Iterator[None]:
        """Count the call and tell of its start and its end."""
        begun = time.monotonic()
        cell.call_count += 1
        cell.open_calls += 1
        self._emit(CallStarted(cell, call))
        try:
            yield
            call.outcome = CallOutcome.OK
        except asyncio.CancelledError:
            call.outcome = CallOutcome.CANCELLED
            raise
        except ToolError as error:
            unknown = isinstance(error, OutcomeUnknownError)
            call.outcome = CallOutcome.UNKNOWN if unknown else CallOutcome.ERROR
            call.error = call.argument_secrets.left_out_of(str(error))
            call.refused = isinstance(error, PolicyRefusedError)
            if call.error != str(error):
                cell.secrets |= call.argument_secrets
            raise DelegateError(str(error)) from error
        finally:
            call.duration_s = time.monotonic() - begun
            cell.open_calls -= 1
            self._emit(CallEnded(cell, call))

    @contextmanager
    def _asking(self, cell: Cell, call: Call) -> Iterator[None]:
        """A person is being asked: the observation's deadline stands still meanwhile."""
        clock = asyncio.get_running_loop().time
        begun = clock()
        call.is_asking = True
        if cell.asked.begin(begun) and cell.observer is not None:
            cell.observer.hold_deadline()
        self._emit(AskingChanged(cell))
        try:
            yield
        finally:
            call.is_asking = False
            call.asked_s += clock() - begun
            if cell.asked.end(clock()) and cell.observer is not None:
                cell.observer.start_deadline()
            self._emit(AskingChanged(cell))


def _note_approval(call: Call, event: CallEvent) -> None:
    call.approval = event.approval


def _without_secrets(progress: Progress, call: Call) -> Progress:
    if progress.message is None or not call.argument_secrets:
        return progress
    return replace(progress, message=call.argument_secrets.left_out_of(progress.message))


def _definition(tool: Tool) -> ToolDefinition:
    return ToolDefinition(
        name=tool.identifier,
        tool_name=ToolName(tool.name, tool.namespace),
        description=tool.listed_description,
        kind=tool.kind.value,
    )
