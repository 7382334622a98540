"""When the frames of a worker reach its host."""

import socket
from collections.abc import Iterator

import pytest
from codemode_host.engine.frames import FrameReader, Kind
from codemode_host.engine.quickjs.channel import Channel

from tests.host.engine.stage import Engine


class Ends:
    """A worker's channel, and what has arrived at the other end."""

    def __init__(self) -> None:
        self._host, self._worker = socket.socketpair()
        self._host.setblocking(False)
        self._reader = FrameReader()
        self.channel = Channel(self._worker.fileno())
        self.numbers: list[int] = []

    def look(self) -> list[int]:
        """The numbers of all frames so far."""
        try:
            data = self._host.recv(1 << 20)
        except BlockingIOError:
            data = b""
        self.numbers += [number for _, number, _ in self._reader.feed(data)]
        return self.numbers

    def close(self) -> None:
        self._host.close()
        self._worker.close()


@pytest.fixture
def ends() -> Iterator[Ends]:
    ends = Ends()
    yield ends
    ends.close()


def test_a_burst_holds_back_at_most_a_third_and_none_of_its_first_three(ends: Ends) -> None:
    for sent in range(1, 200):
        ends.channel.send_in_burst(Kind.CALL, sent, b"[0,null]")
        assert len(ends.look()) >= max(min(sent, 3), sent * 2 // 3)


def test_the_end_of_a_burst_brings_the_rest_in_order(ends: Ends) -> None:
    for number in range(1, 101):
        ends.channel.send_in_burst(Kind.CALL, number, b"[0,null]")
    ends.channel.end_burst()
    assert ends.look() == list(range(1, 101))


def test_nothing_is_held_while_the_worker_waits_for_answers(ends: Ends) -> None:
    for number in range(1, 101):
        ends.channel.send_in_burst(Kind.CALL, number, b"[0,null]")
    assert ends.channel.receive(timeout_ms=0) == []
    assert ends.look() == list(range(1, 101))


def test_another_frame_comes_after_the_calls_before_it(ends: Ends) -> None:
    for number in range(1, 8):
        ends.channel.send_in_burst(Kind.CALL, number, b"[0,null]")
    ends.channel.send(Kind.ITEM, 8, b"{}")
    assert ends.look() == list(range(1, 9))


def test_much_is_never_held(ends: Ends) -> None:
    for number in range(1, 40):
        ends.channel.send_in_burst(Kind.CALL, number, b"[0,null]")
    before = ends.look()[-1]
    ends.channel.send_in_burst(Kind.CALL, 40, b'"' + b"x" * 64 * 1024 + b'"')
    assert before < 39
    assert ends.look()[-1] == 40


async def test_calls_arrive_while_their_script_computes_on(engine: Engine) -> None:
    cell = await engine.start("for (let i = 0; i < 3; i++) tools.echo(i); for (;;) {}")
    await cell.until(lambda run: run.calls == [0, 1, 2])
    cell.worker.kill()
    await cell.end()
