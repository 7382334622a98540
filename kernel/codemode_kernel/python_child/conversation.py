"""The Jupyter messages between this kernel and one Python process.

Outputs are told apart by the request they belong to, so what a cell's threads print after its end
still finds the cell. ZeroMQ's limits are off on both sides: it drops messages beyond them.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from typing import Any

import zmq.asyncio
from jupyter_client.asynchronous.client import AsyncKernelClient
from jupyter_client.connect import KernelConnectionInfo

from codemode_kernel.python_child.run import Run

MAX_REMEMBERED = 256
"""Cells whose late output still finds them."""

WELCOME_S = 0.2
"""How long ipykernel's welcome is waited for before it is asked for a sign of life."""

LAST_MESSAGES_MS = 20
"""How long nothing has to arrive until a process that has ended is known to have said all."""


class Conversation:
    """A client of one process, which must listen already."""

    def __init__(self, context: zmq.asyncio.Context, client: AsyncKernelClient) -> None:
        """Use `open`."""
        self._context = context
        self._client = client
        self._runs: OrderedDict[str, Run] = OrderedDict()
        self.listening = asyncio.create_task(self._listen())
        """Until `close`; when it fails, nothing is heard any more."""

    @classmethod
    async def open(cls, connection: KernelConnectionInfo) -> Conversation:
        """Connect to a process; no output of what is executed then is missed."""
        context = zmq.asyncio.Context()
        context.rcvhwm = 0
        client = AsyncKernelClient(context=context)
        client.load_connection_info(connection)
        try:
            client.start_channels(hb=False)
            await _heard(client)
        except BaseException:
            _disconnect(context, client)
            raise
        return cls(context, client)

    def execute(self, run: Run, code: str, execution_count: int | None) -> None:
        """Send `code` as the cell of `run`, under that number if there is one."""
        content = {
            "code": code,
            "silent": False,
            "store_history": True,
            "user_expressions": {},
            "allow_stdin": run.on_input is not None,
            "stop_on_error": False,
        }
        metadata = {} if execution_count is None else {"execution_count": execution_count}
        message = self._client.session.msg("execute_request", content, metadata=metadata)
        self._runs[message["header"]["msg_id"]] = run
        if len(self._runs) > MAX_REMEMBERED:
            self._runs.popitem(last=False)
        self._client.shell_channel.send(message)

    def request_shutdown(self) -> None:
        """Ask the process to end in good order. It cannot while a cell holds it."""
        self._client.shutdown()

    async def close(self) -> None:
        """Disconnect, after the last messages of a process that has ended."""
        while await self._client.iopub_channel.socket.poll(LAST_MESSAGES_MS):
            if self.listening.done():
                break
            await asyncio.sleep(0)  # to the pump
        self.listening.cancel()
        await asyncio.wait({self.listening})
        _disconnect(self._context, self._client)

    async def _listen(self) -> None:
        async with asyncio.TaskGroup() as group:
            group.create_task(self._pump(self._client.get_shell_msg, self._on_shell))
            group.create_task(self._pump(self._client.get_iopub_msg, Run.hear))
            group.create_task(self._pump(self._client.get_stdin_msg, self._on_stdin))

    async def _pump(
        self,
        receive: Callable[[], Awaitable[dict[str, Any]]],
        handle: Callable[[Run, dict[str, Any]], None],
    ) -> None:
        while True:
            message = await receive()
            run = self._runs.get(message["parent_header"].get("msg_id", ""))
            if run is not None:
                handle(run, message)

    def _on_shell(self, run: Run, message: dict[str, Any]) -> None:
        if message["msg_type"] == "execute_reply":
            run.reply(message["content"])

    def _on_stdin(self, run: Run, message: dict[str, Any]) -> None:
        content = message["content"]
        run.ask(content["prompt"], content["password"], self._client.input)


async def _heard(client: AsyncKernelClient) -> None:
    """Wait until the process knows the subscription to its output.

    The first output says so, most often ipykernel's welcome. It is never sent when the subscription
    arrives while something else is being sent; the status of a small request then comes instead.
    """
    hearing = asyncio.ensure_future(client.get_iopub_msg())
    try:
        while not (await asyncio.wait({hearing}, timeout=WELCOME_S))[0]:
            client.kernel_info()
        await hearing
    finally:
        hearing.cancel()


def _disconnect(context: zmq.asyncio.Context, client: AsyncKernelClient) -> None:
    client.stop_channels()
    context.destroy(linger=0)
