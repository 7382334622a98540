"""Frames of protocol V1: a little-endian u32 length, then that many bytes of UTF-8 JSON.

Sans-I/O: bytes in, payloads out, and back (contract 11.1).
"""

from __future__ import annotations

import struct
from collections.abc import Iterator

from codemode_host.errors import FrameTooLong, ProtocolError

MAX_FRAME_BYTES = 64 * 1024 * 1024
"""Longest payload of a frame, in bytes."""

_LENGTH = struct.Struct("<I")


def frame(payload: bytes) -> bytes:
    """One frame around `payload`; raises `FrameTooLong` above `MAX_FRAME_BYTES`."""
    if len(payload) > MAX_FRAME_BYTES:
        raise FrameTooLong(len(payload), MAX_FRAME_BYTES)
    return _LENGTH.pack(len(payload)) + payload


class FrameReader:
    """Cuts a byte stream into payloads.

    An oversized length is refused as soon as it is announced, before any of its bytes are kept.
    """

    def __init__(self) -> None:
        self._buffer = bytearray()

    def feed(self, data: bytes | memoryview) -> Iterator[bytes]:
        """Add `data` and give every complete payload; raises `FrameTooLong`."""
        buffer = self._buffer
        if buffer:
            buffer += data
            data = b""
        source = data or buffer  # the usual read begins with a frame: nothing is to be joined
        size, start = len(source), 0
        try:
            while size - start >= _LENGTH.size:
                (length,) = _LENGTH.unpack_from(source, start)
                if length > MAX_FRAME_BYTES:
                    raise FrameTooLong(length, MAX_FRAME_BYTES)
                body = start + _LENGTH.size
                if size - body < length:
                    break
                start = body + length
                yield bytes(data[body:start] if data else memoryview(buffer)[body:start])
        finally:
            if data:
                buffer += data[start:]
            else:
                del buffer[:start]

    def end(self) -> None:
        """The stream ended; raises `ProtocolError` when that is inside a frame."""
        if self._buffer:
            raise ProtocolError("code-mode IPC stream ended inside a frame")
