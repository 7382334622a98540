"""The messages of the kernel as JSON: what jupyter_client's own functions make of them, sooner."""

from datetime import UTC, datetime
from typing import Any

import pytest
from codemode_kernel.messages.message_json import pack, speed_up, unpack
from jupyter_client.session import Session, json_packer, json_unpacker


@pytest.mark.parametrize(
    "part",
    [
        {},
        {"text": 'ä "😀"\n\x00', "number": 1.5, "big": 2**70, "none": None, "list": [True, []]},
        {"data": {"application/json": {"1": {"2": [[]]}}}},
        {"bytes": b"png"},
        {1: "a number for a key"},
        ["\udc80 of a byte that is no text"],
    ],
)
def test_what_is_packed_reads_the_same(part: Any) -> None:
    assert json_unpacker(pack(part)) == json_unpacker(json_packer(part))
    assert unpack(pack(part)) == json_unpacker(json_packer(part))


class Name(str):
    """A text of a class of its own, as libraries have them."""


def test_a_text_of_its_own_class_is_a_text() -> None:
    assert unpack(pack({"name": Name("abc")})) == {"name": "abc"}


@pytest.mark.parametrize("data", [b'{"\\ud83d": ["a\\ud83db", NaN]}', '["\\ud83d"]'])
def test_what_was_received_can_be_sent(data: bytes | str) -> None:
    assert "\ufffd" in pack(unpack(data)).decode()


@pytest.mark.parametrize("part", [{"a\ud83db": ["\ude00"]}, ["\ud800", b"png", {1: float("nan")}]])
def test_lone_surrogates_cost_no_message(part: Any) -> None:
    assert "\ufffd" in pack(part).decode()


def test_halves_that_belong_together_are_joined() -> None:
    assert unpack(pack(["\ud83d\ude00 \ud83d"])) == ["😀 \ufffd"]


def test_a_date_names_its_moment() -> None:
    moment = datetime(2026, 1, 31, 12, tzinfo=UTC)
    (packed,) = unpack(pack([moment]))
    assert datetime.fromisoformat(packed) == moment


def test_what_is_no_json_is_refused() -> None:
    with pytest.raises(ValueError, match="line 1"):
        unpack(b"{")


def test_a_format_that_was_configured_stays() -> None:
    session = Session(packer="pickle", unpacker="pickle")
    before = session.pack
    speed_up(session)
    assert session.pack is before
    plain = Session()
    speed_up(plain)
    assert plain.pack is pack
