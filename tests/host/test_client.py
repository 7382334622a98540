"""The client of protocol V1: handshake, requests, delegate calls, and the end of a host."""

import asyncio
import json
import os
import signal
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import pytest
from codemode_host.client import HostClient
from codemode_host.errors import DelegateError, HostGone, RequestRefused
from codemode_host.framing import frame
from codemode_host.handshake import YIELD_OBSERVATION
from codemode_host.launch import launch
from codemode_host.wire import (
    CellBegun,
    CellClosed,
    CellContent,
    Execute,
    ExecuteRequest,
    Invocation,
    NotificationSend,
    OpenSession,
    OperationValue,
    RuntimeResponse,
    SessionReady,
    TextItem,
    ToolDefinition,
    ToolName,
    Wait,
    WaitCompleted,
    WaitRequest,
)
from msgspec import Raw

from tests.patience import PATIENCE_S

SCRIPTED_HOST = Path(__file__).with_name("scripted_host.py")
READY = {"type": "connection/ready", "selectedVersion": 1, "capabilities": []}
GREETED = [{"read": 1}, {"send": READY}]


class Listener:
    """Serves two tools and remembers what a host said."""

    def __init__(self) -> None:
        self.contents: list[CellContent] = []
        self.notifications: list[str] = []
        self.cancelled = asyncio.Event()
        self.called = asyncio.Event()
        self.gone: asyncio.Future[HostGone] = asyncio.get_running_loop().create_future()

    async def call_tool(self, session_id: str, invocation: Invocation) -> Raw:
        self.called.set()
        if invocation.tool_name.name == "echo":
            return invocation.input
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            self.cancelled.set()
            raise
        raise DelegateError("unreachable")

    def notify(self, session_id: str, notification: NotificationSend) -> None:
        self.notifications.append(notification.text)

    def begun(self, begun: CellBegun) -> None:
        pass

    def content(self, content: CellContent) -> None:
        self.contents.append(content)

    def closed(self, cell: CellClosed) -> None:
        pass

    def lost(self, error: HostGone) -> None:
        self.gone.set_result(error)


Connect = Callable[..., Awaitable[HostClient]]


@pytest.fixture
async def listener() -> Listener:
    return Listener()


@pytest.fixture
async def connect(listener: Listener) -> AsyncIterator[Connect]:
    """Connects to a command, or to a scripted host; the hosts end with the test."""
    async with AsyncExitStack() as stack:

        async def make(
            command: Sequence[str] = (), script: Sequence[dict[str, Any]] = (), **options: Any
        ) -> HostClient:
            scripted = (sys.executable, str(SCRIPTED_HOST), json.dumps(script))
            client = await HostClient.connect(launch(command or scripted), listener, **options)
            stack.push_async_callback(client.close, 0.2)
            return client

        yield make


def execute(source: str, *tools: str, yield_time_ms: int = 10_000) -> Execute:
    definitions = [ToolDefinition(name, ToolName(name), "", "function") for name in tools]
    return Execute("s", ExecuteRequest("call", definitions, source, yield_time_ms))


def texts(response: RuntimeResponse, listener: Listener) -> list[str]:
    """The text items of an observation, streamed or not."""
    items = [item for content in listener.contents for item in content.items]
    items += response.body.content_items
    return [item.text for item in items if isinstance(item, TextItem)]


