"""What is kept of a command's output: whole characters, and never more than the bound."""

import json
import os

from hypothesis import given
from hypothesis import strategies as st
from toolbridge.shell import output_pipe
from toolbridge.shell.output import SMALL_PIECE, Printed, ShellOutput
from toolbridge.shell.sink import NoSink

PIECES = st.lists(st.binary(max_size=6) | st.sampled_from(["é".encode(), "😀".encode()[:2], b"\0"]))


@given(PIECES)
def test_text_does_not_depend_on_how_the_bytes_came(pieces: list[bytes]) -> None:
    output = ShellOutput()
    for piece in pieces:
        output.feed(piece)
    output.finish()
    text = b"".join(pieces).decode("utf-8", "replace")
    assert output.take() == Printed(text, len(text.encode()))


@given(st.text(), st.integers(0, 20))
def test_a_read_between_two_halves_of_a_character_waits_for_the_rest(text: str, cut: int) -> None:
    data = text.encode()
    output = ShellOutput()
    output.feed(data[:cut])
    first = output.take().text
    output.feed(data[cut:])
    assert first + output.take().text == text


class Heard(NoSink):
    """A sink that remembers what it was told."""

    def __init__(self) -> None:
        self.text = ""
        self.is_shortened = False
        self.is_finished = False

    def take(self, text: str) -> None:
        self.text += text

    def shorten(self) -> None:
        self.is_shortened = True

    def finish(self) -> None:
        self.is_finished = True


@given(PIECES)
def test_a_sink_gets_all_of_it_whatever_is_left_out(pieces: list[bytes]) -> None:
    sink = Heard()
    output = ShellOutput(max_kept=8, sink=sink)
    for piece in pieces:
        output.feed(piece)
    was_overflowing = output.is_overflowing
    output.finish()
    assert sink.text == b"".join(pieces).decode("utf-8", "replace")
    assert sink.is_finished
    assert sink.is_shortened >= was_overflowing


def test_a_sink_is_told_when_something_is_left_out() -> None:
    sink = Heard()
    output = ShellOutput(max_kept=2 * SMALL_PIECE, sink=sink)
    output.feed(b"a" * SMALL_PIECE)
    output.feed(b"b" * SMALL_PIECE)
    assert not sink.is_shortened
    output.feed(b"c" * SMALL_PIECE)
    assert sink.is_shortened


def test_a_character_that_never_gets_whole_is_replaced_at_the_end() -> None:
    output = ShellOutput()
    output.feed("好".encode()[:2])
    assert output.take().text == ""
    output.finish()
    assert output.take().text == "\ufffd"


@given(st.lists(st.binary(min_size=1, max_size=300), max_size=200))
def test_memory_is_bounded_and_the_gap_is_told(pieces: list[bytes]) -> None:
    bound = 4 * SMALL_PIECE
    output = ShellOutput(bound)
    for piece in pieces:
        output.feed(piece)
    output.finish()
    overflowed = output.is_overflowing
    printed = output.take()
    whole = b"".join(pieces).decode("utf-8", "replace")
    assert printed.size == len(whole.encode())
    assert len(json.dumps(printed.text, ensure_ascii=False)) <= 2 * bound + 200
    assert overflowed is (printed.text != whole)
    if overflowed:
        head, gap, tail = printed.text.partition("\n[... ")
        assert whole.startswith(head)
        assert whole.endswith(tail.partition(" ...]\n")[2])
        assert gap


def test_after_a_read_there_is_room_again() -> None:
    output = ShellOutput(100)
    for _ in range(100):
        output.feed(b"x" * 60)
    assert "6000" not in output.take().text
    output.feed(b"fresh")
    assert not output.is_overflowing
    assert output.take() == Printed("fresh", 5)


def test_control_characters_count_as_json_writes_them() -> None:
    output = ShellOutput(6 * 2 * SMALL_PIECE)
    for _ in range(100):
        output.feed(b"\0" * SMALL_PIECE)
    assert output.take().text.count("\0") <= 2 * SMALL_PIECE


async def test_what_waits_in_the_pipe_is_read_before_it_is_given_up() -> None:
    """Somebody else may have its other end for ever."""
    ours, theirs = os.pipe()
    output, ends = ShellOutput(), list[str]()
    pipe = output_pipe.OutputPipe(ours, output, lambda: ends.append("end"))
    os.write(theirs, b"x" * output_pipe.READ_BYTES)
    pipe.close()
    os.close(theirs)
    assert len(output.take().text) == output_pipe.READ_BYTES
    assert ends == ["end"]
