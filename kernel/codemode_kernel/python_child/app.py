"""The process of `%%python` cells: an ipykernel that also serves the tools its cells define."""

from __future__ import annotations

import builtins
import functools
import os
import signal
import socket
import sys
from collections.abc import Callable
from typing import Any, NoReturn

from ipykernel.iostream import OutStream
from ipykernel.ipkernel import IPythonKernel
from ipykernel.jsonutil import encode_images, json_clean
from ipykernel.kernelapp import IPKernelApp
from ipykernel.zmqshell import ZMQDisplayPublisher, ZMQInteractiveShell
from IPython.core.error import StdinNotImplementedError
from toolbridge.child.namespace import Definitions
from toolbridge.child.server import Server
from traitlets import Instance, Integer, Type

from codemode_kernel.messages.message_json import speed_up

NO_INPUT_IN_CALLS = "input() is not available in a tool call: its caller is a script, not a person"


def _server() -> Server:
    server: Server = ChildApp.instance().server
    return server


class CallStream(OutStream):
    """Standard output or error: what a tool call prints is reported as that call's."""

    def write(self, string: str) -> int:
        """Write for the running call, else for the running cell."""
        if isinstance(string, str) and _server().printed(self.name, string):
            return len(string)
        super().write(string)
        return len(string)


class CallDisplayPublisher(ZMQDisplayPublisher):
    """`display()`, likewise."""

    def publish(
        self,
        data: dict[str, Any],
        metadata: dict[str, Any] | None = None,
        source: Any = None,
        *,
        transient: dict[str, Any] | None = None,
        update: bool = False,
        **rest: Any,
    ) -> None:
        """Publish for the running call, else for the running cell."""
        if _server().in_call:
            bundle = {"data": encode_images(data), "metadata": metadata or {}}
            content = json_clean({**bundle, "transient": transient or {}})
            _server().displayed(content, update)
        else:
            super().publish(data, metadata, transient=transient, update=update, **rest)


class ChildShell(ZMQInteractiveShell):
    """The shell whose names are the tools."""

    display_pub_class = Type(CallDisplayPublisher)


class ChildKernel(IPythonKernel):
    """Numbers cells as the notebook does, and keeps a person's input out of tool calls."""

    shell_class = Type(ChildShell)

    def start(self) -> None:
        """Take requests from now on."""
        super().start()
        # ipykernel answers SIGINT in an awaiting cell by a callback, from the signal's handler;
        # an event loop that waits for something else does not look at it unless it is woken.
        awake, self._wake = socket.socketpair()
        self._wake.setblocking(False)
        signal.set_wakeup_fd(self._wake.fileno(), warn_on_full_buffer=False)
        self.io_loop.add_handler(awake, _drain, self.io_loop.READ)

    async def execute_request(self, stream: Any, ident: Any, parent: dict[str, Any]) -> None:
        """Run one cell under the number that its request's metadata gives."""
        number = parent["metadata"].get("execution_count")
        if isinstance(number, int) and self.shell is not None:
            self.shell.execution_count = number
        await super().execute_request(stream, ident, parent)

    def raw_input(self, prompt: str = "") -> str:
        """Ask the person for a line. Raises `StdinNotImplementedError` in a tool call."""
        line: str = _refusing_in_calls(super().raw_input)(prompt)
        return line

    def getpass(self, *args: Any, **options: Any) -> str:
        """Ask the person for a secret. Raises `StdinNotImplementedError` in a tool call."""
        secret: str = _refusing_in_calls(super().getpass)(*args, **options)
        return secret


class ChildApp(IPKernelApp):
    """Joins the ipykernel and the channel."""

    channel_descriptor = Integer(help="an inherited, connected stream socket")
    server = Instance(Server)

    def initialize(self, argv: list[str] | None = None) -> None:
        """Be ready to run cells, and say so on the channel."""
        channel = socket.socket(fileno=self.channel_descriptor)
        self.server = Server(channel, on_gone=_end_group)
        super().initialize(argv)
        speed_up(self.session)
        builtins.input = _refusing_in_calls(builtins.input)  # while no cell runs; else `raw_input`
        assert self.shell is not None
        self._definitions = Definitions()
        self.shell.events.register("post_run_cell", self._announce)
        self._announce()  # a startup file may define tools, too
        self.server.start()

    def init_iopub(self, context: Any) -> None:
        """Let output wait for the kernel; by default ZeroMQ drops what is not read in time."""
        context.sndhwm = 0
        super().init_iopub(context)

    def _announce(self, _result: object = None) -> None:
        assert self.shell is not None
        tools, problems = self._definitions.read(self.shell.user_ns)
        for problem in problems:
            print(problem, file=sys.stderr)
        self.server.announce(tools)


def serve(channel: int, connection_file: str) -> None:
    """Run the process until it is asked to end."""
    app = ChildApp.instance(
        channel_descriptor=channel,
        kernel_class=ChildKernel,
        outstream_class=f"{__name__}.{CallStream.__name__}",
    )
    app.initialize(["-f", connection_file])
    app.start()


def _refusing_in_calls(ask: Callable[..., str]) -> Callable[..., str]:
    @functools.wraps(ask)
    def ask_outside_calls(*args: Any, **options: Any) -> str:
        if _server().in_call:
            raise StdinNotImplementedError(NO_INPUT_IN_CALLS)
        return ask(*args, **options)

    return ask_outside_calls


def _drain(awake: socket.socket, _events: int) -> None:
    awake.recv(4096)


def _end_group() -> NoReturn:
    """The kernel is gone or has given this process up: end it, and what it runs, now."""
    os.killpg(os.getpgid(0), signal.SIGKILL)
    os._exit(1)