class TestOnARealHost:
    async def test_a_cell_runs(
        self, connect: Connect, any_host: Sequence[str], listener: Listener
    ) -> None:
        client = await connect(any_host)
        assert YIELD_OBSERVATION in client.capabilities
        assert await client.call(OpenSession("s")) == SessionReady("s")
        execution = await client.execute(execute("text(await tools.echo({a: 1}))", "echo"))
        assert execution.cell_id == "1"
        assert texts(await execution.initial, listener) == ['{"a":1}']

    async def test_a_refusal_is_an_exception(
        self, connect: Connect, any_host: Sequence[str]
    ) -> None:
        client = await connect(any_host)
        with pytest.raises(RequestRefused, match=r"^unknown code-mode session s$"):
            await client.call(Wait("s", WaitRequest("1", 0)))

    async def test_a_cancelled_call_is_stopped_and_not_answered(
        self, connect: Connect, any_host: Sequence[str], listener: Listener
    ) -> None:
        client = await connect(any_host)
        await client.call(OpenSession("s"))
        execution = await client.execute(
            execute("tools.hang(); await tools.echo()", "hang", "echo")
        )
        assert (await execution.initial).body
        async with asyncio.timeout(PATIENCE_S):
            await listener.cancelled.wait()
        # An answer to a finished delegate call would be ignored; the next cell shows all is well.
        assert (await (await client.execute(execute("1"))).initial).body

    async def test_an_observation_yields_when_told(
        self, connect: Connect, any_host: Sequence[str]
    ) -> None:
        client = await connect(any_host)
        await client.call(OpenSession("s"))
        execution = await client.execute(execute("await new Promise(() => {})"))
        client.yield_now(execution.request_id)
        response = await execution.initial
        assert response.yielded

    async def test_a_wait_can_be_cancelled(self, connect: Connect, any_host: Sequence[str]) -> None:
        client = await connect(any_host)
        await client.call(OpenSession("s"))
        execution = await client.execute(execute("await new Promise(() => {})", yield_time_ms=0))
        await execution.initial
        answers: asyncio.Queue[Any] = asyncio.Queue()
        request_id = client.submit(Wait("s", WaitRequest("1", 60_000)), answers.put_nowait)
        client.cancel(request_id)
        answer = await answers.get()
        assert isinstance(answer, RequestRefused)
        assert str(answer) == "code-mode request cancelled"

    async def test_everybody_who_waits_is_told_of_the_end(
        self, connect: Connect, any_host: Sequence[str], listener: Listener
    ) -> None:
        client = await connect(any_host)
        await client.call(OpenSession("s"))
        running = await client.execute(execute("await new Promise(() => {})"))
        yielded = await client.execute(execute("await new Promise(() => {})", yield_time_ms=0))
        await yielded.initial
        waiting = asyncio.create_task(client.call(Wait("s", WaitRequest("2", 60_000))))
        await asyncio.sleep(0)
        os.kill(client.pid, signal.SIGKILL)
        for answer in (running.initial, waiting):
            with pytest.raises(HostGone, match=r"^code-mode host exited with status signal: 9"):
                await answer
        assert "SIGKILL" in str(await listener.gone)

    async def test_a_request_after_the_end_fails_at_once(
        self, connect: Connect, any_host: Sequence[str], listener: Listener
    ) -> None:
        client = await connect(any_host)
        os.kill(client.pid, signal.SIGKILL)
        await listener.gone
        assert client.gone
        with pytest.raises(HostGone, match="SIGKILL"):
            await client.call(OpenSession("s"))


def answered(value: dict[str, Any], request_id: int = 1) -> dict[str, Any]:
    result = {"status": "ok", "value": value}
    return {"send": {"type": "operation/response", "id": request_id, "result": result}}


SESSION_READY = {"type": "session/ready", "sessionId": "s"}
OTHER_CELL = {
    "type": "wait/completed",
    "outcome": {
        "LiveCell": {
            "Yielded": {"cell_id": "8", "content_items": [], "code_mode_host_duration_ns": 1}
        }
    },
}


def delegation(request_id: int) -> dict[str, Any]:
    request = {"type": "notification/send", "callId": "c", "cellId": "1", "text": "t"}
    message = {"type": "delegate/request", "id": request_id, "sessionId": "s", "request": request}
    return {"send": message}


@pytest.mark.parametrize(
    "steps, complaint",
    [
        ([{"send": {"type": "no/such"}}], "failed to decode code-mode IPC frame"),
        ([{"send": {"type": "delegate/cancel", "id": 1, "more": 1}}], "unknown field `more`"),
        ([{"raw": "0500000061626364"}, {"close": True}], "ended inside a frame"),
        ([{"raw": "ffffffff"}], "frame length 4294967295 exceeds 67108864 bytes"),
        ([{"send": READY}], "answered the handshake twice"),
        ([answered(SESSION_READY, 9)], "answered unknown request ID 9"),
        ([answered(SESSION_READY)], "wrong kind of answer"),
        ([answered(OTHER_CELL)], "answered for cell 8 instead of 1"),
        ([delegation(2), delegation(2)], "duplicate code-mode delegate request ID 2"),
        ([{"say": "bad day"}, {"exit": 3}], r"exited with status exit status: 3\nbad day"),
        pytest.param([{"close": True}], "closed its stdout", marks=pytest.mark.slow),
    ],
)  # fmt: skip
async def test_a_host_that_breaks_the_protocol_is_given_up(
    connect: Connect, listener: Listener, steps: list[dict[str, Any]], complaint: str
) -> None:
    client = await connect(script=[*GREETED, {"read": 1}, *steps])
    with pytest.raises(HostGone, match=complaint):
        await client.call(Wait("s", WaitRequest("1", 0)))
    assert (await listener.gone) is not None


@pytest.mark.parametrize(
    "reason, complaint",
    [
        ({"type": "noCompatibleVersion", "supportedVersions": [2]}, "noCompatibleVersion|NoComp"),
        ({"type": "missingRequiredCapability", "capability": "x"}, "capability='x'"),
    ],
)
async def test_a_rejected_handshake_says_why(
    connect: Connect, reason: dict[str, Any], complaint: str
) -> None:
    rejected = {"send": {"type": "connection/rejected", "reason": reason}}
    with pytest.raises(HostGone, match=complaint):
        await connect(script=[{"read": 1}, rejected, {"exit": 0}])


