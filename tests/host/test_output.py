"""Output between a cell and its client: bounds, notices, numbering (contract 11.7, 12)."""

import pytest
from codemode_host.effects import Effect, Send
from codemode_host.engine.frames import Kind
from codemode_host.framing import MAX_FRAME_BYTES, frame
from codemode_host.output import (
    CONTENT_BYTES,
    MAX_BUFFERED_BYTES,
    OVERLONG_NOTICE,
    TRUNCATED_NOTICE,
    BufferedOutput,
    StreamedOutput,
)
from codemode_host.wire import CellContent, TextItem, encode

from tests.host.stage import Stage

MIB = 1024 * 1024


def add(output: BufferedOutput | StreamedOutput, text: str) -> None:
    item = TextItem(text)
    output.add(item, len(text) + len('{"type":"input_text","text":""}'))


class TestBuffered:
    def test_more_than_a_frame_of_items_ends_in_a_notice(self) -> None:
        output = BufferedOutput()
        for _ in range(100):
            add(output, "x" * MIB)
        *kept, notice = output.take().items
        assert notice == TextItem(TRUNCATED_NOTICE)
        assert len(kept) == 63

    def test_nothing_follows_the_notice_in_the_same_observation(self) -> None:
        output = BufferedOutput()
        for _ in range(64):
            add(output, "x" * MIB)
        add(output, "small")
        assert output.take().items[-1] == TextItem(TRUNCATED_NOTICE)
        add(output, "next")
        assert output.take().items == [TextItem("next")]

    def test_what_is_kept_fits_a_frame(self) -> None:
        output = BufferedOutput()
        line = "x" * 1000
        for _ in range(MAX_BUFFERED_BYTES // 1000):
            add(output, line)
        assert len(encode(CellContent("s", "1", 1, output.take().items))) <= MAX_FRAME_BYTES

    def test_a_single_item_that_fits_no_frame_fails_the_observation(self) -> None:
        output = BufferedOutput()
        add(output, "a")
        add(output, "x" * MAX_FRAME_BYTES)
        add(output, "b")
        assert output.take().overlong_bytes > MAX_FRAME_BYTES
        assert output.take() == BufferedOutput().take()

    @pytest.mark.parametrize("initial", [True, False])
    def test_the_failure_names_the_length(self, stage: Stage, initial: bool) -> None:
        stage.execute()
        if not initial:
            stage.yield_control()
            stage.wait()
        stage.sent()
        stage.frame(Kind.ITEM, b'{"type":"input_text","text":"%s"}' % (b"x" * 70_000_000))
        stage.done()
        failure, closed = stage.sent()
        wording = (
            "failed: code-mode initial response" if initial else "refused: code-mode host response"
        )
        assert failure.startswith(
            f"{2 if initial else 3} {wording} exceeds the IPC frame limit: code-mode IPC frame length 7000"
        )
        assert failure.endswith(" exceeds 67108864 bytes")
        assert closed == "closed 1"


class TestStreamed:
    @pytest.fixture
    def effects(self) -> list[Effect]:
        return []

    @pytest.fixture
    def output(self, effects: list[Effect]) -> StreamedOutput:
        return StreamedOutput("s", "1", effects)

    @staticmethod
    def contents(effects: list[Effect]) -> list[CellContent]:
        contents = []
        for effect in effects:
            assert isinstance(effect, Send)
            assert isinstance(effect.message, CellContent)
            contents.append(effect.message)
        return contents

    def test_a_long_read_makes_several_frames_without_a_gap(
        self, output: StreamedOutput, effects: list[Effect]
    ) -> None:
        for number in range(10):
            add(output, f"{number}" * 100_000)
        output.flush()
        contents = self.contents(effects)
        assert len(contents) > 1
        seq = 1
        for content in contents:
            assert content.seq == seq
            assert len(encode(content)) < CONTENT_BYTES + 1000
            seq += len(content.items)
        assert seq == 11

    def test_an_item_that_fits_no_frame_becomes_a_notice(
        self, output: StreamedOutput, effects: list[Effect]
    ) -> None:
        add(output, "a")
        add(output, "x" * MAX_FRAME_BYTES)
        add(output, "b")
        assert output.take().seq == 3
        items = [item for content in self.contents(effects) for item in content.items]
        assert items == [TextItem("a"), TextItem(OVERLONG_NOTICE), TextItem("b")]

    def test_the_longest_item_that_fits_goes_out_whole(
        self, output: StreamedOutput, effects: list[Effect]
    ) -> None:
        longest = MAX_FRAME_BYTES - len(encode(CellContent("s", "1", 2**64 - 1, [TextItem("")])))
        add(output, "x" * longest)
        output.flush()
        (content,) = self.contents(effects)
        assert content.items != [TextItem(OVERLONG_NOTICE)]
        assert len(frame(encode(content))) <= MAX_FRAME_BYTES + 4

    def test_nothing_to_send_sends_nothing(
        self, output: StreamedOutput, effects: list[Effect]
    ) -> None:
        output.flush()
        assert output.take().seq == 0
        assert effects == []
