"""The channel's messages survive any cutting of the byte stream, and nothing else gets through."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from toolbridge.child.messages import (
    LENGTH,
    MAX_BYTES,
    Call,
    Cancel,
    ChannelError,
    Definition,
    Failure,
    FromProcess,
    MessageReader,
    Printed,
    Result,
    Tools,
    ToProcess,
    encode,
    raw,
)
from toolbridge.tools import Annotations, Kind, Tool

MESSAGES = [
    Failure(id=1, message="no such city", refused=True),
    Printed(id=2, stream="stderr", text="careful ✓\n"),
    Result(id=3, value=raw(b'{"a": [1, 2.50, null]}')),
]


@given(cuts=st.lists(st.integers(min_value=1, max_value=40)))
def test_messages_are_cut_out_of_any_pieces(cuts: list[int]) -> None:
    stream = b"".join(map(encode, MESSAGES))
    reader = MessageReader(FromProcess)
    read: list[FromProcess] = []
    for size in [*cuts, len(stream)]:
        piece, stream = stream[:size], stream[size:]
        read += reader.feed(piece)

    assert read == MESSAGES


def test_values_are_passed_on_byte_for_byte() -> None:
    [call] = MessageReader(ToProcess).feed(
        encode(Call(id=1, tool="t", arguments=raw(b'{"n": 1.0, "big": 12345678901234567890}')))
    )

    assert bytes(call.arguments) == b'{"n": 1.0, "big": 12345678901234567890}'


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"no JSON",
        b"[]",
        b'{"type":"sync","number":1}',
        b'{"type":"failure","id":1}',
        b'{"type":"failure","id":"1","message":""}',
        b'{"type":"failure","id":1,"message":"","more":1}',
        b'{"type":"printed","id":1,"stream":"stdin","text":""}',
    ],
)
def test_what_is_no_message_from_the_process_is_refused(body: bytes) -> None:
    with pytest.raises(ChannelError, match="not a message of this channel"):
        list(MessageReader(FromProcess).feed(LENGTH.pack(len(body)) + body))


def test_a_length_beyond_the_limit_is_refused_before_its_bytes_come() -> None:
    with pytest.raises(ChannelError, match="exceeds"):
        list(MessageReader(FromProcess).feed(LENGTH.pack(MAX_BYTES + 1)))


def test_a_message_beyond_the_limit_is_not_sent() -> None:
    with pytest.raises(ChannelError, match="exceeds"):
        encode(Failure(id=1, message="x" * MAX_BYTES))


def test_a_lone_surrogate_becomes_a_question_mark() -> None:
    [message] = MessageReader(FromProcess).feed(encode(Failure(id=1, message="a\ud800b")))

    assert message.message == "a?b"


def test_a_tool_is_announced_with_all_that_is_offered_of_it() -> None:
    tool = Tool(
        name="add",
        source="python",
        description="Add.",
        kind=Kind.FREEFORM,
        namespace="sums",
        input_schema={"type": "object"},
        output_schema=True,
        annotations=Annotations(read_only=True),
    )
    [announced] = MessageReader(FromProcess).feed(encode(Tools(tools=(Definition.of(tool),))))

    assert [definition.tool("python") for definition in announced.tools] == [tool]


def test_cancel_is_for_the_process_only() -> None:
    with pytest.raises(ChannelError):
        list(MessageReader(FromProcess).feed(encode(Cancel(id=1))))
