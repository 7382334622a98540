"""One cell in the Python process, from its request to its end."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

from toolbridge.child.output import ChildMessage

OnMessage = Callable[[ChildMessage], None]
OnInput = Callable[[str, bool], Awaitable[str]]

OUTPUT_TYPES = frozenset(
    {
        "stream",
        "display_data",
        "update_display_data",
        "execute_result",
        "error",
        "clear_output",
    }
)

REPLY_S = 30.0
"""How long a reply may come after `idle`, on another socket. It was sent before."""

INTERRUPTED_REPLY_S = 1.0
"""The same after an interrupt, which loses the reply when it comes between two lines of ipykernel."""

OBEYS_S = 2.0
"""How long a cell may take to end after an interrupt before the person is told what else helps."""

STUBBORN = (
    "Python has not stopped yet. Another Stop ends its process: variables and tools are lost then."
)

INTERRUPTED: dict[str, Any] = {
    "status": "error",
    "ename": "KeyboardInterrupt",
    "evalue": "",
    "traceback": ["KeyboardInterrupt"],
}
"""What a cell ends with that was stopped where Python itself has nothing to say."""


class Run:
    """Follows one execute request, whose messages are brought to it."""

    def __init__(
        self, on_message: OnMessage, on_input: OnInput | None, send_interrupt: Callable[[], None]
    ) -> None:
        self.on_input = on_input
        self.interrupted = False
        self.stubborn = False
        """Whether the cell runs on although it was interrupted a while ago."""
        self._on_message = on_message
        self._send_interrupt = send_interrupt
        self._executing = False
        loop = asyncio.get_running_loop()
        self._replied: asyncio.Future[dict[str, Any]] = loop.create_future()
        self._idle: asyncio.Future[None] = loop.create_future()
        self._asking: asyncio.Task[None] | None = None
        self._impatience: asyncio.TimerHandle | None = None

    def interrupt(self) -> None:
        """Stop the cell, as soon as the process has it in hand: an earlier interrupt is lost."""
        self.interrupted = True
        if self._executing:
            self._interrupt_code()

    def hear(self, message: dict[str, Any]) -> None:
        """Take an iopub message."""
        kind, content = message["msg_type"], message["content"]
        if kind in OUTPUT_TYPES:
            self._on_message(ChildMessage(kind, content, message["metadata"]))
        elif kind == "execute_input":
            self._executing = True
            if self.interrupted:
                self._interrupt_code()
        elif kind == "status" and content["execution_state"] == "idle" and not self._idle.done():
            self._executing = False
            self._idle.set_result(None)

    def reply(self, content: dict[str, Any]) -> None:
        """Take the reply."""
        if not self._replied.done():
            self._replied.set_result(content)

    def ask(self, prompt: str, password: bool, answer: Callable[[str], None]) -> None:
        """Ask the person for the cell; a question that fails interrupts it."""
        if self._asking is not None:
            self._asking.cancel()
        self._asking = asyncio.create_task(self._ask(prompt, password, answer))

    async def finished(self) -> dict[str, Any]:
        """Wait for the end; gives the content of the reply, after all output of the cell."""
        try:
            await self._idle
            patience_s = INTERRUPTED_REPLY_S if self.interrupted else REPLY_S
            await asyncio.wait({self._replied}, timeout=patience_s)
        finally:
            if self._impatience is not None:
                self._impatience.cancel()
            if self._asking is not None:
                self._asking.cancel()
        return self._replied.result() if self._replied.done() else self.stopped()

    def stopped(self) -> dict[str, Any]:
        """Show the cell as interrupted, and give the reply that says so."""
        shown = {key: value for key, value in INTERRUPTED.items() if key != "status"}
        self._on_message(ChildMessage("error", shown))
        return dict(INTERRUPTED)

    def _interrupt_code(self) -> None:
        self._send_interrupt()
        if self._impatience is None:
            loop = asyncio.get_running_loop()
            self._impatience = loop.call_later(OBEYS_S, self._tell_that_it_is_stubborn)

    def _tell_that_it_is_stubborn(self) -> None:
        self.stubborn = True
        self._say(STUBBORN)

    def _say(self, line: str) -> None:
        self._on_message(ChildMessage("stream", {"name": "stderr", "text": f"{line}\n"}))

    async def _ask(self, prompt: str, password: bool, answer: Callable[[str], None]) -> None:
        assert self.on_input is not None  # else the process was told that nobody can be asked
        try:
            answer(await self.on_input(prompt, password))
        except Exception as error:  # noqa: BLE001 - whoever asks may fail in any way
            self._say(f"input() was not answered: {error}")
            self.interrupt()
