"""One page: its comm, and what it has asked for."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from contextvars import copy_context
from typing import Any, Protocol

import msgspec

from codemode_kernel.control.from_front import FromFront
from codemode_kernel.control.from_kernel import Error, FromKernel
from codemode_kernel.control.messages import read, write

Message = Mapping[str, Any]
"""A Jupyter message: `header`, `content` with the comm's `data`, ..."""


class Comm(Protocol):
    """What is used of the `comm` package's class."""

    def send(self, data: dict[str, Any]) -> None: ...
    def close(self) -> None: ...
    def on_msg(self, callback: Callable[[Message], None] | None) -> None: ...
    def on_close(self, callback: Callable[[Message], None] | None) -> None: ...


class Front:
    """Made when a comm is opened. Its messages are handled by tasks that end with it."""

    def __init__(
        self,
        comm: Comm,
        opened: Message,
        handle: Callable[[Front, FromFront], Any],
        on_gone: Callable[[Front], None],
    ) -> None:
        """`handle` is a coroutine function, called for each message that can be read."""
        self.client = str(opened["header"].get("session", ""))
        """Session of the page, as in the headers of the requests it sends."""
        self.is_attached = False
        self.last_heard = time.monotonic()
        self._comm = comm
        self._handle = handle
        self._on_gone = on_gone
        self._tasks: set[asyncio.Task[None]] = set()
        self._is_gone = False
        # The parent of what is sent: this page's own message, whichever cell runs meanwhile.
        self._context = copy_context()
        comm.on_msg(self.receive)
        comm.on_close(lambda _: self.leave())

    def receive(self, message: Message) -> None:
        """Take a comm message in. What cannot be read is answered, never raised."""
        self.last_heard = time.monotonic()
        try:
            read_message = read(message["content"].get("data"))
        except msgspec.ValidationError as error:
            self.send(Error(f"This is no message of the control comm: {error}"))
            return
        task = asyncio.get_running_loop().create_task(self._handle(self, read_message))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def send(self, message: FromKernel) -> None:
        """Send, unless the page is gone."""
        if not self._is_gone:
            self._context.copy().run(self._comm.send, write(message))

    def leave(self) -> None:
        """The page has closed its comm, or nothing more is to be sent to it."""
        if self._is_gone:
            return
        self._is_gone = True
        self.is_attached = False
        for task in self._tasks:
            task.cancel()
        self._on_gone(self)

    def close(self) -> None:
        """Close the comm from this side; a page that is still there can open another one."""
        self.leave()
        with suppress(KeyError):  # Another comm took its id, and the manager has closed that.
            self._context.copy().run(self._comm.close)
