"""A host process and its client's end of the pipes, for tests that look at bare frames."""

import asyncio
import json
from collections.abc import Callable, Sequence
from types import TracebackType
from typing import Any, Self

from codemode_host.framing import FrameReader, frame

from tests.patience import PATIENCE_S

HELLO = {
    "type": "connection/hello",
    "supportedVersions": [1],
    "requiredCapabilities": [],
    "optionalCapabilities": [],
}

Message = dict[str, Any]


class RawHost:
    """Sends and receives frames as dictionaries; kills the process when the test is over.

    The host leads a session of its own, by which all its processes can be told.
    """

    def __init__(self, command: Sequence[str]) -> None:
        self._command = command
        self._frames = FrameReader()
        self._received: list[Message] = []
        self._last_request = 0
        self.process: asyncio.subprocess.Process

    async def __aenter__(self) -> Self:
        pipe = asyncio.subprocess.PIPE
        self.process = await asyncio.create_subprocess_exec(
            *self._command, stdin=pipe, stdout=pipe, stderr=pipe, start_new_session=True
        )
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        if self.process.returncode is None:
            self.process.kill()
        await self.process.communicate()

    async def open(self, *capabilities: str) -> None:
        """Shake hands and open the session `s`."""
        self.send({**HELLO, "optionalCapabilities": capabilities})
        ready = await self.receive()
        assert ready["capabilities"] == sorted(capabilities)
        self.request("session/open")
        await self.until_type("operation/response")

    def send_bytes(self, data: bytes) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(data)

    def send(self, *messages: Message) -> None:
        """Send messages in one write."""
        payloads = [json.dumps(message, ensure_ascii=False).encode() for message in messages]
        self.send_bytes(b"".join(frame(payload) for payload in payloads))

    def request(self, method: str, **fields: Any) -> int:
        self._last_request += 1
        request = {"method": method, "sessionId": "s", **fields}
        self.send({"type": "operation/request", "id": self._last_request, "request": request})
        return self._last_request

    def execute(self, source: str, yield_time_ms: int = 60_000) -> int:
        """Run `source` with the tool `t`."""
        tool = {"name": "t", "tool_name": {"name": "t"}, "description": "", "kind": "function"}
        request = {
            "tool_call_id": "call",
            "enabled_tools": [tool],
            "source": source,
            "yield_time_ms": yield_time_ms,
        }
        return self.request("session/execute", request=request)

    def terminate(self, cell: str = "1") -> int:
        return self.request("session/terminate", cellId=cell)

    def close_stdin(self) -> None:
        assert self.process.stdin is not None
        self.process.stdin.close()

    async def receive(self) -> Message:
        """The next message; raises `EOFError` when there are no more."""
        assert self.process.stdout is not None
        while not self._received:
            async with asyncio.timeout(PATIENCE_S):
                data = await self.process.stdout.read(1 << 18)
            if not data:
                raise EOFError("the host closed its output")
            self._received += [json.loads(payload) for payload in self._frames.feed(data)]
        return self._received.pop(0)

    async def until(self, found: Callable[[Message], bool]) -> list[Message]:
        """Everything up to the first message that is `found`, which comes last."""
        messages = [await self.receive()]
        while not found(messages[-1]):
            messages.append(await self.receive())
        return messages

    async def until_type(self, name: str) -> Message:
        return (await self.until(lambda message: message["type"] == name))[-1]

    async def rest(self) -> list[Message]:
        """Everything until the host closes its output."""
        messages = []
        while True:
            try:
                messages.append(await self.receive())
            except EOFError:
                return messages

    async def end(self) -> tuple[int, str]:
        """Exit status, and what was said on stderr."""
        async with asyncio.timeout(PATIENCE_S):
            _, stderr = await self.process.communicate()
        assert self.process.returncode is not None
        return self.process.returncode, stderr.decode()


def outcome(message: Message) -> tuple[str, list[str], str | None]:
    """Kind, texts and error of an initial response."""
    ((kind, body),) = message["result"]["value"].items()
    texts = [item["text"] for item in body["content_items"]]
    return kind, texts, body.get("error_text")
