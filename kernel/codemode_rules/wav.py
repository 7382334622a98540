"""How long a WAV clip really is, and the rule for clips too short to be heard (contract 9.3).

Measured on the reference: the media type and the lengths that a file declares for itself do not
matter, the bytes that are there do. Only PCM and float are measured. A frame is `block align`
bytes, whatever channels and bits say. Of several `fmt ` chunks the last one before the first
`data` chunk counts.
"""

from __future__ import annotations

import struct
from fractions import Fraction

from codemode_rules.data_url import parse_data_url
from codemode_rules.errors import DataUrlError

SHORTEST_CLIP = Fraction(25, 1000)
"""Seconds; a clip of exactly this length is heard."""
SHORT_CLIP_NOTICE = (
    "Audio output omitted because the clip is shorter than 25 ms; use a longer clip."
)

_RIFF_AS_BASE64 = "UklGR"
"""How the base64 of `RIFF` begins; its last bits share a character with what follows."""
_RIFF_HEADER_BYTES = 12
_CHUNK_HEADER = struct.Struct("<4sI")
_FORMAT = struct.Struct("<HHIIH")
"""Tag, channels, frames a second, bytes a second, block align."""
_MEASURED_TAGS = (1, 3)
_EXTENSIBLE_TAG = 0xFFFE
_SUBFORMAT_OFFSET = 24
_MEASURED_SUBFORMATS = tuple(
    struct.pack("<H", tag) + bytes.fromhex("000000001000800000aa00389b71") for tag in _MEASURED_TAGS
)


def is_too_short(audio_url: str) -> bool:
    """Whether the URL holds a WAV clip that is replaced by `SHORT_CLIP_NOTICE`."""
    seconds = clip_seconds(audio_url)
    return seconds is not None and seconds < SHORTEST_CLIP


def clip_seconds(audio_url: str) -> Fraction | None:
    """Seconds of the WAV clip in a base64 data URL; None for anything that cannot be measured."""
    try:
        url = parse_data_url(audio_url)
        if not url.payload.startswith(_RIFF_AS_BASE64):
            return None  # megabytes of other sounds need not be decoded for that
        data = url.base64_bytes()
    except DataUrlError:
        return None
    return wav_seconds(data)


def wav_seconds(data: bytes) -> Fraction | None:
    """Seconds of a RIFF/WAVE file of PCM or float; None for anything else."""
    if data[:4] != b"RIFF" or data[8:_RIFF_HEADER_BYTES] != b"WAVE":
        return None
    at = _RIFF_HEADER_BYTES
    frames_per_second = frame_bytes = 0
    while at + _CHUNK_HEADER.size <= len(data):
        name, length = _CHUNK_HEADER.unpack_from(data, at)
        at += _CHUNK_HEADER.size
        present = min(length, len(data) - at)
        if name == b"data":
            if not frames_per_second or not frame_bytes:
                return None
            return Fraction(present // frame_bytes, frames_per_second)
        if present < length:
            return None
        if name == b"fmt ":
            frames_per_second, frame_bytes = _measure(data[at : at + length])
        at += length + length % 2
    return None


def _measure(chunk: bytes) -> tuple[int, int]:
    """Frames a second and bytes a frame of a `fmt ` chunk; zeros when it is not measured."""
    if len(chunk) < _FORMAT.size:
        return 0, 0
    tag, _, frames_per_second, _, frame_bytes = _FORMAT.unpack_from(chunk)
    subformat = chunk[_SUBFORMAT_OFFSET : _SUBFORMAT_OFFSET + 16]
    if tag in _MEASURED_TAGS or (tag == _EXTENSIBLE_TAG and subformat in _MEASURED_SUBFORMATS):
        return frames_per_second, frame_bytes
    return 0, 0
