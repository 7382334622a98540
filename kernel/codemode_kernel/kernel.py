"""The kernel: translates Jupyter messages and nothing else.

The rooms it calls into are imported after the first front end has its first answer: a kernel
counts as started when it says who it is.
"""

from __future__ import annotations

import asyncio
import signal
import sys
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING, Any

from tornado.ioloop import IOLoop

from codemode_kernel import __version__
from codemode_kernel.messages.busy_answers import BusyAnswers
from codemode_kernel.messages.comms import add_comm_handlers, admit_when_open
from codemode_kernel.messages.history import Histories
from codemode_kernel.messages.kernel_info import BANNER, LANGUAGE_INFO, kernel_info
from codemode_kernel.messages.request import Request, date_of
from codemode_kernel.notebook.interrupt import Interrupts
from codemode_kernel.settings import KernelSettings

if TYPE_CHECKING:
    from codemode_kernel.errors import KernelError
    from codemode_kernel.household import Household
    from codemode_kernel.rooms import Rooms

GREETING_S = 1.0
"""How long the first question of a front end is waited for, in seconds."""

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
    _loop: asyncio.AbstractEventLoop
    _greeted: asyncio.Event
    _opening: asyncio.Task[Household]

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self._histories = Histories(shared=bool(self.shared_kernel))
        self._interrupts = Interrupts(on_idle=self._on_idle_interrupt)
        add_comm_handlers(self)

    # Life

    def start(self) -> None:
        """Register the message handlers; what needs the running loop follows in it."""
        self._loop = IOLoop.current().asyncio_loop  # type: ignore[attr-defined]
        self._greeted = asyncio.Event()
        super().start()
        self.io_loop.add_callback(self._begin)

    def _begin(self) -> None:
        if sys.platform != "win32":
            self._loop.add_signal_handler(signal.SIGINT, self._on_interrupt)
        self._opening = self._loop.create_task(self._open())

    async def _open(self) -> Household:
        with suppress(TimeoutError):
            await asyncio.wait_for(self._greeted.wait(), GREETING_S)
        from codemode_kernel.furnishing import furnish
        from codemode_kernel.household import Household
        from codemode_kernel.messages.message_json import speed_up
        from codemode_kernel.messages.stdin import Stdin
        from codemode_kernel.notebook.foreground import Foreground

        speed_up(self.session)
        stdin = Stdin(self.session, self.stdin_socket)

        def move_in(principal: str | None, problem: KernelError | None) -> Foreground:
            early, self.parent.early_host = self.parent.early_host, None
            rooms = furnish(self, self.parent.problems, self._interrupts, stdin, early, principal)
            if problem is not None:
                rooms = replace(rooms, problem=problem)
            return Foreground(rooms, self._interrupts, self._publish)

        def prepare(rooms: Rooms) -> asyncio.Task[None]:
            return self._loop.create_task(self._prepare(rooms))

        household = Household(move_in, prepare, shared=bool(self.shared_kernel))
        if not self.shared_kernel:
            household.of({})
        return household

    async def _prepare(self, rooms: Rooms) -> None:
        await rooms.warm_up()
        await asyncio.to_thread(_prepare_completion)

    async def do_shutdown(self, restart: bool) -> dict[str, Any]:
        """End everything; runs in the control thread."""
        closing = asyncio.run_coroutine_threadsafe(self._close(), self._loop)
        try:
            await asyncio.wait_for(asyncio.wrap_future(closing), SHUTDOWN_S)
        except TimeoutError:
            self.log.error("Cells and host did not end within %s s", SHUTDOWN_S)
        return {"status": "ok", "restart": restart}

    async def _close(self) -> None:
        self._greeted.set()
        household = await self._opening
        await household.close()

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
            self._histories.of(message).add(self.execution_count, code)
        self._greeted.set()
        resident = (await self._opening).of(message)
        return await resident.foreground.perform(code, request, self.execution_count)

    def _publish(self, kind: str, content: Mapping[str, Any], parent: Mapping[str, Any]) -> None:
        self.session.send(
            self.iopub_socket, kind, dict(content), parent=dict(parent), ident=self._topic(kind)
        )

    def on_control_comm(self, comm: Any, opened: Mapping[str, Any]) -> None:
        """A page of our extension opens its comm."""
        self._greeted.set()
        admit_when_open(comm, opened, self._opening)

    # Stop

    def pre_handler_hook(self) -> None:
        """Leave SIGINT alone: the base's handler would raise inside the event loop and end it."""

    def post_handler_hook(self) -> None:
        """Nothing to restore."""

    async def interrupt_request(self, stream: Any, ident: Any, parent: dict[str, Any]) -> None:
        """A Stop; runs in the control thread."""
        self._loop.call_soon_threadsafe(self._on_interrupt, date_of(parent))
        self.session.send(stream, "interrupt_reply", {"status": "ok"}, parent, ident=ident)

    def _on_interrupt(self, sent: datetime | None = None) -> None:
        self._interrupts.arrive(time.monotonic(), sent)

    def _on_idle_interrupt(self) -> None:
        if self._opening.done():
            for resident in self._opening.result().all():
                resident.rooms.footers.hint_how_to_end()

    # Questions of front ends

    async def kernel_info_request(self, stream: Any, ident: Any, parent: dict[str, Any]) -> None:
        """Say who this is; the rest of the kernel is imported after that."""
        await super().kernel_info_request(stream, ident, parent)
        self._loop.call_soon_threadsafe(self._greeted.set)  # may come in the control thread

    @property
    def kernel_info(self) -> dict[str, Any]:
        """See `codemode_kernel.messages.kernel_info`."""
        return kernel_info()

    async def do_is_complete(self, code: str) -> dict[str, Any]:
        """See `codemode_kernel.completion.completeness`."""
        from codemode_kernel.completion.completeness import completeness

        return completeness(code)

    async def do_complete(self, code: str, cursor_pos: int) -> dict[str, Any]:
        """See `codemode_kernel.completion`."""
        self._greeted.set()
        resident = (await self._opening).of(self.get_parent("shell"))
        from codemode_kernel.completion.assistant import complete

        return await complete(code, cursor_pos, resident.lookout)

    async def do_inspect(
        self, code: str, cursor_pos: int, detail_level: int = 0, omit_sections: Any = ()
    ) -> dict[str, Any]:
        """See `codemode_kernel.completion.inspection`."""
        self._greeted.set()
        resident = (await self._opening).of(self.get_parent("shell"))
        from codemode_kernel.completion.assistant import inspect

        return await inspect(code, cursor_pos, resident.lookout)

    async def history_request(self, stream: Any, ident: Any, parent: dict[str, Any]) -> None:
        """See `codemode_kernel.messages.history`."""
        reply = self._histories.of(parent).reply(parent["content"])
        self.session.send(stream, "history_reply", reply, parent, ident)


def _prepare_completion() -> None:
    """Runs in a thread: the first Tab is not to wait for imports, and neither is a cell."""
    from codemode_kernel.completion.assistant import prepare

    prepare()
