"""What is said arrives in order, printed pieces joined, and nobody prints ahead without bound."""

import socket
import threading
from collections.abc import Iterator

import pytest
from toolbridge.child.messages import Failure, FromProcess, MessageReader, Printed
from toolbridge.child.outbox import MAX_WAITING_CHARACTERS, Outbox

from tests.patience import PATIENCE_S


class OtherSide:
    """Reads what the outbox sends, when told to."""

    def __init__(self) -> None:
        self.channel, theirs = socket.socketpair()
        self.outbox = Outbox(theirs)
        self.reader = MessageReader(FromProcess)

    def read_until_failure(self) -> list[FromProcess]:
        """All messages up to the first `Failure`, which stands for the end here."""
        messages: list[FromProcess] = []
        while not any(isinstance(message, Failure) for message in messages):
            messages += self.reader.feed(self.channel.recv(1 << 20))
        return messages


@pytest.fixture
def other_side() -> Iterator[OtherSide]:
    other_side = OtherSide()
    yield other_side
    other_side.channel.close()


END = Failure(id=9, message="end")


def test_pieces_that_wait_together_are_joined_by_call_and_stream(other_side: OtherSide) -> None:
    outbox = other_side.outbox
    for call, stream, text in [
        (1, "stdout", "a"),
        (1, "stdout", "b\n"),
        (1, "stderr", "c"),
        (2, "stderr", "d"),
    ]:
        outbox.print(call, stream, text)  # type: ignore[arg-type]
    outbox.send(END)
    outbox.start()

    assert other_side.read_until_failure() == [
        Printed(id=1, stream="stdout", text="ab\n"),
        Printed(id=1, stream="stderr", text="c"),
        Printed(id=2, stream="stderr", text="d"),
        END,
    ]


def test_a_printer_waits_for_a_reader_that_does_not_read(other_side: OtherSide) -> None:
    outbox = other_side.outbox
    outbox.start()
    piece = "x" * MAX_WAITING_CHARACTERS
    printed = threading.Semaphore(0)

    def flood() -> None:
        for _ in range(20):
            outbox.print(1, "stdout", piece)
            printed.release()
        outbox.send(END)

    printer = threading.Thread(target=flood)
    printer.start()
    allowed = 0
    while printed.acquire(timeout=0.5):
        allowed += 1
    assert allowed < 20

    messages = other_side.read_until_failure()
    printer.join(PATIENCE_S)
    assert sum(len(m.text) for m in messages if isinstance(m, Printed)) == 20 * len(piece)


def test_a_printer_is_let_go_when_the_other_side_has_gone(other_side: OtherSide) -> None:
    outbox = other_side.outbox
    outbox.start()

    def flood() -> None:
        for _ in range(20):
            outbox.print(1, "stdout", "x" * MAX_WAITING_CHARACTERS)

    printer = threading.Thread(target=flood)
    printer.start()
    other_side.channel.close()

    printer.join(PATIENCE_S)
    assert not printer.is_alive()
