"""The kernel's end of the channel, against a process that is played here."""

import asyncio
import socket
from collections.abc import AsyncIterator

import pytest
from toolbridge.child.link import Link
from toolbridge.child.messages import (
    Call,
    Cancel,
    Failure,
    MessageReader,
    Printed,
    Ready,
    Result,
    Sync,
    Synced,
    ToProcess,
    encode,
    raw,
)
from toolbridge.child.output import ChildMessage
from toolbridge.errors import OutcomeUnknownError, ToolError, ToolUnavailableError


class Process:
    """The other end."""

    def __init__(self, channel: socket.socket) -> None:
        channel.setblocking(False)
        self.channel = channel
        self._reader = MessageReader(ToProcess)
        self._read: list[Call | Cancel | Sync] = []

    async def say(self, *messages: Failure | Printed | Ready | Result | Synced) -> None:
        await self.send(b"".join(map(encode, messages)))

    async def send(self, data: bytes) -> None:
        await asyncio.get_running_loop().sock_sendall(self.channel, data)

    async def hear(self) -> Call | Cancel | Sync:
        while not self._read:
            data = await asyncio.get_running_loop().sock_recv(self.channel, 1 << 16)
            assert data, "the link closed the channel"
            self._read += self._reader.feed(data)
        return self._read.pop(0)


class Ends:
    """A link and the process it talks to."""

    def __init__(self) -> None:
        self.offers: list[object] = []
        self.shown: list[ChildMessage] = []
        self.link = Link(self.offers.append)

    async def open(self) -> None:
        ours, theirs = socket.socketpair()
        self.process = Process(theirs)
        await self.link.open(ours)

    def call(self) -> asyncio.Task[bytes]:
        return asyncio.create_task(self.link.call("t", b"{}", self.shown.append))


@pytest.fixture
async def ends() -> AsyncIterator[Ends]:
    ends = Ends()
    await ends.open()
    yield ends
    ends.link.close("the test is over")
    ends.process.channel.close()


async def test_calls_are_settled_in_the_order_of_the_answers(ends: Ends) -> None:
    first, second, third = ends.call(), ends.call(), ends.call()
    numbers = [(await ends.process.hear()).id for _ in range(3)]  # type: ignore[union-attr]
    await ends.process.say(
        Result(id=numbers[1], value=raw(b"2")),
        Failure(id=numbers[0], message="no"),
        Result(id=numbers[2], value=raw(b"3")),
    )

    assert await second == b"2"
    assert await third == b"3"
    with pytest.raises(ToolError, match="no"):
        await first


async def test_a_cancelled_call_is_cancelled_there_and_may_still_print(ends: Ends) -> None:
    call = ends.call()
    sent = await ends.process.hear()
    assert isinstance(sent, Call)
    call.cancel()
    assert await ends.process.hear() == Cancel(id=sent.id)
    await ends.process.say(
        Printed(id=sent.id, stream="stdout", text="cleaned up"),
        Failure(id=sent.id, message="cancelled"),
        Printed(id=sent.id, stream="stdout", text="too late"),
    )
    await settled(ends)

    assert call.cancelled()
    assert [message.content["text"] for message in ends.shown] == ["cleaned up"]


async def test_answers_to_unknown_calls_are_ignored(ends: Ends) -> None:
    await ends.process.say(Result(id=77, value=raw(b"1")), Synced(number=77), Ready(pid=1))

    assert await ends.link.ready == 1


@pytest.mark.parametrize(
    "ending, reason",
    [
        (None, "it closed its tool channel"),
        (b"\x02\0\0\0{}", "it broke the protocol of its tool channel"),
        (b"\xff\xff\xff\xff", "it broke the protocol of its tool channel"),
    ],
)
async def test_a_lost_process_is_noticed_and_calls_end_as_unknown_once_abandoned(
    ends: Ends, ending: bytes | None, reason: str
) -> None:
    call = ends.call()
    await ends.process.hear()
    if ending is None:
        ends.process.channel.close()
    else:
        await ends.process.send(ending)

    assert (await ends.link.lost).startswith(reason)
    with pytest.raises(ToolUnavailableError):
        await ends.call()
    assert not call.done()
    ends.link.abandon("it was eaten")
    with pytest.raises(OutcomeUnknownError, match="it was eaten"):
        await call
    assert ends.offers == [()]


async def test_sync_returns_when_the_process_is_abandoned(ends: Ends) -> None:
    waiting = asyncio.create_task(ends.link.sync())
    await ends.process.hear()
    ends.link.abandon("it was eaten")

    await waiting


async def settled(ends: Ends) -> None:
    """Wait until the link has read everything that the process said."""
    waiting = asyncio.create_task(ends.link.sync())
    sync = await ends.process.hear()
    assert isinstance(sync, Sync)
    await ends.process.say(Synced(number=sync.number))
    await waiting
