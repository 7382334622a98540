"""The messages of protocol V1 that a host sends: their exact shape, and nothing but it (contract 11)."""

import json
from typing import Any

import pytest
from codemode_host.errors import ProtocolError
from codemode_host.wire import (
    AudioItem,
    CellClosed,
    CellContent,
    DelegateCancel,
    DelegateRequest,
    ExecutionStarted,
    Failure,
    HostMessage,
    ImageItem,
    InitialOk,
    InitialResponse,
    InvalidHello,
    Invocation,
    MissingRequiredCapability,
    NoCompatibleVersion,
    NotificationSend,
    OperationOk,
    OperationResponse,
    Ready,
    Rejected,
    Result,
    RuntimeResponse,
    SessionClosed,
    SessionReady,
    Terminated,
    TextItem,
    ToolInvoke,
    ToolName,
    WaitCompleted,
    WaitOutcome,
    Yielded,
    decode_host_message,
    encode,
)
from msgspec import Raw

REFUSED = r"^failed to decode code-mode IPC frame: "

RESULT = Result("1", [TextItem("a")], 5, None, 0)
RESULT_JSON = {
    "cell_id": "1",
    "content_items": [{"type": "input_text", "text": "a"}],
    "code_mode_host_duration_ns": 5,
    "error_text": None,
    "result_buffered_for_ns": 0,
}
HOST_MESSAGES: list[tuple[HostMessage, dict[str, Any]]] = [
    (
        Ready(1, ["a"]),
        {"type": "connection/ready", "selectedVersion": 1, "capabilities": ["a"]},
    ),
    (
        Rejected(NoCompatibleVersion([1])),
        {
            "type": "connection/rejected",
            "reason": {"type": "noCompatibleVersion", "supportedVersions": [1]},
        },
    ),
    (
        Rejected(MissingRequiredCapability("a")),
        {
            "type": "connection/rejected",
            "reason": {"type": "missingRequiredCapability", "capability": "a"},
        },
    ),
    (
        Rejected(InvalidHello("m")),
        {"type": "connection/rejected", "reason": {"type": "invalidHello", "message": "m"}},
    ),
    (
        OperationResponse(1, OperationOk(SessionReady("s"))),
        {
            "type": "operation/response",
            "id": 1,
            "result": {"status": "ok", "value": {"type": "session/ready", "sessionId": "s"}},
        },
    ),
    (
        OperationResponse(1, OperationOk(ExecutionStarted("1"))),
        {
            "type": "operation/response",
            "id": 1,
            "result": {"status": "ok", "value": {"type": "execution/started", "cellId": "1"}},
        },
    ),
    (
        OperationResponse(1, OperationOk(SessionClosed("s"))),
        {
            "type": "operation/response",
            "id": 1,
            "result": {"status": "ok", "value": {"type": "session/closed", "sessionId": "s"}},
        },
    ),
    (
        OperationResponse(1, Failure("m")),
        {"type": "operation/response", "id": 1, "result": {"status": "error", "message": "m"}},
    ),
    (
        OperationResponse(
            1, OperationOk(WaitCompleted(WaitOutcome(live_cell=RuntimeResponse(result=RESULT))))
        ),
        {
            "type": "operation/response",
            "id": 1,
            "result": {
                "status": "ok",
                "value": {
                    "type": "wait/completed",
                    "outcome": {"LiveCell": {"Result": RESULT_JSON}},
                },
            },
        },
    ),
    (
        OperationResponse(
            1, OperationOk(WaitCompleted(WaitOutcome(missing_cell=RuntimeResponse(result=RESULT))))
        ),
        {
            "type": "operation/response",
            "id": 1,
            "result": {
                "status": "ok",
                "value": {
                    "type": "wait/completed",
                    "outcome": {"MissingCell": {"Result": RESULT_JSON}},
                },
            },
        },
    ),
    (
        InitialResponse(1, InitialOk(RuntimeResponse(yielded=Yielded("1", [], 5, 7)))),
        {
            "type": "execute/initialResponse",
            "id": 1,
            "result": {
                "status": "ok",
                "value": {
                    "Yielded": {
                        "cell_id": "1",
                        "content_items": [],
                        "code_mode_host_duration_ns": 5,
                        "content_seq": 7,
                    }
                },
            },
        },
    ),
    (
        InitialResponse(1, InitialOk(RuntimeResponse(terminated=Terminated("1", [], 5)))),
        {
            "type": "execute/initialResponse",
            "id": 1,
            "result": {
                "status": "ok",
                "value": {
                    "Terminated": {
                        "cell_id": "1",
                        "content_items": [],
                        "code_mode_host_duration_ns": 5,
                    }
                },
            },
        },
    ),
    (
        DelegateRequest(
            3,
            "s",
            ToolInvoke(
                Invocation("1", "tool-1", ToolName("n", "ns"), "freeform", Raw(b'{"z":1,"a":[]}'))
            ),
        ),
        {
            "type": "delegate/request",
            "id": 3,
            "sessionId": "s",
            "request": {
                "type": "tool/invoke",
                "invocation": {
                    "cell_id": "1",
                    "runtime_tool_call_id": "tool-1",
                    "tool_name": {"name": "n", "namespace": "ns"},
                    "tool_kind": "freeform",
                    "input": {"z": 1, "a": []},
                },
            },
        },
    ),
    (
        DelegateRequest(3, "s", NotificationSend("c", "1", "t")),
        {
            "type": "delegate/request",
            "id": 3,
            "sessionId": "s",
            "request": {"type": "notification/send", "callId": "c", "cellId": "1", "text": "t"},
        },
    ),
    (DelegateCancel(3), {"type": "delegate/cancel", "id": 3}),
    (CellClosed("s", "1"), {"type": "cell/closed", "sessionId": "s", "cellId": "1"}),
    (
        CellContent(
            "s", "1", 4, [TextItem("a"), ImageItem("u", "high"), ImageItem("u"), AudioItem("v")]
        ),
        {
            "type": "cell/content",
            "sessionId": "s",
            "cellId": "1",
            "seq": 4,
            "items": [
                {"type": "input_text", "text": "a"},
                {"type": "input_image", "image_url": "u", "detail": "high"},
                {"type": "input_image", "image_url": "u"},
                {"type": "input_audio", "audio_url": "v"},
            ],
        },
    ),
]


