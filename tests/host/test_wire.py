"""The messages of protocol V1 that a client sends: their exact shape, and nothing but it (contract 11)."""

import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from codemode_host.errors import ProtocolError
from codemode_host.wire import U64_MAX, ClientMessage, decode_client_message, encode

REFUSED = r"^failed to decode code-mode IPC frame: "

HELLO = {
    "type": "connection/hello",
    "supportedVersions": [1],
    "requiredCapabilities": [],
    "optionalCapabilities": ["yield-observation"],
}
TOOL = {
    "name": "a",
    "tool_name": {"name": "a", "namespace": None},
    "description": "",
    "kind": "function",
    "input_schema": {"type": "object"},
    "output_schema": None,
}
EXECUTE = {
    "tool_call_id": "c",
    "enabled_tools": [TOOL],
    "source": "text(1)",
    "yield_time_ms": 1,
    "max_output_tokens": 1,
}


def request(method: str, **fields: Any) -> dict[str, Any]:
    return {
        "type": "operation/request",
        "id": 1,
        "request": {"method": method, "sessionId": "s", **fields},
    }


def answer(result: dict[str, Any]) -> dict[str, Any]:
    return {"type": "delegate/response", "id": 1, "result": result}


CLIENT_MESSAGES: dict[str, dict[str, Any]] = {
    "hello": HELLO,
    "open": request(
        "session/open", cellExecutionLimits={"maxYieldTimeMs": 1, "maxHeapSizeBytes": 1}
    ),
    "execute": request("session/execute", request=EXECUTE),
    "wait": request("session/wait", request={"cell_id": "1", "yield_time_ms": 1}),
    "terminate": request("session/terminate", cellId="1"),
    "shutdown": request("session/shutdown"),
    "cancel": {"type": "operation/cancel", "id": 1},
    "yield": {"type": "operation/yield", "id": 1},
    "tool result": answer({"status": "ok", "value": {"type": "tool/result", "result": [1]}}),
    "delivered": answer({"status": "ok", "value": {"type": "notification/delivered"}}),
    "error": answer({"status": "error", "message": "m"}),
}

ANY_JSON = ["input_schema", "output_schema", "result"]
FREE_TEXT = {
    "sessionId",
    "tool_call_id",
    "source",
    "name",
    "namespace",
    "description",
    "cell_id",
    "cellId",
    "message",
}
OPTIONAL = {
    "cellExecutionLimits",
    "maxYieldTimeMs",
    "maxHeapSizeBytes",
    "yield_time_ms",
    "max_output_tokens",
    "namespace",
    "input_schema",
    "output_schema",
}


def decode(message: object) -> ClientMessage:
    return decode_client_message(json.dumps(message).encode())


