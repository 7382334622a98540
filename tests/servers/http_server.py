"""A scripted MCP server over streamable HTTP, in a thread of the test.

Each POST is answered with JSON. A call of a tool with the behaviour `drop` loses its connection
before the answer is written, one with `raw` [status, content type, text] is answered with just
that; of a text that ends in `…` no end comes.
Once `spec["forgets"]` is set, the server knows no session any more until it is greeted again.
"""

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from tests.servers.script import Message, Script


@contextmanager
def http_server(spec: Message, log: Path) -> Iterator[str]:
    """A server on a free port of this machine; gives its URL."""
    handler = type("Handler", (_Handler,), {"spec": spec, "log": log})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/mcp"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


class _Handler(BaseHTTPRequestHandler):
    """Answers for the script in `spec`; `log` is the file of what was heard."""

    protocol_version = "HTTP/1.1"
    spec: Message
    log: Path

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["content-length"]))
        message = json.loads(body)
        with self.log.open("a") as file:
            file.write(json.dumps({"headers": dict(self.headers)}) + "\n")
        if message.get("method") == "initialize":
            self.spec.pop("forgets", None)
        if self.spec.get("forgets"):
            self._reply(404, None)
            return
        said: list[Message] = []
        Script(self.spec, self.log, said.append).hear(message)
        behaviour = _behaviour(self.spec, message)
        if "raw" in behaviour:
            status, kind, text = behaviour["raw"]
            self._write(status, kind, text.encode())
        elif behaviour.get("drop"):
            self.close_connection = True
            self.connection.close()
        elif "id" in message:
            self._reply(200, said[-1])
        else:
            self._reply(202, None)

    def do_GET(self) -> None:
        self._reply(405, None)

    def do_DELETE(self) -> None:
        self._reply(200, None)

    def _reply(self, status: int, message: Message | None) -> None:
        body = b"" if message is None else json.dumps(message).encode()
        self._write(status, "application/json", body)

    def _write(self, status: int, kind: str, body: bytes) -> None:
        self.send_response(status)
        self.send_header("content-type", kind)
        if body.endswith("…".encode()):
            self.send_header("transfer-encoding", "chunked")
            body = b"%x\r\n%b\r\n" % (len(body), body)
        else:
            self.send_header("content-length", str(len(body)))
        self.send_header("mcp-session-id", "the-session")
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: Any) -> None:
        """Say nothing."""


def _behaviour(spec: Message, message: Message) -> Message:
    """Of the tool that a message calls; empty for other messages."""
    if message.get("method") != "tools/call":
        return {}
    called = message["params"]["name"]
    found: Message = next(tool["behaviour"] for tool in spec["tools"] if tool["name"] == called)
    return found
