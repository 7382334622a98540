"""A Jupyter kernel in a process of its own, driven through jupyter_client and timed."""

import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from queue import Empty
from typing import Any

from jupyter_client.blocking.client import BlockingKernelClient
from jupyter_client.manager import KernelManager

PATIENCE = 30.0  # seconds for anything a kernel is asked to do


@dataclass(frozen=True)
class Run:
    """One execute_request: seconds until its idle, its reply's status, and what was streamed."""

    idle: float
    status: str
    lines: int
    messages: int


class Kernel:
    def __init__(self, manager: KernelManager, client: BlockingKernelClient, start: float) -> None:
        self._manager = manager
        self._client = client
        self.start = start
        """Seconds from launch to the first kernel_info_reply."""

    @property
    def pid(self) -> int:
        provisioner: Any = self._manager.provisioner  # its declared type has no pid
        return int(provisioner.pid)

    def execute(self, code: str) -> Run:
        """Run a cell and wait for its reply and its idle."""
        begin = time.perf_counter()
        request = self._client.execute(code, allow_stdin=False)
        lines = messages = 0
        for message in self._iopub_of(request):
            content = message["content"]
            if message["msg_type"] == "stream":
                lines += content["text"].count("\n")
                messages += 1
            elif content.get("execution_state") == "idle":
                break
        idle = time.perf_counter() - begin
        return Run(idle, self._status_of(request), lines, messages)

    def begin(self, code: str) -> None:
        """Run a cell that goes on, and wait until it has printed something."""
        request = self._client.execute(code, allow_stdin=False)
        for message in self._iopub_of(request):
            if message["msg_type"] == "stream":
                return

    def complete(self, code: str) -> float:
        """Seconds from a complete_request at the end of `code` to its reply."""
        begin = time.perf_counter()
        self._status_of(self._client.complete(code, len(code)))
        return time.perf_counter() - begin

    def stop(self, code: str, settle: float = 0.7) -> float:
        """Seconds from the interrupt of an endless cell to that cell's reply."""
        request = self._client.execute(code, allow_stdin=False)
        time.sleep(settle)  # the cell has to be well into its loop; nothing tells us that it is
        begin = time.perf_counter()
        self._manager.interrupt_kernel()
        self._status_of(request)
        taken = time.perf_counter() - begin
        for message in self._iopub_of(request):
            if message["content"].get("execution_state") == "idle":
                break
        return taken

    def _iopub_of(self, request: str) -> Iterator[dict[str, Any]]:
        while True:
            message = self._client.get_iopub_msg(timeout=PATIENCE)
            if message["parent_header"].get("msg_id") == request:
                yield message

    def _status_of(self, request: str) -> str:
        while True:
            reply = self._client.get_shell_msg(timeout=PATIENCE)
            if reply["parent_header"].get("msg_id") == request:
                return str(reply["content"]["status"])


@contextmanager
def started(name: str, *options: str) -> Iterator[Kernel]:
    """A fresh kernel of this kernelspec with these command line options, shut down at the end."""
    begin = time.perf_counter()
    manager = KernelManager(kernel_name=name)
    manager.start_kernel(
        extra_arguments=list(options), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    client = manager.client()
    client.start_channels()
    try:
        _wait_until_ready(client)
        start = time.perf_counter() - begin
        _wait_until_heard(client)
        yield Kernel(manager, client, start)
    finally:
        client.stop_channels()
        manager.shutdown_kernel()


def _wait_until_ready(client: BlockingKernelClient) -> None:
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        client.kernel_info()
        try:
            client.get_shell_msg(timeout=0.1)
        except Empty:
            continue
        return
    raise TimeoutError(f"no kernel_info_reply in {PATIENCE:g} s")


def _wait_until_heard(client: BlockingKernelClient) -> None:
    """Its outputs come through another socket, which may connect later."""
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        client.kernel_info()
        try:
            client.get_iopub_msg(timeout=0.1)
        except Empty:
            continue
        return
    raise TimeoutError(f"no status message in {PATIENCE:g} s")
