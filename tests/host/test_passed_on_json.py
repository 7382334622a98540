"""Tool results go to the worker unparsed, so what would break a reader is refused here."""

import pytest
from codemode_host.errors import ProtocolError
from codemode_host.wire import (
    ClientMessage,
    DelegateOk,
    DelegateResponse,
    ToolResult,
    decode_client_message,
)


def decode(result: bytes) -> ClientMessage:
    return decode_client_message(
        b'{"type":"delegate/response","id":1,"result":'
        b'{"status":"ok","value":{"type":"tool/result","result":' + result + b"}}}"
    )


@pytest.mark.parametrize(
    "result",
    [
        b"null",
        b'{"a":1,"a":2}',
        b"1e400",
        b"-0",
        b"[" * 500 + b"]" * 500,
        '"é😀"'.encode(),
    ],
)
def test_it_stays_as_it_is(result: bytes) -> None:
    message = decode(result)
    assert isinstance(message, DelegateResponse)
    assert isinstance(message.result, DelegateOk)
    assert isinstance(message.result.value, ToolResult)
    assert bytes(message.result.value.result) == result


@pytest.mark.parametrize(
    "result",
    [
        b'"\\ud800"',
        b'{"\\udc00":1}',
        b'"\xff"',
        b'"\xed\xa0\x80"',
        b"NaN",
        b"",
    ],
)
def test_what_no_strict_reader_takes_is_fatal(result: bytes) -> None:
    with pytest.raises(ProtocolError):
        decode(result)
