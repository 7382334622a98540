"""Encoding and strict decoding of whole messages (contract 11.1)."""

from __future__ import annotations

import msgspec

from codemode_host.errors import ProtocolError
from codemode_host.raw_json import check_unique_keys, check_utf8
from codemode_host.wire.from_client import ClientMessage, DelegateResponse
from codemode_host.wire.from_host import HostMessage

_encoder = msgspec.json.Encoder()
_client_messages: msgspec.json.Decoder[ClientMessage] = msgspec.json.Decoder(ClientMessage)
_host_messages: msgspec.json.Decoder[HostMessage] = msgspec.json.Decoder(HostMessage)


def encode(message: ClientMessage | HostMessage) -> bytes:
    """The JSON payload of one frame."""
    return _encoder.encode(message)


def decode_client_message(payload: bytes) -> ClientMessage:
    """Decode what a client sent; raises `ProtocolError`."""
    try:
        check_utf8(payload)
        message = _client_messages.decode(payload)
        # A compact message in its shortest form repeats no field; only others are looked at again.
        # Nested answers are not: they are the hot path, and repetition in a result is legal.
        if not isinstance(message, DelegateResponse) and len(encode(message)) != len(payload):
            check_unique_keys(payload)
        return message
    except (ValueError, RecursionError) as error:
        raise ProtocolError(f"failed to decode code-mode IPC frame: {error}") from error


def decode_host_message(payload: bytes) -> HostMessage:
    """Decode what a host sent; raises `ProtocolError`."""
    try:
        check_utf8(payload)
        return _host_messages.decode(payload)
    except (ValueError, RecursionError) as error:
        raise ProtocolError(f"failed to decode code-mode IPC frame: {error}") from error
