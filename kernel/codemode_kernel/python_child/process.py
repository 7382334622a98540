"""One Python process: how it is started, how it is reached, how it ends."""

from __future__ import annotations

import asyncio
import json
import os
import secrets
import shutil
import signal
import socket
import sys
import tempfile
from asyncio.subprocess import DEVNULL, PIPE, Process
from dataclasses import dataclass
from pathlib import Path

from jupyter_client.connect import KernelConnectionInfo

from codemode_kernel.python_child.errors import PythonStartError

MAX_PARENT_PATH = 60
"""Longest folder name in which Unix sockets of ours can live (their path: 107 bytes at most)."""

CHANNELS = ("shell", "iopub", "stdin", "control", "hb")

GUARDIAN = Path(__file__).with_name("guardian.py")

CONNECTION_FILE = "connection.json"

TAIL_BYTES = 4096
"""How much of what the process wrote to its own standard error is kept for messages."""

LAST_WORDS_S = 0.5
"""How long that is waited for after the end; a survivor may hold the stream open."""


@dataclass(frozen=True, slots=True)
class Exit:
    """How a process ended."""

    code: int
    """Exit status, or the negative number of a signal."""

    def __str__(self) -> str:
        if self.code >= 0:
            return f"exit status {self.code}"
        try:
            return f"killed by signal {-self.code}, {signal.Signals(-self.code).name}"
        except ValueError:
            return f"killed by signal {-self.code}"


class PythonProcess:
    """A started process. It ends with `kill`, by itself, or with the process that started it."""

    def __init__(self, process: Process, folder: Path, lifeline: int) -> None:
        """Use `start`."""
        self.folder = folder
        self.ended = asyncio.ensure_future(self._watch(process))
        """How the process ended, once it has, and everything below it."""
        self._lifeline: int | None = lifeline
        self._tail = bytearray()

    @classmethod
    async def start(cls, channel: socket.socket, cwd: str | None) -> PythonProcess:
        """Start a process with `channel` as its end of the tool channel.

        `cwd` is its folder; None: this process's. Raises `PythonStartError`.
        """
        if not hasattr(os, "fork"):
            raise PythonStartError("%%python cells do not run on this system: it has no fork")
        folder = _private_folder()
        _write_connection_file(folder)
        theirs, ours = os.pipe()
        try:
            process = await asyncio.create_subprocess_exec(
                *(sys.executable, str(GUARDIAN), str(folder)),
                *(str(channel.fileno()), str(theirs)),
                pass_fds=(channel.fileno(), theirs),
                stdin=DEVNULL,
                stdout=DEVNULL,
                stderr=PIPE,
                start_new_session=True,
                cwd=cwd,
            )
        except OSError as error:
            os.close(ours)
            shutil.rmtree(folder, ignore_errors=True)
            raise PythonStartError(f"Python could not be started: {error}") from error
        finally:
            os.close(theirs)
        return cls(process, folder, ours)

    @property
    def connection(self) -> KernelConnectionInfo:
        """Jupyter's connection information; the process listens when its channel says ready."""
        connection: KernelConnectionInfo = json.loads((self.folder / CONNECTION_FILE).read_text())
        return connection

    @property
    def last_words(self) -> str:
        """The end of what the process wrote to its own standard error."""
        return self._tail.decode(errors="replace").strip()

    def kill(self) -> None:
        """Have the guardian kill the process and everything below it. `ended` tells when."""
        if self._lifeline is not None:
            os.close(self._lifeline)
            self._lifeline = None

    async def _watch(self, process: Process) -> Exit:
        assert process.stderr is not None
        listening = asyncio.ensure_future(self._listen(process.stderr))
        try:
            code = await process.wait()
            await asyncio.wait({listening}, timeout=LAST_WORDS_S)
        finally:
            listening.cancel()
            self.kill()
            shutil.rmtree(self.folder, ignore_errors=True)
        return Exit(code)

    async def _listen(self, stream: asyncio.StreamReader) -> None:
        while piece := await stream.read(TAIL_BYTES):
            self._tail += piece
            del self._tail[:-TAIL_BYTES]


def _private_folder() -> Path:
    """A new folder that only this user can read, short enough for Unix sockets."""
    parent = None if len(tempfile.gettempdir()) <= MAX_PARENT_PATH else "/tmp"
    return Path(tempfile.mkdtemp(prefix="codemode-python-", dir=parent))


def _write_connection_file(folder: Path) -> None:
    connection = {
        "transport": "ipc",
        "ip": str(folder / "zmq"),
        **{f"{channel}_port": port for port, channel in enumerate(CHANNELS, 1)},
        "signature_scheme": "hmac-sha256",
        "key": secrets.token_hex(),
    }
    (folder / CONNECTION_FILE).write_text(json.dumps(connection))
