"""The session's Python as the kernel knows it: one process after the other."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
from typing import TYPE_CHECKING, Any

from toolbridge.sources.python_child import OnCallOutput, PythonChildSource, drop_output

from codemode_kernel.python_child.errors import PythonDiedError, PythonStartError
from codemode_kernel.python_child.run import OnInput, OnMessage, Run

if TYPE_CHECKING:
    from codemode_kernel.python_child.life import Life


class PythonChild:
    """See the package's docstring. Used from one event loop."""

    def __init__(
        self, *, cwd: str | None = None, on_call_output: OnCallOutput = drop_output
    ) -> None:
        """`cwd` is the folder of the process; None: the kernel's.

        `on_call_output(call, message)` gets what tool calls print and display.
        """
        self.source = PythonChildSource(on_call_output)
        """Offers the tools of the process; for the session's toolbox."""
        self._cwd = cwd
        self._life: Life | None = None
        self._run: Run | None = None
        self._closed = False
        self._one_cell = asyncio.Lock()
        self._one_change = asyncio.Lock()
        """Held while a process starts or ends."""

    @property
    def pid(self) -> int | None:
        """The running process (and its process group); None while there is none."""
        return self._life.pid if self._life is not None and not self._life.is_over else None

    async def start(self) -> None:
        """Have a process running. Raises `PythonStartError`."""
        await self._alive()

    async def run(
        self,
        code: str,
        on_message: OnMessage,
        *,
        execution_count: int | None = None,
        on_input: OnInput | None = None,
    ) -> dict[str, Any]:
        """Run one cell and give the content of its `execute_reply`.

        Raises `PythonStartError` and `PythonDiedError`.
        """
        async with self._one_cell:
            run = self._run = Run(on_message, on_input, self._send_interrupt)
            try:
                life = await self._alive()
                if run.interrupted:
                    return run.stopped()
                life.conversation.execute(run, code, execution_count)
                return await _outcome(run, life)
            except asyncio.CancelledError:
                run.interrupt()
                raise
            finally:
                self._run = None

    def interrupt(self) -> bool:
        """Raise `KeyboardInterrupt` in the running cell; False if none runs.

        A cell that has ignored that for a while loses its process.
        """
        if self._run is None:
            return False
        if self._run.stubborn and self._life is not None:
            self._life.kill("Stop ended its process, as the cell did not obey")
        else:
            self._run.interrupt()
        return True

    async def restart(self) -> None:
        """End the process; variables and tools are gone, the next cell starts a new one."""
        async with self._one_change:
            if self._life is not None:
                self.interrupt()
                await self._life.end("Python was restarted")
                self._life = None

    async def close(self) -> None:
        """End the process for good."""
        self._closed = True
        await self.restart()

    async def _alive(self) -> Life:
        from codemode_kernel.python_child.life import Life

        async with self._one_change:
            if self._closed:
                raise PythonStartError("the session has ended, and its Python with it")
            if self._life is not None and self._life.is_over:
                await asyncio.wait({self._life.over})
                self._life = None
            if self._life is None:
                self._life = await Life.begin(self.source, self._cwd)
            return self._life

    def _send_interrupt(self) -> None:
        if self.pid is not None:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self.pid, signal.SIGINT)


async def _outcome(run: Run, life: Life) -> dict[str, Any]:
    finishing = asyncio.ensure_future(run.finished())
    try:
        await asyncio.wait({finishing, life.over}, return_when=asyncio.FIRST_COMPLETED)
        if not finishing.done():
            raise PythonDiedError(
                f"Python ended while the cell ran: {life.over.result()}. Its variables and tools "
                "are gone; the next %%python cell starts a new one"
            )
        reply = finishing.result()
        if _asks_to_exit(reply):
            await life.end("Python was left by exit()")
        await life.link.sync()
        return reply
    finally:
        finishing.cancel()


def _asks_to_exit(reply: dict[str, Any]) -> bool:
    """Whether the cell said `exit()` or `quit()`: the process ends right after it."""
    return any(
        payload["source"] == "ask_exit" and not payload["keepkernel"]
        for payload in reply.get("payload", ())
    )