@pytest.mark.parametrize("message,expected", HOST_MESSAGES, ids=lambda value: type(value).__name__)
def test_what_a_host_says(message: HostMessage, expected: dict[str, Any]) -> None:
    assert json.loads(encode(message)) == expected


@pytest.mark.parametrize("message,expected", HOST_MESSAGES, ids=lambda value: type(value).__name__)
def test_a_client_reads_it_as_strictly(message: HostMessage, expected: dict[str, Any]) -> None:
    assert encode(decode_host_message(encode(message))) == encode(message)
    with pytest.raises(ProtocolError, match=REFUSED):
        decode_host_message(json.dumps({**expected, "bogus": 1}).encode())


@pytest.mark.parametrize(
    "response",
    [{}, {"Yielded": {}, "Terminated": {}}, {"Result": {"cell_id": "1", "content_items": []}}],
    ids=str,
)
def test_a_response_is_exactly_one_outcome_with_its_duration(response: dict[str, Any]) -> None:
    message = {
        "type": "execute/initialResponse",
        "id": 1,
        "result": {"status": "ok", "value": response},
    }
    with pytest.raises(ProtocolError):
        decode_host_message(json.dumps(message).encode())


def test_a_result_may_leave_out_what_is_null_or_zero() -> None:
    body = {"cell_id": "1", "content_items": [], "code_mode_host_duration_ns": 1}
    message = {
        "type": "execute/initialResponse",
        "id": 1,
        "result": {"status": "ok", "value": {"Result": body}},
    }
    decode_host_message(json.dumps(message).encode())
