"""Type and size of an image, read from its first bytes.

A script may label image data as it likes (`view_image` of the reference says
`application/octet-stream`), but a notebook shows an image only under its true type.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass


@dataclass(frozen=True)
class ImageHeader:
    """What the first bytes of an image say."""

    mime: str
    size: tuple[int, int] | None
    """Width and height in pixels; None where they could not be read."""


def read_image_header(data: bytes) -> ImageHeader | None:
    """The header of PNG, JPEG, GIF or WebP data; None for anything else."""
    for magic, mime, size in _FORMATS:
        if data.startswith(magic):
            try:
                return ImageHeader(mime, size(data))
            except struct.error:
                return ImageHeader(mime, None)
    if data[:4] == b"RIFF" and data[8:12] == b"WEBP":
        return ImageHeader("image/webp", _webp_size(data))
    return None


def _png_size(data: bytes) -> tuple[int, int]:
    width, height = struct.unpack_from(">II", data, 16)
    return width, height


def _gif_size(data: bytes) -> tuple[int, int]:
    width, height = struct.unpack_from("<HH", data, 6)
    return width, height


def _jpeg_size(data: bytes) -> tuple[int, int] | None:
    """Walks the segments to the frame header (SOF0 to SOF15 without DHT, JPG and DAC)."""
    at = 2
    while at + 9 <= len(data) and data[at] == 0xFF:
        marker = data[at + 1]
        if 0xC0 <= marker <= 0xCF and marker not in (0xC4, 0xC8, 0xCC):
            height, width = struct.unpack_from(">HH", data, at + 5)
            return width, height
        at += 2 + int(struct.unpack_from(">H", data, at + 2)[0])
    return None


def _webp_size(data: bytes) -> tuple[int, int] | None:
    chunk = data[12:16]
    if chunk == b"VP8X" and len(data) >= 30:
        return (
            1 + int.from_bytes(data[24:27], "little"),
            1 + int.from_bytes(data[27:30], "little"),
        )
    if chunk == b"VP8L" and len(data) >= 25:
        bits = int.from_bytes(data[21:25], "little")
        return 1 + (bits & 0x3FFF), 1 + (bits >> 14 & 0x3FFF)
    if chunk == b"VP8 " and len(data) >= 30:
        width, height = struct.unpack_from("<HH", data, 26)
        return width & 0x3FFF, height & 0x3FFF
    return None


_FORMATS = (
    (b"\x89PNG\r\n\x1a\n", "image/png", _png_size),
    (b"\xff\xd8\xff", "image/jpeg", _jpeg_size),
    (b"GIF8", "image/gif", _gif_size),
)
