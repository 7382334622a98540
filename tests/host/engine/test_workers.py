"""The pool of workers and its side of the seam, with workers that the test plays."""

import asyncio
import socket
from collections import deque
from collections.abc import AsyncIterator

import pytest
from codemode_host.engine.frames import HEADER, MAX_PAYLOAD_BYTES, Kind, encode
from codemode_host.engine.launcher import Child, Launcher, connected_pair
from codemode_host.engine.workers import CROWD, CROWD_SPARES, REFILL_DELAY_S, Worker, Workers
from codemode_host.errors import EngineError

from tests.patience import PATIENCE_S

READY = encode(Kind.READY, 0, b'{"pid": 7, "layers": {"lock": "active"}}')


class PlayedChild(Child):
    """A process that is not there: the test holds the worker's end of its socket."""

    def __init__(self, pid: int) -> None:
        host_end, self.end = connected_pair()
        self.end.settimeout(PATIENCE_S)
        super().__init__(pid, host_end)

    def say(self, data: bytes) -> None:
        self.end.sendall(data)

    def kill(self) -> None:
        self.end.close()
        self.report_end(-9)


class PlayedLauncher(Launcher):
    """Gives children that get ready at once, unless told otherwise."""

    def __init__(self) -> None:
        self.children: list[PlayedChild] = []
        self.launched = asyncio.Condition()
        self.failures: deque[EngineError] = deque()
        self.greeting = READY

    async def launch(self) -> Child:
        if self.failures:
            raise self.failures.popleft()
        child = PlayedChild(pid=len(self.children) + 1)
        self.children.append(child)
        child.say(self.greeting)
        async with self.launched:
            self.launched.notify_all()
        return child

    async def until(self, count: int) -> None:
        """Wait until so many children were launched."""
        async with asyncio.timeout(PATIENCE_S), self.launched:
            await self.launched.wait_for(lambda: len(self.children) >= count)

    async def close(self) -> None:
        for child in self.children:
            child.end.close()


class Listener:
    """What a host hears of one worker."""

    def __init__(self, worker: Worker) -> None:
        self.frames: list[tuple[int, int, bytes]] = []
        self.ends: list[str | None] = []
        self.ended = asyncio.Event()
        self._more = asyncio.Event()
        worker.attach(self._note_frame, self._note_end)

    async def until(self, count: int) -> None:
        """Wait until so many frames were heard."""
        async with asyncio.timeout(PATIENCE_S):
            while len(self.frames) < count:
                self._more.clear()
                await self._more.wait()

    def _note_frame(self, kind: int, number: int, payload: bytes) -> None:
        self.frames.append((kind, number, payload))
        self._more.set()

    def _note_end(self, reason: str | None) -> None:
        self.ends.append(reason)
        self.ended.set()


@pytest.fixture
def launcher() -> PlayedLauncher:
    return PlayedLauncher()


@pytest.fixture
async def pool(launcher: PlayedLauncher) -> AsyncIterator[Workers]:
    pool = Workers(launcher)
    yield pool
    await pool.close()


def fill(end: socket.socket, data: bytes) -> int:
    """Send `data` again and again until the socket takes no more; how many bytes it took."""
    end.setblocking(False)
    sent = 0
    try:
        while True:
            sent += end.send(data)
    except BlockingIOError:
        return sent


async def reach(condition: asyncio.Event) -> None:
    async with asyncio.timeout(PATIENCE_S):
        await condition.wait()


async def test_a_worker_is_given_out_when_it_is_ready(
    launcher: PlayedLauncher, pool: Workers
) -> None:
    worker = await pool.take()
    assert worker.pid == 1
    assert pool.layers == {"lock": "active"}


async def test_spares_are_kept_and_used_in_order(launcher: PlayedLauncher, pool: Workers) -> None:
    await pool.start()
    first, second = await pool.take(), await pool.take()
    assert (first.pid, second.pid) == (1, 2)
    await launcher.until(2 + launcher.spares)
    assert (await pool.take()).pid == 3


async def test_a_crowd_of_workers_has_fewer_spares(launcher: PlayedLauncher, pool: Workers) -> None:
    await pool.start()
    taken = CROWD + launcher.spares
    for _ in range(taken):
        await pool.take()
    await launcher.until(taken + CROWD_SPARES)
    await asyncio.sleep(2 * REFILL_DELAY_S)
    assert len(launcher.children) == taken + CROWD_SPARES


async def test_frames_come_in_order_and_the_end_once(
    launcher: PlayedLauncher, pool: Workers
) -> None:
    worker = await pool.take()
    heard = Listener(worker)
    frames = encode(Kind.ITEM, 0, b'"a"') + encode(Kind.CALL, 1, b"[0,null]")
    launcher.children[0].say(frames[:5])
    launcher.children[0].say(frames[5:] + encode(Kind.DONE, 0, b"null") + encode(Kind.ITEM))
    await reach(heard.ended)
    assert heard.frames == [
        (Kind.ITEM, 0, b'"a"'),
        (Kind.CALL, 1, b"[0,null]"),
        (Kind.DONE, 0, b"null"),
    ]
    worker.kill()
    assert heard.ends == [None]


