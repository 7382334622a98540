"""A real Jupyter server that says who sends a message, and a kernel that believes it."""

import json
import os
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from codemode_kernel.messages.sender import STAMP
from jupyter_server.services.kernels.connection.base import (
    deserialize_msg_from_ws_v1,
    serialize_msg_to_ws_v1,
)
from websocket import WebSocket, create_connection

from tests.patience import PATIENCE_S

V1 = "v1.kernel.websocket.jupyter.org"
PARTS = ("header", "parent_header", "metadata", "content")

SERVER_CONFIG = """
from jupyter_server.auth.identity import IdentityProvider, User


class ByHeader(IdentityProvider):
    def get_user(self, handler):
        return User(username=handler.request.headers.get("X-User", "guest"))


c.ServerApp.identity_provider_class = ByHeader
c.ServerApp.disable_check_xsrf = True
c.ServerApp.open_browser = False
c.ServerApp.allow_root = True
c.ServerApp.jpserver_extensions = {extensions}
"""


class Server:
    """A running Jupyter server with one kernel that is shared."""

    def __init__(self, home: Path, *, stamps: bool) -> None:
        extensions = {"codemode_kernel.identity": stamps}
        (home / "jupyter_server_config.py").write_text(
            SERVER_CONFIG.replace("{extensions}", repr(extensions))
        )
        options = {"CodeModeKernel": {"shared_kernel": True}}
        (home / "codemode_config.json").write_text(json.dumps(options))
        self.url = f"http://127.0.0.1:{_free_port()}/"
        with (home / "server.log").open("wb") as log:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "jupyter_server", f"--ServerApp.port={self._port}"],
                cwd=home,
                env={
                    **os.environ,
                    "JUPYTER_CONFIG_DIR": str(home),
                    "JUPYTER_RUNTIME_DIR": str(home / "runtime"),
                },
                stdout=log,
                stderr=log,
            )
        self._wait_until_up()
        self.kernel_id = self._start_kernel()

    @property
    def _port(self) -> int:
        return int(self.url.rstrip("/").rpartition(":")[2])

    def _wait_until_up(self) -> None:
        deadline = time.monotonic() + 2 * PATIENCE_S
        while self._process.poll() is None and time.monotonic() < deadline:
            try:
                with urllib.request.urlopen(f"{self.url}api", timeout=5):
                    return
            except (urllib.error.URLError, ConnectionError):
                time.sleep(0.1)
        raise AssertionError("the server did not come up")

    def _start_kernel(self) -> str:
        body = json.dumps({"name": "codemode"}).encode()
        request = urllib.request.Request(f"{self.url}api/kernels", body, method="POST")
        with urllib.request.urlopen(request, timeout=PATIENCE_S) as kernel:
            return str(json.load(kernel)["id"])

    def page(self, user: str, protocol: str | None) -> "Page":
        address = self.url.replace("http", "ws") + f"api/kernels/{self.kernel_id}/channels"
        connection = create_connection(
            f"{address}?session_id={uuid4().hex}",
            header=[f"X-User: {user}"],
            subprotocols=[protocol] if protocol else [],
            timeout=PATIENCE_S,
        )
        return Page(connection, protocol)

    def close(self) -> None:
        self._process.terminate()
        self._process.wait(timeout=PATIENCE_S)


class Page:
    """One user's websocket; every message claims to be somebody else's."""

    def __init__(self, socket: WebSocket, protocol: str | None) -> None:
        self._socket = socket
        self._is_v1 = protocol == V1

    def run(self, code: str, claim: str = "jupyter:amy") -> tuple[str, dict[str, Any]]:
        """What a cell prints, and the content of its reply."""
        message = _execute_request(code, claim)
        self._send(message)
        printed: list[str] = []
        reply: dict[str, Any] = {}
        is_idle = False
        while not (reply and is_idle):
            came = self._receive()
            if came["parent_header"].get("msg_id") != message["header"]["msg_id"]:
                continue
            kind, content = came["header"]["msg_type"], came["content"]
            if kind == "stream":
                printed.append(content["text"])
            elif kind == "execute_reply":
                reply = content
            elif kind == "status":
                is_idle = content["execution_state"] == "idle"
        return "".join(printed), reply

    def close(self) -> None:
        self._socket.close()

    def _send(self, message: dict[str, Any]) -> None:
        if self._is_v1:
            frame = serialize_msg_to_ws_v1(message, "shell", lambda part: json.dumps(part).encode())
            self._socket.send_binary(frame)
        else:
            self._socket.send(json.dumps({**message, "channel": "shell"}))

    def _receive(self) -> dict[str, Any]:
        frame = self._socket.recv()
        if isinstance(frame, str):
            message: dict[str, Any] = json.loads(frame)
            return message
        _, parts = deserialize_msg_from_ws_v1(frame)
        return {name: json.loads(part) for name, part in zip(PARTS, parts, strict=False)}


def _execute_request(code: str, claim: str) -> dict[str, Any]:
    return {
        "header": {
            "msg_id": uuid4().hex,
            "msg_type": "execute_request",
            "session": uuid4().hex,
            "username": claim,
            "version": "5.3",
            "date": "2026-01-01T00:00:00Z",
        },
        "parent_header": {},
        "metadata": {STAMP: claim},
        "content": {
            "code": code,
            "silent": False,
            "store_history": True,
            "user_expressions": {},
            "allow_stdin": False,
            "stop_on_error": False,
        },
        "buffers": [],
    }


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    running = Server(tmp_path_factory.mktemp("server"), stamps=True)
    yield running
    running.close()


@pytest.mark.slow
@pytest.mark.parametrize("protocol", [V1, None])
def test_the_server_says_who_writes_whatever_a_page_claims(
    server: Server, protocol: str | None
) -> None:
    amy, ben = server.page("amy", protocol), server.page("ben", protocol)
    amy.run("store('secret', 'hers')", claim="jupyter:ben")
    assert amy.run("text(load('secret'))", claim="jupyter:ben")[0] == "hers\n"
    assert ben.run("text(String(load('secret')))", claim="jupyter:amy")[0] == "undefined\n"
    amy.run("%store --clear")
    amy.close()
    ben.close()


@pytest.mark.slow
def test_without_the_extension_nobody_is_believed_unless_they_forge(
    tmp_path: Path,
) -> None:
    """Which is why the option says to set it only under a server that stamps."""
    server = Server(tmp_path, stamps=False)
    try:
        page = server.page("amy", V1)
        assert page.run("text(1)", claim="")[1]["ename"] == "SenderUnknown"
        page.close()
    finally:
        server.close()
