"""The kernel: translates Jupyter messages and nothing else."""

from __future__ import annotations

import asyncio
import signal
import sys
import time
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from codemode_kernel import __version__
from codemode_kernel.busy_answers import BusyAnswers
from codemode_kernel.comms import add_comm_handlers
from codemode_kernel.completeness import completeness
from codemode_kernel.foreground import Foreground
from codemode_kernel.history import History
from codemode_kernel.interrupt import Interrupts
from codemode_kernel.kernel_info import BANNER, LANGUAGE_INFO, kernel_info
from codemode_kernel.outputs import CellOutputs
from codemode_kernel.publisher import Publisher, Request
from codemode_kernel.rooms import Rooms, furnish
from codemode_kernel.runs import NotebookRun
from codemode_kernel.settings import KernelSettings
from codemode_kernel.stdin import Stdin

SHUTDOWN_S = 5.0
"""Longest time that cells, children and the host get to end, in seconds."""


class CodeModeKernel(KernelSettings, BusyAnswers):
    """Every notebook cell is an exec cell, a wait or a magic."""

    implementation = "codemode"
    implementation_version = __version__
    banner = BANNER
    language_info = LANGUAGE_INFO
    # The base sleeps this long in the event loop for every cell (seconds).
    _execute_sleep = 0.0

    parent: Any
    _rooms: Rooms
    _foreground: Foreground
    _loop: asyncio.AbstractEventLoop
    _warm_up: asyncio.Task[None]

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self._history = History()
        self._interrupts = Interrupts(on_idle=self._on_idle_interrupt)
        add_comm_handlers(self)

    # Life

    def start(self) -> None:
        """Register the message handlers; what needs the running loop follows in it."""
        super().start()
        self.io_loop.add_callback(self._open)

    async def _open(self) -> None:
        self._loop = asyncio.get_running_loop()
        if sys.platform != "win32":
            self._loop.add_signal_handler(signal.SIGINT, self._on_interrupt)
        stdin = Stdin(self.session, self.stdin_socket)
        self._rooms = furnish(self, self._interrupts, stdin, self.parent.early_host)
        self._foreground = Foreground(self._rooms, self._interrupts)
        self._warm_up = self._loop.create_task(self._rooms.warm_up())

    async def do_shutdown(self, restart: bool) -> dict[str, Any]:
        """End everything; runs in the control thread."""
        self._loop.call_soon_threadsafe(self._warm_up.cancel)
        closing = asyncio.run_coroutine_threadsafe(self._rooms.close(), self._loop)
        try:
            await asyncio.wait_for(asyncio.wrap_future(closing), SHUTDOWN_S)
        except TimeoutError:
            self.log.error("Cells and host did not end within %s s", SHUTDOWN_S)
        return {"status": "ok", "restart": restart}

    # Cells

    async def do_execute(
        self,
        code: str,
        silent: bool,
        store_history: bool = True,
        user_expressions: dict[str, str] | None = None,
        allow_stdin: bool = False,
        *,
        cell_meta: dict[str, Any] | None = None,
        cell_id: str | None = None,
    ) -> dict[str, Any]:
        """Perform one notebook cell. An exec cell has no variables, so expressions give nothing."""
        message = self.get_parent("shell")
        identities: Any = self._parent_ident["shell"]
        request = Request(message, identities, allow_stdin, silent, cell_id)
        if store_history and not silent:
            self._history.add(self.execution_count, code)
        outputs = CellOutputs(Publisher(self._publish, request), self._loop)
        run = NotebookRun(f"In [{self.execution_count}]", code, self.execution_count, outputs)
        return await self._foreground.perform(run, _date(message))

    def _publish(self, kind: str, content: Mapping[str, Any], parent: Mapping[str, Any]) -> None:
        self.session.send(
            self.iopub_socket, kind, dict(content), parent=dict(parent), ident=self._topic(kind)
        )

    # Stop

    def pre_handler_hook(self) -> None:
        """Leave SIGINT alone: the base's handler would raise inside the event loop and end it."""

    def post_handler_hook(self) -> None:
        """Nothing to restore."""

    async def interrupt_request(self, stream: Any, ident: Any, parent: dict[str, Any]) -> None:
        """A Stop; runs in the control thread."""
        self._loop.call_soon_threadsafe(self._on_interrupt, _date(parent))
        self.session.send(stream, "interrupt_reply", {"status": "ok"}, parent, ident=ident)

    def _on_interrupt(self, sent: datetime | None = None) -> None:
        self._interrupts.arrive(time.monotonic(), sent)

    def _on_idle_interrupt(self) -> None:
        self._rooms.footers.hint_how_to_end()

    # Questions of front ends

    @property
    def kernel_info(self) -> dict[str, Any]:
        """See `codemode_kernel.kernel_info`."""
        return kernel_info()

    async def do_is_complete(self, code: str) -> dict[str, Any]:
        """See `codemode_kernel.completeness`."""
        return completeness(code)

    async def history_request(self, stream: Any, ident: Any, parent: dict[str, Any]) -> None:
        """See `codemode_kernel.history`."""
        reply = self._history.reply(parent["content"])
        self.session.send(stream, "history_reply", reply, parent, ident)


def _date(message: Mapping[str, Any]) -> datetime:
    """When a request was sent, by the clock of who sent it."""
    date = message["header"].get("date")
    return date if isinstance(date, datetime) else datetime.now(UTC)
