"""The messages of the channel, and how they are cut out of a byte stream.

A message is ``u32 length | JSON object``, little-endian; `type` says which one it is. Values of
tools travel as raw JSON text, written once by the side they come from.
"""

from __future__ import annotations

import json
import struct
from collections.abc import Iterator
from typing import Any, Literal

import msgspec

from toolbridge.tools import Annotations, Kind, Tool

LENGTH = struct.Struct("<I")

MAX_BYTES = 64 * 1024 * 1024
"""Longest message either side accepts, as on the wire to the host."""


Stream = Literal["stdout", "stderr"]


class ChannelError(ValueError):
    """The peer sent bytes that are no message of this channel."""


class Message(msgspec.Struct, frozen=True, tag_field="type", forbid_unknown_fields=True):
    """Any message."""


class Call(Message, frozen=True, tag="call"):
    """To the process: call the tool of the raw name `tool`; `arguments` as a script passed them."""

    id: int
    tool: str
    arguments: msgspec.Raw


class Cancel(Message, frozen=True, tag="cancel"):
    """To the process: nobody waits for this call any more. It is settled all the same."""

    id: int


class Sync(Message, frozen=True, tag="sync"):
    """To the process: answer with `Synced` once everything older was sent."""

    number: int


class Definition(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A tool as it is announced: the fields of `toolbridge.tools.Tool` of the same names."""

    name: str
    namespace: str | None
    kind: Kind
    description: str
    input_schema: dict[str, Any] | bool | None
    output_schema: dict[str, Any] | bool | None
    annotations: Annotations

    @classmethod
    def of(cls, tool: Tool) -> Definition:
        """What is announced of `tool`."""
        return cls(**{name: getattr(tool, name) for name in cls.__struct_fields__})

    def tool(self, source: str) -> Tool:
        """The tool, as one of `source`."""
        fields = {name: getattr(self, name) for name in self.__struct_fields__}
        return Tool(source=source, **fields)


class Ready(Message, frozen=True, tag="ready"):
    """From the process: it can run code and take calls. `pid` is its process (group) id."""

    pid: int


class Tools(Message, frozen=True, tag="tools"):
    """From the process: these are its tools now, all of them."""

    tools: tuple[Definition, ...]


class Result(Message, frozen=True, tag="result"):
    """From the process: the call has this value."""

    id: int
    value: msgspec.Raw


class Failure(Message, frozen=True, tag="failure"):
    """From the process: the call failed; `message` is what a script gets to read."""

    id: int
    message: str
    refused: bool = False
    """The function was not reached."""


class Progressed(Message, frozen=True, tag="progressed"):
    """From the process: a call says how far it is; the fields of `toolbridge.calls.Progress`."""

    id: int
    done: float
    total: float | None
    message: str | None


class Printed(Message, frozen=True, tag="printed"):
    """From the process: a call wrote this text to a standard stream."""

    id: int
    stream: Stream
    text: str


class Displayed(Message, frozen=True, tag="displayed"):
    """From the process: a call displayed something; `content` as in Jupyter's `display_data`."""

    id: int
    update: bool
    content: dict[str, Any]


class Synced(Message, frozen=True, tag="synced"):
    """From the process: the answer to `Sync`."""

    number: int


ToProcess = Call | Cancel | Sync
FromProcess = Ready | Tools | Result | Failure | Progressed | Printed | Displayed | Synced


def raw(text: bytes) -> msgspec.Raw:
    """JSON text as a value of a message. Not checked: who wrote it has made sure of it."""
    return msgspec.Raw(text)


_encoder = msgspec.json.Encoder()


def encode(message: Message) -> bytes:
    """One message, ready for the socket; a lone surrogate in its texts becomes a question mark.

    Raises `ChannelError` when it is too long.
    """
    try:
        body = _encoder.encode(message)
    except UnicodeEncodeError:
        plain = json.dumps(msgspec.to_builtins(message), ensure_ascii=False)
        body = plain.encode("utf-8", "replace")
    if len(body) > MAX_BYTES:
        raise ChannelError(f"message of {len(body)} bytes exceeds {MAX_BYTES}")
    return LENGTH.pack(len(body)) + body


class MessageReader:
    """Cuts a byte stream into messages of the given kinds; sans-I/O.

    Raises `ChannelError` for a length above `MAX_BYTES`, before the bytes are there, and for
    anything that is not one of the expected messages.
    """

    def __init__(self, kinds: Any) -> None:
        self._decoder = msgspec.json.Decoder(kinds)
        self._buffer = bytearray()

    def feed(self, data: bytes) -> Iterator[Any]:
        """Add `data` and give every complete message."""
        self._buffer += data
        start = 0
        try:
            while len(self._buffer) - start >= LENGTH.size:
                (length,) = LENGTH.unpack_from(self._buffer, start)
                if length > MAX_BYTES:
                    raise ChannelError(f"message of {length} bytes exceeds {MAX_BYTES}")
                body = start + LENGTH.size
                if len(self._buffer) - body < length:
                    break
                start = body + length
                yield self._decode(bytes(memoryview(self._buffer)[body:start]))
        finally:
            del self._buffer[:start]

    def _decode(self, body: bytes) -> Any:
        try:
            return self._decoder.decode(body)
        except (msgspec.DecodeError, msgspec.ValidationError) as error:
            raise ChannelError(f"not a message of this channel: {error}") from None
