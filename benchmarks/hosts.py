"""A V1 host in a process of its own, timed through a client that costs next to nothing.

The product's client runs a task for each tool call, which would be most of what is measured where
100 of them come at once. This one answers in the loop that reads, the same for every host.
"""

import json
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import msgspec
from codemode_host.framing import FrameReader, frame
from codemode_host.launch import launch

SESSION = "bench"
PATIENCE_MS = 60_000
PATIENCE_S = 120.0
READ_BYTES = 64 * 1024
ECHO = {
    "name": "echo",
    "tool_name": {"name": "echo", "namespace": None},
    "description": "Answers at once.",
    "kind": "function",
    "input_schema": None,
    "output_schema": None,
}
HELLO = {
    "type": "connection/hello",
    "supportedVersions": [1],
    "requiredCapabilities": [],
    "optionalCapabilities": [],
}
ANSWER = b'{"type":"delegate/response","id":%d,"result":{"status":"ok","value":{"type":"tool/result","result":{"ok":true}}}}'


class _Envelope(msgspec.Struct):
    """What tells messages of a host apart."""

    type: str
    id: int = 0
    result: msgspec.Raw = msgspec.Raw()


class Host:
    """One host with one open session; every call blocks."""

    def __init__(self, command: Sequence[str]) -> None:
        self._launched = launch(command)
        self._socket = self._launched.connection
        self._socket.settimeout(PATIENCE_S)
        self._reader = FrameReader()
        self._decoder = msgspec.json.Decoder(_Envelope)
        self._last_id = 0
        self._send(HELLO)
        self._answer_until("connection/ready")
        self._request({"method": "session/open", "sessionId": SESSION})
        self._answer_until("operation/response")

    def run(self, source: str) -> float:
        """Seconds from the request until the result of a cell that must complete."""
        request = {
            "tool_call_id": "call-1",
            "enabled_tools": [ECHO],
            "source": source,
            "yield_time_ms": PATIENCE_MS,
            "max_output_tokens": None,
        }
        begin = time.perf_counter()
        self._request({"method": "session/execute", "sessionId": SESSION, "request": request})
        response = self._answer_until("execute/initialResponse")
        taken = time.perf_counter() - begin
        if json.loads(bytes(response.result))["value"]["Result"].get("error_text") is not None:
            raise RuntimeError(f"a cell did not complete: {json.dumps(source)}")
        return taken

    def close(self) -> None:
        """End the host by hanging up."""
        self._socket.close()
        self._launched.process.communicate()

    def _request(self, body: dict[str, Any]) -> None:
        self._last_id += 1
        self._send({"type": "operation/request", "id": self._last_id, "request": body})

    def _send(self, message: dict[str, Any]) -> None:
        self._socket.sendall(frame(msgspec.json.encode(message)))

    def _answer_until(self, wanted: str) -> _Envelope:
        """Answer tool calls, those of one read together, until a message of that type comes."""
        while True:
            data = self._socket.recv(READ_BYTES)
            if not data:
                raise RuntimeError("the host ended")
            found = None
            answers = []
            for payload in self._reader.feed(data):
                message = self._decoder.decode(payload)
                if message.type == "delegate/request":
                    answers.append(frame(ANSWER % message.id))
                elif message.type == wanted:
                    found = message
            if answers:
                self._socket.sendall(b"".join(answers))
            if found is not None:
                return found


@contextmanager
def connected(command: Sequence[str]) -> Iterator[Host]:
    """A fresh host with one open session, closed at the end."""
    host = Host(command)
    try:
        yield host
    finally:
        host.close()