async def test_a_lone_surrogate_of_a_foreign_host_is_replaced(
    connect: Connect, listener: Listener
) -> None:
    item = {"type": "input_text", "text": "a\ud800b\U0001f600"}
    content = {"type": "cell/content", "sessionId": "s", "cellId": "1", "seq": 1, "items": [item]}
    client = await connect(
        script=[*GREETED, {"read": 1}, {"send": content}, answered(SESSION_READY)]
    )
    await client.call(OpenSession("s"))
    assert listener.contents[0].items == [TextItem("a\ufffdb\U0001f600")]


async def test_answers_are_given_in_the_order_of_the_frames(
    connect: Connect, listener: Listener
) -> None:
    """What follows an answer in the same read is not seen before it."""
    seen: list[str] = []
    content = {"type": "cell/content", "sessionId": "s", "cellId": "1", "seq": 1, "items": []}
    client = await connect(
        script=[*GREETED, {"read": 1}, answered(SESSION_READY), {"send": content}]
    )
    done = asyncio.Event()

    def answer(value: OperationValue | Exception) -> None:
        assert not isinstance(value, WaitCompleted)
        seen.append(f"answer after {len(listener.contents)} contents")
        done.set()

    client.submit(OpenSession("s"), answer)
    await done.wait()
    assert seen == ["answer after 0 contents"]


def content(cell_id: str, seq: int, *texts: str) -> dict[str, Any]:
    items = [{"type": "input_text", "text": text} for text in texts]
    message = {"type": "cell/content", "sessionId": "s", "cellId": cell_id}
    return {**message, "seq": seq, "items": items}


def in_one_write(*messages: Any) -> dict[str, Any]:
    """The step that sends all of them at once."""
    return {"raw": b"".join(frame(json.dumps(message).encode()) for message in messages).hex()}


async def test_content_of_a_cell_that_comes_at_once_is_handed_on_at_once(
    connect: Connect, listener: Listener
) -> None:
    """As long as nothing else comes between it, not even a gap."""
    messages = [
        content("1", 1),
        content("1", 1, "a"),
        content("1", 2, "b", "c"),
        content("2", 1, "x"),
        content("1", 4, "d"),
        answered(SESSION_READY)["send"],
        content("1", 5, "e"),
        content("1", 9, "f"),
    ]
    client = await connect(script=[*GREETED, {"read": 1}, in_one_write(*messages), {"exit": 0}])
    await client.call(OpenSession("s"))
    await listener.gone
    assert [
        (each.cell_id, each.seq, [item.text for item in each.items if isinstance(item, TextItem)])
        for each in listener.contents
    ] == [
        ("1", 1, ["a", "b", "c"]),
        ("2", 1, ["x"]),
        ("1", 4, ["d"]),
        ("1", 5, ["e"]),
        ("1", 9, ["f"]),
    ]


async def test_content_before_a_frame_that_breaks_the_protocol_is_not_lost(
    connect: Connect, listener: Listener
) -> None:
    broken = in_one_write(content("1", 1, "a"), content("1", 2, "b"), {"type": "no/such"})
    await connect(script=[*GREETED, broken])
    await listener.gone
    assert [item for each in listener.contents for item in each.items] == [
        TextItem("a"),
        TextItem("b"),
    ]


class TestLaunch:
    async def test_a_host_is_out_of_reach_of_sigint(self, connect: Connect) -> None:
        program = "import os, signal, sys; os.kill(os.getpid(), signal.SIGINT); sys.exit(7)"
        with pytest.raises(HostGone, match="exit status: 7"):
            await connect([sys.executable, "-c", program])

    async def test_a_host_leads_a_process_group(self, connect: Connect) -> None:
        program = "import os, sys; sys.exit(7 if os.getpgrp() == os.getpid() else 8)"
        with pytest.raises(HostGone, match="exit status: 7"):
            await connect([sys.executable, "-c", program])

    async def test_secrets_stay_and_the_time_zone_goes_along(
        self, connect: Connect, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("MY_TOKEN", "secret")
        monkeypatch.setenv("TZ", "Asia/Tokyo")
        program = (
            "import os, sys; sys.exit(os.environ.get('TZ', '') + str('MY_TOKEN' in os.environ))"
        )
        with pytest.raises(HostGone, match="Asia/TokyoFalse"):
            await connect([sys.executable, "-c", program])

    def test_a_missing_program_is_named(self) -> None:
        with pytest.raises(HostGone, match=r"^failed to spawn code-mode host no-such-host: host"):
            launch(["no-such-host"])

    async def test_a_host_can_be_launched_before_there_is_a_loop(
        self, host_command: Sequence[str]
    ) -> None:
        launched = await asyncio.to_thread(launch, host_command)
        client = await HostClient.connect(launched, Listener())
        await client.close()
        assert launched.process.returncode == 0