async def test_what_is_sent_in_one_turn_arrives_as_frames(
    launcher: PlayedLauncher, pool: Workers
) -> None:
    worker = await pool.take()
    worker.send(Kind.START, 0, b"{}")
    worker.send(Kind.RESULT, 3, b"1")
    await asyncio.sleep(0)
    data = launcher.children[0].end.recv(1000, socket.MSG_WAITALL | socket.MSG_DONTWAIT)
    assert data == encode(Kind.START, 0, b"{}") + encode(Kind.RESULT, 3, b"1")


BROKEN = {
    "a kind that only a host may send": encode(Kind.RESULT, 1, b"1"),
    "an unknown kind": encode(200),
    "a second READY": READY,
    "a frame above the limit": HEADER.pack(MAX_PAYLOAD_BYTES + 1, Kind.ITEM, 0),
}


@pytest.mark.parametrize("data", BROKEN.values(), ids=BROKEN.keys())
async def test_a_worker_that_breaks_the_protocol_is_ended(
    launcher: PlayedLauncher, pool: Workers, data: bytes
) -> None:
    heard = Listener(await pool.take())
    launcher.children[0].say(encode(Kind.ITEM, 0, b'"before"') + data)
    await reach(heard.ended)
    assert [frame[0] for frame in heard.frames] == [Kind.ITEM]
    (reason,) = heard.ends
    assert reason is not None
    assert reason.startswith("broke the frame protocol: ")
    assert launcher.children[0].ended.result() == "killed by signal 9"


UNREADY = {
    "another frame": encode(Kind.ITEM, 0, b'"x"'),
    "a READY without layers": encode(Kind.READY, 0, b"{}"),
    "a READY that is no JSON": encode(Kind.READY, 0, b"\xff"),
}


@pytest.mark.parametrize("greeting", UNREADY.values(), ids=UNREADY.keys())
async def test_a_worker_that_does_not_greet_is_no_worker(
    launcher: PlayedLauncher, pool: Workers, greeting: bytes
) -> None:
    launcher.greeting = greeting
    with pytest.raises(EngineError, match="a worker did not get ready: broke the frame protocol"):
        await pool.take()


async def test_a_failed_start_is_tried_again(launcher: PlayedLauncher, pool: Workers) -> None:
    launcher.failures.append(EngineError("no worker could be started: no memory"))
    assert (await pool.take()).pid == 1


async def test_a_start_that_keeps_failing_is_an_error(
    launcher: PlayedLauncher, pool: Workers
) -> None:
    launcher.failures.extend(EngineError(f"no worker: {n}") for n in range(100))
    with pytest.raises(EngineError, match="no worker: "):
        await pool.take()


async def test_what_a_worker_said_before_it_went_is_heard(
    launcher: PlayedLauncher, pool: Workers
) -> None:
    worker = await pool.take()
    heard = Listener(worker)
    launcher.children[0].say(encode(Kind.ITEM, 0, b'"last"'))
    launcher.children[0].kill()
    worker.write(encode(Kind.RESULT, 1, b"1"))  # fails: nobody is there
    await reach(heard.ended)
    assert heard.frames == [(Kind.ITEM, 0, b'"last"')]
    assert heard.ends == ["killed by signal 9"]


async def test_a_spare_that_died_is_not_given_out(launcher: PlayedLauncher, pool: Workers) -> None:
    await pool.start()
    first = await pool.take()
    launcher.children[1].kill()
    await launcher.children[1].ended
    await asyncio.sleep(0)
    assert (await pool.take()).pid not in (first.pid, 2)


async def test_back_pressure_reaches_the_worker(launcher: PlayedLauncher, pool: Workers) -> None:
    worker = await pool.take()
    heard = Listener(worker)
    worker.pause_reading()
    item = encode(Kind.ITEM, 0, b"x" * 60_000)
    sent = fill(launcher.children[0].end, item)
    assert heard.frames == []
    assert sent < 2**22
    worker.resume_reading()
    await heard.until(sent // len(item))


async def test_a_slow_worker_gets_everything(launcher: PlayedLauncher, pool: Workers) -> None:
    worker = await pool.take()
    payload = bytes(range(256)) * 2**14
    worker.send(Kind.RESULT, 1, payload)
    worker.send(Kind.RESULT, 2, payload)
    end = launcher.children[0].end
    received = b""
    while len(received) < 2 * (HEADER.size + len(payload)):
        received += await asyncio.to_thread(end.recv, 2**20)
    assert received == encode(Kind.RESULT, 1, payload) + encode(Kind.RESULT, 2, payload)


async def test_a_closed_pool_gives_nothing(launcher: PlayedLauncher) -> None:
    pool = Workers(launcher)
    await pool.close()
    with pytest.raises(EngineError, match="the engine is closed"):
        await pool.take()
