"""How long a WAV clip is. Every answer here was measured on the reference host."""

import struct
from base64 import b64encode
from fractions import Fraction

import pytest
from codemode_rules.wav import clip_seconds, is_too_short, wav_seconds

PCM, FLOAT, ADPCM, EXTENSIBLE = 1, 3, 2, 0xFFFE
SUBFORMAT_TAIL = bytes.fromhex("000000001000800000aa00389b71")


def chunk(name: bytes, data: bytes, declared: int | None = None) -> bytes:
    length = len(data) if declared is None else declared
    return name + struct.pack("<I", length) + data + b"\0" * (len(data) % 2)


def fmt(
    tag: int = PCM, rate: int = 8000, align: int = 1, bits: int = 8, more: bytes = b""
) -> bytes:
    fields = struct.pack("<HHIIHH", tag, 1, rate, rate * align, align, bits)
    return chunk(b"fmt ", fields + more)


def extensible(subformat: bytes) -> bytes:
    return fmt(EXTENSIBLE, more=struct.pack("<HHI", 22, 8, 0) + subformat)


def wav(*chunks: bytes, declared: int | None = None) -> bytes:
    body = b"WAVE" + b"".join(chunks)
    return b"RIFF" + struct.pack("<I", len(body) if declared is None else declared) + body


def silence(frames: int, align: int = 1, declared: int | None = None) -> bytes:
    return chunk(b"data", b"\0" * (frames * align), declared)


SHORT = {
    "one frame too few": wav(fmt(), silence(199)),
    "a rate that 25 ms does not divide": wav(fmt(rate=30870), silence(771)),
    "the declared data length is a lie": wav(fmt(), silence(100, declared=2**32 - 1)),
    "the declared data length is less than there is": wav(fmt(), silence(200, declared=100)),
    "the declared file length is a lie": wav(fmt(), silence(100), declared=0),
    "no frame at all": wav(fmt(), silence(0)),
    "a chunk before the data": wav(fmt(), chunk(b"LIST", b"abc"), silence(100)),
    "the first data chunk counts": wav(fmt(), silence(100), silence(1000)),
    "the last format before the data counts": wav(fmt(rate=800), fmt(), silence(100)),
    "a format of 14 bytes": wav(
        chunk(b"fmt ", struct.pack("<HHIIH", PCM, 1, 8000, 8000, 1)), silence(100)
    ),
    "the block align is a frame, whatever the bits say": wav(fmt(align=4), silence(199, 4)),
    "a part of a frame does not count": wav(fmt(align=2), chunk(b"data", b"\0" * 399)),
    "float": wav(fmt(FLOAT, align=4, bits=32), silence(199, 4)),
    "extensible PCM": wav(extensible(struct.pack("<H", PCM) + SUBFORMAT_TAIL), silence(100)),
    "extensible float": wav(extensible(struct.pack("<H", FLOAT) + SUBFORMAT_TAIL), silence(100)),
}
HEARD = {
    "exactly 25 ms": wav(fmt(), silence(200)),
    "another encoding": wav(fmt(ADPCM), silence(100)),
    "extensible ADPCM": wav(extensible(struct.pack("<H", ADPCM) + SUBFORMAT_TAIL), silence(100)),
    "a subformat of somebody else": wav(extensible(struct.pack("<H", PCM) + b"\0" * 14)),
    "no format": wav(silence(100)),
    "the data before the format": wav(silence(100), fmt()),
    "no data": wav(fmt()),
    "no rate": wav(fmt(rate=0), silence(100)),
    "no block align": wav(fmt(align=0), silence(100)),
    "a format that is cut off": wav(fmt())[:30],
    "a format that reaches past the end": wav(chunk(b"fmt ", b"\0" * 16, 1000), silence(100)),
    "big endian": b"RIFX" + wav(fmt(), silence(100))[4:],
    "no WAVE": wav(fmt(), silence(100)).replace(b"WAVE", b"AVI "),
    "nothing": b"",
}


def url(data: bytes, header: str = "data:audio/wav;base64") -> str:
    return f"{header},{b64encode(data).decode()}"


@pytest.mark.parametrize("data", SHORT.values(), ids=SHORT)
def test_a_clip_under_25_ms_is_too_short(data: bytes) -> None:
    assert is_too_short(url(data))


@pytest.mark.parametrize("data", HEARD.values(), ids=HEARD)
def test_a_longer_clip_and_one_that_cannot_be_measured_are_heard(data: bytes) -> None:
    assert not is_too_short(url(data))


@pytest.mark.parametrize(
    "header", ["data:image/png;base64", "data:;base64", "DATA:audio/mpeg;x=1;BASE64"]
)
def test_the_media_type_does_not_matter(header: str) -> None:
    assert is_too_short(url(wav(fmt(), silence(100)), header))


def test_only_base64_is_measured() -> None:
    percent = "".join(f"%{byte:02x}" for byte in wav(fmt(), silence(100)))
    assert clip_seconds(f"data:audio/wav,{percent}") is None
    assert clip_seconds("https://example.com/a.wav") is None


def test_length_is_exact() -> None:
    assert wav_seconds(wav(fmt(rate=44_100), silence(1102))) == Fraction(1102, 44_100)
