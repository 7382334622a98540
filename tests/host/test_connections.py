"""The handshake and the ids of requests (contract 11.2, 11.5, 11.7)."""

import pytest
from codemode_host import requests
from codemode_host.errors import ProtocolError
from codemode_host.recent import REMEMBERED_IDS, Recent

from tests.host.stage import Stage

LIMITS = "session-cell-execution-resource-limits"


@pytest.mark.parametrize(
    "required,optional,answer",
    [
        ([], [], ["ready 1 []"]),
        ([], ["no-such"], ["ready 1 []"]),
        ([], ["yield-observation", LIMITS, "x"], [f"ready 1 ['{LIMITS}', 'yield-observation']"]),
        (["content-stream-v1"], [], ["ready 1 ['content-stream-v1']"]),
        (["yield-observation"], ["a"], ["ready 1 ['yield-observation']"]),
        (["b", "a"], [], ["rejected MissingRequiredCapability", "hang up"]),
        (["bounded-output-v1"], [], ["rejected MissingRequiredCapability", "hang up"]),
    ],
)
def test_capabilities(required: list[str], optional: list[str], answer: list[str]) -> None:
    stage = Stage(opened=False)
    stage.hello(optional, required)
    assert stage.sent() == answer


@pytest.mark.parametrize(
    "versions,answer",
    [
        ([1], ["ready 1 []"]),
        ([3, 1, 2], ["ready 1 []"]),
        ([2], ["rejected NoCompatibleVersion", "hang up"]),
        ([2**32 - 1], ["rejected NoCompatibleVersion", "hang up"]),
    ],
)
def test_versions(versions: list[int], answer: list[str]) -> None:
    stage = Stage(opened=False)
    stage.receive(
        {
            "type": "connection/hello",
            "supportedVersions": versions,
            "requiredCapabilities": [],
            "optionalCapabilities": [],
        }
    )
    assert stage.sent() == answer


@pytest.mark.parametrize(
    "message",
    [
        {"type": "operation/cancel", "id": 1},
        {
            "type": "operation/request",
            "id": 1,
            "request": {"method": "session/open", "sessionId": "s"},
        },
        {"type": "delegate/response", "id": 1, "result": {"status": "error", "message": "x"}},
    ],
)
def test_anything_else_comes_after_the_hello(message: dict[str, object]) -> None:
    stage = Stage(opened=False)
    stage.receive(message)
    assert stage.sent() == ["rejected InvalidHello", "hang up"]


def test_a_second_hello_is_fatal(stage: Stage) -> None:
    with pytest.raises(ProtocolError, match="received a second code-mode client hello"):
        stage.hello()


def test_the_id_of_a_request_in_flight_is_fatal(stage: Stage) -> None:
    stage.execute()
    stage.last_request -= 1
    with pytest.raises(ProtocolError, match="duplicate code-mode request ID 2"):
        stage.wait()


def test_the_id_of_an_answered_request_is_fatal(stage: Stage) -> None:
    stage.last_request -= 1
    with pytest.raises(ProtocolError, match="duplicate code-mode request ID 1"):
        stage.open("other")


def test_the_id_of_a_cancel_is_not_taken_by_it(stage: Stage) -> None:
    stage.cancel(2)
    stage.open("other")
    assert stage.sent() == ["2 session other ready"]


def test_ids_are_remembered_for_a_while() -> None:
    recent: Recent[int] = Recent()
    for value in range(REMEMBERED_IDS + 1):
        recent.add(value)
    assert REMEMBERED_IDS == 4096
    assert 0 not in recent
    assert 1 in recent
    assert REMEMBERED_IDS in recent


def test_requests_in_flight_are_bounded(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(requests, "MAX_IN_FLIGHT", 2)
    stage.execute()
    stage.execute()
    stage.open("other")
    stage.done(cell="1")
    stage.open("another")
    assert stage.sent()[2:] == [
        "4 refused: code-mode host has too many in-flight requests",
        "2 completed []",
        "closed 1",
        "5 session another ready",
    ]
