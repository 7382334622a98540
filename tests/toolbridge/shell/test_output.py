"""What is kept of a command's output: whole characters, and never more than the bound."""

import asyncio
import json
import os
from collections.abc import AsyncIterator

import pytest
from hypothesis import given
from hypothesis import strategies as st
from toolbridge.shell import output_pipes
from toolbridge.shell.output import SMALL_PIECE, Printed, ShellOutput
from toolbridge.shell.sink import NoSink
from toolbridge.shell.streams import Stream

from tests.patience import PATIENCE_S

STDOUT, STDERR = Stream

PIECES = st.lists(st.binary(max_size=6) | st.sampled_from(["é".encode(), "😀".encode()[:2], b"\0"]))

SPLIT = st.sampled_from([(stream, piece) for stream in Stream for piece in (b"\xc3", b"\xa9")])
"""A character in halves, which may come from different streams."""


@given(PIECES)
def test_text_does_not_depend_on_how_the_bytes_came(pieces: list[bytes]) -> None:
    output = ShellOutput()
    for piece in pieces:
        output.feed(piece, STDOUT)
    output.end(STDOUT)
    output.finish()
    text = b"".join(pieces).decode("utf-8", "replace")
    assert output.take() == Printed(text, len(text.encode()))


@given(st.text(), st.integers(0, 20))
def test_a_read_between_two_halves_of_a_character_waits_for_the_rest(text: str, cut: int) -> None:
    data = text.encode()
    output = ShellOutput()
    output.feed(data[:cut], STDOUT)
    first = output.take().text
    output.feed(data[cut:], STDOUT)
    assert first + output.take().text == text


@given(st.lists(st.tuples(st.sampled_from(Stream), st.binary(max_size=6)) | SPLIT))
def test_each_stream_is_decoded_by_itself(pieces: list[tuple[Stream, bytes]]) -> None:
    sink = Heard()
    output = ShellOutput(sink=sink)
    for stream, piece in pieces:
        output.feed(piece, stream)
    for stream in Stream:
        output.end(stream)
    for stream in Stream:
        whole = b"".join(piece for whose, piece in pieces if whose is stream)
        assert sink.of[stream] == whole.decode("utf-8", "replace")
    assert output.take().text == sink.text


class Heard(NoSink):
    """A sink that remembers what it was told."""

    def __init__(self) -> None:
        self.text = ""
        self.of = dict.fromkeys(Stream, "")
        self.is_shortened = False
        self.is_finished = False

    def take(self, text: str, stream: Stream) -> None:
        self.text += text
        self.of[stream] += text

    def shorten(self) -> None:
        self.is_shortened = True

    def finish(self) -> None:
        self.is_finished = True


@given(PIECES)
def test_a_sink_gets_all_of_it_whatever_is_left_out(pieces: list[bytes]) -> None:
    sink = Heard()
    output = ShellOutput(max_kept=8, sink=sink)
    for piece in pieces:
        output.feed(piece, STDOUT)
    was_overflowing = output.is_overflowing
    output.end(STDOUT)
    output.finish()
    assert sink.text == b"".join(pieces).decode("utf-8", "replace")
    assert sink.is_finished
    assert sink.is_shortened >= was_overflowing


def test_a_sink_is_told_when_something_is_left_out() -> None:
    sink = Heard()
    output = ShellOutput(max_kept=2 * SMALL_PIECE, sink=sink)
    output.feed(b"a" * SMALL_PIECE, STDOUT)
    output.feed(b"b" * SMALL_PIECE, STDOUT)
    assert not sink.is_shortened
    output.feed(b"c" * SMALL_PIECE, STDOUT)
    assert sink.is_shortened


def test_a_character_that_never_gets_whole_is_replaced_at_the_end() -> None:
    output = ShellOutput()
    output.feed("好".encode()[:2], STDOUT)
    assert output.take().text == ""
    output.end(STDOUT)
    output.finish()
    assert output.take().text == "\ufffd"


@given(st.lists(st.binary(min_size=1, max_size=300), max_size=200))
def test_memory_is_bounded_and_the_gap_is_told(pieces: list[bytes]) -> None:
    bound = 4 * SMALL_PIECE
    output = ShellOutput(bound)
    for piece in pieces:
        output.feed(piece, STDOUT)
    output.end(STDOUT)
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
        output.feed(b"x" * 60, STDOUT)
    assert "6000" not in output.take().text
    output.feed(b"fresh", STDOUT)
    assert not output.is_overflowing
    assert output.take() == Printed("fresh", 5)


