"""Nested tool calls and notifications that a host asks its client for.

A call is a task. A notification is delivered where it stands among what the host says, so that a
person sees it between the outputs that came before and after it; only its answer is a task.
"""

from __future__ import annotations

import asyncio
from typing import Protocol

from msgspec import Raw

from codemode_host.client.link import Link
from codemode_host.errors import DelegateError, FrameTooLong, ProtocolError
from codemode_host.wire import (
    DelegateOk,
    DelegateRequest,
    DelegateResponse,
    Failure,
    Invocation,
    NotificationDelivered,
    NotificationSend,
    ToolInvoke,
    ToolResult,
)

MAX_PENDING = 4096
"""Delegate calls in progress; the reference stops at 1,024 and ours queues, so more is a fault."""


CANCEL_S = 5.0
"""Longest time that cancelled work is waited for at the end of a connection, in seconds."""


class DelegateHandler(Protocol):
    """Who runs the work. A call is cancelled when the host takes the request back."""

    async def call_tool(self, session_id: str, invocation: Invocation) -> Raw:
        """Run a tool; its result as JSON text. `DelegateError` rejects the script's promise."""
        ...

    def notify(self, session_id: str, notification: NotificationSend) -> None:
        """Deliver a notification; the host may hold a cell's result back until it is."""


class Delegates:
    """Owns the tasks of one connection."""

    def __init__(self, link: Link, handler: DelegateHandler) -> None:
        self._link = link
        self._handler = handler
        self._tasks: dict[int, asyncio.Task[None]] = {}
        self._last_id = 0

    def start(self, request: DelegateRequest) -> None:
        """Begin the work of `request`; raises `ProtocolError` for a repeated id."""
        if request.id <= self._last_id:
            raise ProtocolError(f"duplicate code-mode delegate request ID {request.id}")
        if len(self._tasks) >= MAX_PENDING:
            raise ProtocolError(
                f"code-mode host exceeded the limit of {MAX_PENDING} pending delegate calls"
            )
        self._last_id = request.id
        match request.request:
            case ToolInvoke(invocation):
                work = self._call(request, invocation)
            case NotificationSend() as notification:
                work = self._answer(request, self._notify(request, notification))
        task = asyncio.get_running_loop().create_task(work)
        self._tasks[request.id] = task
        task.add_done_callback(lambda done: self._forget(request.id, done))

    async def _call(self, request: DelegateRequest, invocation: Invocation) -> None:
        result: DelegateOk | Failure
        try:
            given = await self._handler.call_tool(request.session_id, invocation)
            result = DelegateOk(ToolResult(given))
        except DelegateError as error:
            result = Failure(str(error))
        await self._answer(request, result)

    def _notify(
        self, request: DelegateRequest, notification: NotificationSend
    ) -> DelegateOk | Failure:
        try:
            self._handler.notify(request.session_id, notification)
        except DelegateError as error:
            return Failure(str(error))
        return DelegateOk(NotificationDelivered())

    async def _answer(self, request: DelegateRequest, result: DelegateOk | Failure) -> None:
        await self._link.writable()
        task = asyncio.current_task()
        if task is not None and task.cancelling():
            return  # work that swallowed its cancellation: nobody waits for the answer
        try:
            self._link.send(DelegateResponse(request.id, result))
        except FrameTooLong as error:
            self._send_failure(
                request.id, f"code-mode delegate response exceeds the IPC frame limit: {error}"
            )

    def _send_failure(self, request_id: int, message: str) -> None:
        self._link.send(DelegateResponse(request_id, Failure(message)))

    def _forget(self, request_id: int, task: asyncio.Task[None]) -> None:
        self._tasks.pop(request_id, None)
        if task.cancelled() or (error := task.exception()) is None:
            return
        # A fault in the handler must not leave the script waiting for ever.
        self._send_failure(request_id, f"internal error: {error!r}")
        asyncio.get_running_loop().call_exception_handler(
            {"message": "a delegate handler failed", "exception": error, "task": task}
        )

    def cancel(self, request_id: int) -> None:
        """The host takes a request back: stop its work and answer nothing."""
        task = self._tasks.get(request_id)
        if task is not None:
            task.cancel()

    async def cancel_all(self) -> None:
        """Stop everything and wait, but not for ever, until it has stopped."""
        tasks = list(self._tasks.values())
        for task in tasks:
            task.cancel()
        if tasks:
            await asyncio.wait(tasks, timeout=CANCEL_S)