def objects(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Paths of all objects whose shape is ours to check."""
    if isinstance(value, dict):
        yield path
        for key, member in value.items():
            if key not in ANY_JSON or (key == "result" and isinstance(member, dict)):
                yield from objects(member, (*path, key))
    elif isinstance(value, list):
        for index, member in enumerate(value):
            yield from objects(member, (*path, index))


def member(message: Any, path: tuple[Any, ...]) -> Any:
    for step in path:
        message = message[step]
    return message


def changed(message: Any, path: tuple[Any, ...], /, **change: Any) -> Any:
    """A deep copy of `message` with fields of the object at `path` replaced; `...` removes one."""
    copy = json.loads(json.dumps(message))
    target = member(copy, path)
    target.update(change)
    for key in [key for key, value in change.items() if value is ...]:
        del target[key]
    return copy


EVERY_OBJECT = [
    pytest.param(message, path, id=f"{name}-{'.'.join(map(str, path))}")
    for name, message in CLIENT_MESSAGES.items()
    for path in objects(message)
]
EVERY_FIELD = [
    pytest.param(message, path, key, id=f"{name}-{'.'.join(map(str, (*path, key)))}")
    for name, message in CLIENT_MESSAGES.items()
    for path in objects(message)
    for key in member(message, path)
]


@pytest.mark.parametrize("message", CLIENT_MESSAGES.values(), ids=CLIENT_MESSAGES)
def test_what_a_client_says_is_understood(message: dict[str, Any]) -> None:
    decoded = decode(message)
    assert decode_client_message(encode(decoded)) == decoded


@pytest.mark.parametrize("message,path", EVERY_OBJECT)
def test_an_unknown_field_is_fatal(message: dict[str, Any], path: tuple[Any, ...]) -> None:
    with pytest.raises(ProtocolError, match=REFUSED):
        decode(changed(message, path, bogus=1))


@pytest.mark.parametrize("message,path,key", EVERY_FIELD)
def test_a_missing_field_is_fatal(message: dict[str, Any], path: tuple[Any, ...], key: str) -> None:
    without = changed(message, path, **{key: ...})
    of_wait = "cell_id" in member(message, path)
    if key in OPTIONAL and not of_wait:
        decode(without)
    else:
        with pytest.raises(ProtocolError, match=REFUSED):
            decode(without)


@pytest.mark.parametrize("wrong", [True, {"x": 1}, ["x", {}], 1.5, "no such word"], ids=str)
@pytest.mark.parametrize("message,path,key", EVERY_FIELD)
def test_a_value_of_the_wrong_type_is_fatal(
    message: dict[str, Any], path: tuple[Any, ...], key: str, wrong: object
) -> None:
    other = changed(message, path, **{key: wrong})
    is_text = key in FREE_TEXT and isinstance(wrong, str)
    if is_text or (key in ANY_JSON and (*path, key) != ("result",)):
        decode(other)
    else:
        with pytest.raises(ProtocolError, match=REFUSED):
            decode(other)


def test_optional_fields_may_be_null() -> None:
    execute = {**EXECUTE, "yield_time_ms": None, "max_output_tokens": None}
    decode(request("session/execute", request=execute))
    decode(request("session/open", cellExecutionLimits=None))


@pytest.mark.parametrize(
    "payload",
    [
        b"",
        b"{not json",
        b"[1, 2]",
        b"null",
        b'{"type":"operation/cancel","id":1}x',
        b'{"type":"operation/cancel","id":1,"id":2}',
        b'{"type":"operation/cancel","type":"operation/cancel","id":1}',
        b'\xef\xbb\xbf{"type":"operation/cancel","id":1}',
        b'{"type":"operation/dance","id":1}',
        b'{"type":"delegate/cancel","id":1}',
        b'{"type":"operation/cancel","id":"five"}',
        b'{"type":"operation/cancel","id":1.0}',
        b'{"type":"operation/cancel","id":9223372036854775808}',
        b"[" * 100_000,
    ],
    ids=lambda payload: payload[:40].decode("latin-1"),
)
def test_a_malformed_frame_is_fatal(payload: bytes) -> None:
    with pytest.raises(ProtocolError, match=REFUSED):
        decode_client_message(payload)


@pytest.mark.parametrize("number", [-(2**63), -5, 0, 2**63 - 1])
def test_ids_are_signed_64_bit_integers(number: int) -> None:
    assert decode({"type": "operation/cancel", "id": number}) == decode(
        {"id": number, "type": "operation/cancel"}
    )


@pytest.mark.parametrize(
    "value,accepted", [(0, True), (U64_MAX, True), (-1, False), (U64_MAX + 1, False), (10.0, False)]
)
@pytest.mark.parametrize(
    "message",
    [
        lambda value: request("session/wait", request={"cell_id": "1", "yield_time_ms": value}),
        lambda value: request("session/execute", request={**EXECUTE, "yield_time_ms": value}),
        lambda value: request("session/open", cellExecutionLimits={"maxYieldTimeMs": value}),
        lambda value: request("session/open", cellExecutionLimits={"maxHeapSizeBytes": value}),
    ],
    ids=["wait", "execute", "max yield time", "max heap size"],
)
def test_times_and_sizes_are_unsigned_64_bit_integers(
    message: Callable[[object], object], value: object, accepted: bool
) -> None:
    if accepted:
        decode(message(value))
    else:
        with pytest.raises(ProtocolError):
            decode(message(value))


@pytest.mark.parametrize("budget", [-(2**31), 2**31 - 1])
def test_a_token_budget_is_a_signed_32_bit_integer(budget: int) -> None:
    decode(request("session/execute", request={**EXECUTE, "max_output_tokens": budget}))
    beyond = {**EXECUTE, "max_output_tokens": budget * 2}
    with pytest.raises(ProtocolError):
        decode(request("session/execute", request=beyond))


@pytest.mark.parametrize("blank", ["", " ", "\n\u3000"])
@pytest.mark.parametrize("name", ["open", "execute", "wait", "terminate", "shutdown"])
def test_a_session_id_is_not_blank(name: str, blank: str) -> None:
    with pytest.raises(ProtocolError, match="must not be blank"):
        decode(changed(CLIENT_MESSAGES[name], ("request",), sessionId=blank))


@pytest.mark.parametrize(
    "change",
    [
        {"supportedVersions": []},
        {"supportedVersions": [1, 1]},
        {"supportedVersions": [0, 1]},
        {"supportedVersions": [2**32]},
        {"requiredCapabilities": ["a"], "optionalCapabilities": ["a"]},
        {"optionalCapabilities": ["a", "a"]},
        {"requiredCapabilities": [""]},
        {"optionalCapabilities": [" "]},
    ],
    ids=str,
)
def test_a_hello_that_contradicts_itself_is_fatal(change: dict[str, Any]) -> None:
    with pytest.raises(ProtocolError):
        decode({**HELLO, **change})