def test_control_characters_count_as_json_writes_them() -> None:
    output = ShellOutput(6 * 2 * SMALL_PIECE)
    for _ in range(100):
        output.feed(b"\0" * SMALL_PIECE, STDOUT)
    assert output.take().text.count("\0") <= 2 * SMALL_PIECE


async def test_what_waits_in_the_pipe_is_read_before_it_is_given_up() -> None:
    """Somebody else may have its other end for ever."""
    ours, theirs = os.pipe()
    output, ends = ShellOutput(), list[str]()
    pipes = output_pipes.OutputPipes({STDOUT: ours}, output, lambda: ends.append("end"))
    os.write(theirs, b"x" * output_pipes.READ_BYTES)
    pipes.close()
    os.close(theirs)
    assert len(output.take().text) == output_pipes.READ_BYTES
    assert ends == ["end"]


class Writers:
    """Two pipes whose other ends are read, and what has come of it."""

    def __init__(self) -> None:
        self.ends = 0
        self.ended = asyncio.Event()
        self.sink = Heard()
        self.output = ShellOutput(max_kept=2 * SMALL_PIECE, sink=self.sink)
        ours = {}
        self.theirs = {}
        for stream in Stream:
            ours[stream], self.theirs[stream] = os.pipe()
        self.pipes = output_pipes.OutputPipes(ours, self.output, self._end)

    def write(self, stream: Stream, data: bytes) -> None:
        os.write(self.theirs[stream], data)

    def close(self, stream: Stream) -> None:
        os.close(self.theirs.pop(stream))

    async def have_read(self, end: str) -> None:
        """Wait until what was read ends so."""
        async with asyncio.timeout(PATIENCE_S):
            while not self.sink.text.endswith(end):  # noqa: ASYNC110 - a sink tells nobody
                await asyncio.sleep(0)

    def _end(self) -> None:
        self.ends += 1
        self.ended.set()


@pytest.fixture
async def writers() -> AsyncIterator[Writers]:
    writers = Writers()
    yield writers
    writers.pipes.close()
    for stream in list(writers.theirs):
        writers.close(stream)


async def test_stdout_comes_first_when_both_streams_wait(writers: Writers) -> None:
    writers.write(STDERR, b"err\n")
    writers.write(STDOUT, b"out\n")
    await writers.have_read("err\n")
    writers.write(STDERR, b"err again")
    writers.close(STDERR)
    writers.close(STDOUT)
    async with asyncio.timeout(PATIENCE_S):
        await writers.ended.wait()
    assert writers.output.take().text == "out\nerr\nerr again"
    assert writers.sink.of == {STDOUT: "out\n", STDERR: "err\nerr again"}


async def test_a_line_that_was_begun_is_finished_first(writers: Writers) -> None:
    writers.write(STDERR, b"err: ")
    await writers.have_read("err: ")
    writers.write(STDOUT, b"out\n")
    writers.write(STDERR, b"why\n")
    await writers.have_read("out\n")
    assert writers.output.take().text == "err: why\nout\n"


@pytest.mark.parametrize("first, second", [(STDOUT, STDERR), (STDERR, STDOUT)])
async def test_a_stream_that_is_closed_early_leaves_the_other_one(
    writers: Writers, first: Stream, second: Stream
) -> None:
    writers.close(first)
    writers.write(second, b"x")
    await writers.have_read("x")
    assert not writers.pipes.is_closed
    assert not writers.sink.is_finished
    writers.write(second, b"y")
    writers.close(second)
    async with asyncio.timeout(PATIENCE_S):
        await writers.ended.wait()
    assert (writers.sink.text, writers.ends) == ("xy", 1)
    assert writers.sink.is_finished
    assert writers.pipes.is_closed


@pytest.mark.parametrize("flooded", Stream)
async def test_a_flood_in_either_stream_pauses_both(
    writers: Writers, flooded: Stream, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(output_pipes, "FLOOD_PAUSE_S", 3600)
    for _ in range(4):
        writers.output.feed(b"x" * SMALL_PIECE, flooded)
    writers.write(flooded, b"y")
    await writers.have_read("y")
    for stream in Stream:
        writers.write(stream, b"z")
    for _ in range(10):  # each looks at every descriptor that is listened to
        await asyncio.sleep(0)
    assert writers.sink.text.endswith("y")
    writers.pipes.close()
    assert writers.sink.text.endswith("yzz")
