"""The calls under way in the process, on one event loop that is theirs alone.

A call knows itself by `current_call`: tasks and `asyncio.to_thread` inherit it, bare threads do
not. What runs under it and prints is printing for that call.
"""

from __future__ import annotations

import asyncio
import contextvars
import threading
from collections.abc import Awaitable, Callable
from functools import partial

from toolbridge.calls import Progress
from toolbridge.child.messages import ChannelError, Failure, Message, Progressed, Result, raw
from toolbridge.errors import Outcome, ToolError, words_of
from toolbridge.python.call_hooks import CallHooks, current_hooks

current_call: contextvars.ContextVar[int | None] = contextvars.ContextVar(
    "current_call", default=None
)
"""Number of the call that the running code belongs to; None outside any call."""

Work = Callable[[], Awaitable[bytes]]
"""What a call does: gives its result as JSON text, or raises `ToolError`."""


class Calls:
    """Starts, cancels and settles calls. Methods may be called from any thread."""

    def __init__(self, send: Callable[[Message], None]) -> None:
        self._send = send
        self._loop = asyncio.new_event_loop()
        self._tasks: dict[int, asyncio.Task[None]] = {}
        self._hooks: dict[int, CallHooks] = {}

    def start(self) -> None:
        """Start the thread of the event loop."""
        threading.Thread(target=self._run_loop, name="tool calls", daemon=True).start()

    def begin(self, number: int, work: Work) -> None:
        """Do `work` as call `number` and send its outcome."""
        self._loop.call_soon_threadsafe(self._begin, number, work)

    def cancel(self, number: int) -> None:
        """Cancel call `number`, if it is under way."""
        self._loop.call_soon_threadsafe(self._cancel, number)

    def _run_loop(self) -> None:
        while True:
            try:
                self._loop.run_forever()
            except (SystemExit, KeyboardInterrupt):
                continue  # from a task that a call left behind; the other calls go on

    def _begin(self, number: int, work: Work) -> None:
        context = contextvars.copy_context()
        context.run(current_call.set, number)
        hooks = self._hooks[number] = CallHooks(partial(self._tell, number))
        context.run(current_hooks.set, hooks)
        self._tasks[number] = self._loop.create_task(self._settle(number, work), context=context)

    def _cancel(self, number: int) -> None:
        task = self._tasks.get(number)
        if task is not None:
            self._hooks[number].is_cancelled = True
            task.cancel()

    def _tell(self, number: int, progress: Progress) -> None:
        self._send(
            Progressed(
                id=number, done=progress.done, total=progress.total, message=progress.message
            )
        )

    async def _settle(self, number: int, work: Work) -> None:
        try:
            self._send(await _outcome(number, work))
        except ChannelError as error:
            self._send(
                Failure(id=number, message=f"the result is too large to be passed on: {error}")
            )
        finally:
            del self._tasks[number]
            del self._hooks[number]


async def _outcome(number: int, work: Work) -> Message:
    try:
        return Result(id=number, value=raw(await work()))
    except asyncio.CancelledError:
        return Failure(id=number, message="cancelled")
    except ToolError as error:
        return Failure(id=number, message=str(error), refused=error.outcome is Outcome.REFUSED)
    except BaseException as error:  # noqa: BLE001 - a call that is not settled would hang its cell
        return Failure(id=number, message=words_of(error))
