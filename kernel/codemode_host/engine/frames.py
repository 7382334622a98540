"""The seam between the host and an engine: the frames of one worker's socket.

An engine is a program that speaks these frames. It is started with one connected stream socket,
hardens itself, sends `READY`, receives one `START`, runs that one cell and ends. Nothing else of
an engine is known to the host, and a worker knows nothing of sessions, observations or the wire.

A frame is ``u32 length | u8 kind | u32 id | payload``, little-endian; `length` counts the payload
alone. Payloads are UTF-8 JSON text unless said otherwise. `id` is 0 where the table names none.

==========  =========  ===========  ==========================================================
kind        direction  id           payload
==========  =========  ===========  ==========================================================
START       to worker  0            {"source", "tools": JSON text of [{"name", "description"}],
                                    "stored": {key: JSON text}, "catchable_exit": bool,
                                    "heap_bytes"?: int}; `name` is the callable identifier, order
                                    and clashes as in `enabled_tools`; `heap_bytes` is below the
                                    engine's own limit
RESULT      to worker  call number  the JSON value a tool call resolves with
FAILURE     to worker  call number  a JSON string, what the tool call rejects with
READY       to host    0            {"pid": int, "layers": {layer name: "active" | reason}}
BEGUN       to host    0            empty: all is set up and the script is about to run
ITEM        to host    0            one content item, as on the wire ({"type": "input_text", ...})
CALL        to host    call number  JSON [tool index, input]; numbers count from 1, `tool index`
                                    points into START's list, absent input is null
STORE       to host    0            JSON [key, JSON text of the value]
NOTIFY      to host    0            a JSON string of at most `MAX_NOTIFY_BYTES`
YIELD       to host    0            empty: `yield_control()` was called
DONE        to host    0            null, or a JSON string: the script's error text
==========  =========  ===========  ==========================================================

Whatever a worker sends is untrusted: the host checks lengths, kinds, JSON, shapes and call
numbers, and kills a worker that breaks a rule. Frames that follow `DONE` are ignored.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from enum import IntEnum

from codemode_host.engine.errors import FrameError

HEADER = struct.Struct("<IBI")

MAX_PAYLOAD_BYTES = 128 * 1024 * 1024
"""Longest payload either side accepts: above the wire's 64 MiB, so that its own error can speak."""

MAX_NOTIFY_BYTES = 63 * 1024 * 1024
"""Longest `NOTIFY`: what fits one frame of the wire. Nobody answers it, so its worker refuses more."""


class Kind(IntEnum):
    """Kinds of frames; values below 16 go to the worker, the others to the host."""

    START = 1
    RESULT = 2
    FAILURE = 3
    READY = 16
    ITEM = 17
    CALL = 18
    STORE = 19
    NOTIFY = 20
    YIELD = 21
    DONE = 22
    BEGUN = 23


def encode(kind: int, number: int = 0, payload: bytes = b"") -> bytes:
    """One frame, ready for the socket."""
    return HEADER.pack(len(payload), kind, number) + payload


class FrameReader:
    """Cuts a byte stream into frames; sans-I/O.

    Raises `FrameError` as soon as a header announces a payload above `max_payload`, before any
    memory is set aside for it.
    """

    def __init__(self, max_payload: int = MAX_PAYLOAD_BYTES) -> None:
        self._buffer = bytearray()
        self._max_payload = max_payload

    def feed(self, data: bytes) -> Iterator[tuple[int, int, bytes]]:
        """Add `data` and give every complete frame as (kind, id, payload)."""
        buffer = self._buffer
        if buffer:
            buffer += data
            data = b""
        source = data or buffer  # the usual read begins with a frame: nothing is to be joined
        size, start = len(source), 0
        try:
            while size - start >= HEADER.size:
                length, kind, number = HEADER.unpack_from(source, start)
                if length > self._max_payload:
                    raise FrameError(f"frame payload of {length} bytes exceeds {self._max_payload}")
                body = start + HEADER.size
                if size - body < length:
                    break
                start = body + length
                payload = data[body:start] if data else bytes(memoryview(buffer)[body:start])
                yield kind, number, payload
        finally:
            if data:
                buffer += data[start:]
            else:
                del buffer[:start]
