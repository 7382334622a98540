"""Two streams as one text: in the order they came, up to what is lost."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from codemode_host.wire import TextItem
from codemode_kernel.captures.capture import Capture
from codemode_kernel.captures.folder import CaptureFolder
from codemode_kernel.captures.merged import Merged
from codemode_kernel.captures.writer import Writer
from codemode_kernel.record import CaptureState
from hypothesis import given
from hypothesis import strategies as st
from toolbridge.shell.streams import Stream

from tests.patience import PATIENCE_S

STDOUT, STDERR = Stream


class Streams:
    """Captures of both streams, and what they read like."""

    def __init__(self, root: Path, most_bytes: int = 1000, most_turns: int = 1000) -> None:
        self.folder, self.writer = CaptureFolder(root), Writer()
        self.captures = {
            stream: Capture(stream.value, self.folder, self.writer, most_bytes) for stream in Stream
        }
        self.merged = Merged(self.captures, most_turns)

    def take(self, stream: Stream, text: str) -> None:
        self.captures[stream].take([TextItem(text)])
        self.merged.note(stream, len(text.encode()))

    def finish(self) -> None:
        for capture in self.captures.values():
            capture.finish(None)

    async def published(self) -> None:
        for capture in self.captures.values():
            capture.publish()
        await self.merged.settled(PATIENCE_S)

    def state(self) -> CaptureState:
        return self.merged.snapshot().state


@pytest.fixture
async def streams(tmp_path: Path) -> AsyncIterator[Streams]:
    streams = Streams(tmp_path, most_bytes=10, most_turns=6)
    yield streams
    streams.writer.offer(0, streams.folder.remove)
    assert await streams.writer.drained(PATIENCE_S)
    streams.writer.close()


PIECES = st.lists(st.tuples(st.sampled_from(Stream), st.text(min_size=1, max_size=4)))


@given(PIECES, st.integers(0, 30), st.integers(1, 30))
def test_any_part_of_it_is_as_it_came(
    pieces: list[tuple[Stream, str]], offset: int, limit: int
) -> None:
    streams = Streams(Path("never made"))
    for stream, text in pieces:
        streams.take(stream, text)
    whole = "".join(text for _, text in pieces).encode("utf-8", "replace")
    assert streams.merged.read(0, len(whole) + 1) == whole
    assert streams.merged.read(offset, limit) == whole[offset : offset + limit]
    assert streams.merged.snapshot().bytes == len(whole)


async def test_it_is_read_from_the_files_of_both(streams: Streams) -> None:
    for stream, text in ((STDERR, "é1"), (STDOUT, "a"), (STDERR, "2"), (STDERR, "3")):
        streams.take(stream, text)
    await streams.published()
    assert streams.state() is CaptureState.CAPTURING
    streams.take(STDOUT, "b")
    streams.finish()
    await streams.published()
    assert streams.state() is CaptureState.COMPLETE
    assert streams.merged.read(0, 100).decode() == "é1a23b"
    assert streams.merged.read(2, 3) == b"1a2"


async def test_what_follows_a_lost_piece_is_not_taken_for_what_follows_the_piece_before(
    streams: Streams,
) -> None:
    await streams.published()
    for stream, text in ((STDOUT, "a"), (STDOUT, "x" * 20), (STDERR, "b")):
        streams.take(stream, text)
        await streams.published()
    assert streams.merged.read(0, 100) == b"a"
    assert streams.captures[STDERR].read(0, 100) == b"b"
    assert streams.state() is CaptureState.PARTIAL
    assert (streams.merged.snapshot().bytes, streams.merged.snapshot().captured_bytes) == (22, 2)


async def test_a_stream_that_could_not_be_written_at_all_ends_it(streams: Streams) -> None:
    streams.take(STDOUT, "a")
    streams.take(STDERR, "x" * 20)
    await streams.published()
    assert streams.captures[STDERR].snapshot().state is CaptureState.UNAVAILABLE
    assert streams.state() is CaptureState.PARTIAL
    assert streams.merged.read(0, 100) == b"a"


async def test_when_nothing_could_be_written_there_is_nothing_to_read(streams: Streams) -> None:
    streams.take(STDERR, "x" * 20)
    await streams.published()
    assert streams.state() is CaptureState.UNAVAILABLE
    with pytest.raises(FileNotFoundError):
        streams.merged.read(0, 100)


def test_streams_that_took_turns_too_often_are_told_apart_and_no_more(streams: Streams) -> None:
    for _ in range(6):
        streams.take(STDERR, "e")
        streams.take(STDOUT, "o")
    streams.finish()
    assert streams.merged.read(0, 100) == b"eoeoeo"
    assert streams.state() is CaptureState.PARTIAL
    assert streams.captures[STDERR].read(0, 100) == b"eeeeee"
    assert streams.captures[STDERR].snapshot().state is CaptureState.COMPLETE
