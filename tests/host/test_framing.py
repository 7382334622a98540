"""Frames of protocol V1 (contract 11.1)."""

import struct

import pytest
from codemode_host.errors import FrameTooLong, ProtocolError
from codemode_host.framing import MAX_FRAME_BYTES, FrameReader, frame
from hypothesis import given
from hypothesis import strategies as st

TOO_LONG = "code-mode IPC frame length {} exceeds 67108864 bytes"


def test_a_frame_is_its_length_and_its_payload() -> None:
    assert frame(b"{}") == b"\x02\x00\x00\x00{}"


def test_a_payload_above_the_limit_is_refused() -> None:
    with pytest.raises(FrameTooLong, match=TOO_LONG.format(MAX_FRAME_BYTES + 1)):
        frame(bytes(MAX_FRAME_BYTES + 1))


@pytest.mark.parametrize("length", [MAX_FRAME_BYTES + 1, 2**31 - 1, 2**32 - 1])
def test_an_announced_length_above_the_limit_is_refused_at_once(length: int) -> None:
    reader = FrameReader()
    with pytest.raises(FrameTooLong, match=TOO_LONG.format(length)):
        list(reader.feed(frame(b"{}") + struct.pack("<I", length)))


def test_frames_before_a_bad_one_are_still_given() -> None:
    payloads = FrameReader().feed(frame(b"1") + struct.pack("<I", 2**32 - 1))
    assert next(payloads) == b"1"
    with pytest.raises(FrameTooLong):
        next(payloads)


@given(
    payloads=st.lists(st.binary(max_size=300), max_size=8),
    cuts=st.lists(st.integers(min_value=1, max_value=400), max_size=20),
)
def test_a_stream_may_be_cut_anywhere(payloads: list[bytes], cuts: list[int]) -> None:
    stream = b"".join(frame(payload) for payload in payloads)
    reader = FrameReader()
    got: list[bytes] = []
    for cut in [*cuts, len(stream)]:
        got += reader.feed(stream[:cut])
        stream = stream[cut:]
    reader.end()
    assert got == payloads


@pytest.mark.parametrize("rest", [b"\x00", b"\x02\x00\x00\x00", b"\x02\x00\x00\x00{"])
def test_the_end_of_the_stream_inside_a_frame_is_an_error(rest: bytes) -> None:
    reader = FrameReader()
    assert list(reader.feed(frame(b"{}") + rest)) == [b"{}"]
    with pytest.raises(ProtocolError):
        reader.end()


def test_a_frame_as_long_as_may_be_passes() -> None:
    payload = bytes(MAX_FRAME_BYTES)
    assert list(FrameReader().feed(frame(payload))) == [payload]
