"""Sync functions in threads of their own, which an event loop awaits and can interrupt."""

from __future__ import annotations

import asyncio
import contextvars
import ctypes
import threading
from collections.abc import Callable
from typing import Any

_Outcome = tuple[Any, BaseException | None]


async def in_thread(function: Callable[[], Any]) -> Any:
    """Run `function` in a new thread, in the caller's context, and give its value.

    Raises what the function raised, which may be `SystemExit` or `KeyboardInterrupt`: let neither
    out of a task. Cancellation raises `KeyboardInterrupt` in the thread, at its next bytecode, and
    then waits for the thread: cleaning up belongs to the function.
    """
    call = _ThreadCall(function, asyncio.get_running_loop())
    call.start()
    try:
        value, error = await asyncio.shield(call.outcome)
    except asyncio.CancelledError:
        call.interrupt()
        await asyncio.wait({call.outcome})
        raise
    if error is not None:
        raise error
    return value


class _ThreadCall:
    """One function in one thread. `outcome` is settled on `loop`."""

    def __init__(self, function: Callable[[], Any], loop: asyncio.AbstractEventLoop) -> None:
        self.outcome: asyncio.Future[_Outcome] = loop.create_future()
        self._function = function
        self._loop = loop
        self._context = contextvars.copy_context()
        self._lock = threading.Lock()
        self._over = False
        self._thread = threading.Thread(target=self._run, name="tool call", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def interrupt(self) -> None:
        """Raise `KeyboardInterrupt` in the function, unless it is over."""
        with self._lock:
            if not self._over and self._thread.ident is not None:
                ctypes.pythonapi.PyThreadState_SetAsyncExc(
                    ctypes.c_ulong(self._thread.ident), ctypes.py_object(KeyboardInterrupt)
                )

    def _run(self) -> None:
        value, error = None, None
        try:
            try:
                value = self._context.run(self._function)
            finally:
                with self._lock:
                    self._over = True
        except BaseException as raised:  # noqa: BLE001 - whatever it is, the caller gets it
            error = raised
        try:
            self._loop.call_soon_threadsafe(self._settle, (value, error))
        except KeyboardInterrupt:  # asked for just before the function was over
            self._loop.call_soon_threadsafe(self._settle, (value, error))

    def _settle(self, outcome: _Outcome) -> None:
        if not self.outcome.done():
            self.outcome.set_result(outcome)
