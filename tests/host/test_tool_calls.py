"""Nested tool calls and notifications between a worker and the client (contract 8, 9.5)."""

import pytest
from codemode_host import delegates
from codemode_host.engine.frames import MAX_NOTIFY_BYTES, Kind

from tests.host.stage import Stage


def running(stage: Stage) -> Stage:
    stage.execute()
    stage.sent()
    stage.told()
    return stage


def test_a_call_goes_out_and_its_result_comes_back_unparsed(stage: Stage) -> None:
    running(stage).call(1, {"z": 1, "a": [1.50, "é"]}, tool=1)
    assert stage.sent() == ['call 1: tool-1 u({"z": 1, "a": [1.5, "\\u00e9"]})']
    stage.answer(1, {"z": 1e2, "a": None})
    assert stage.told() == ['1 RESULT 1 {"z": 100.0, "a": null}']


def test_calls_settle_in_the_order_of_their_answers(stage: Stage) -> None:
    running(stage)
    for number in (1, 2, 3):
        stage.call(number)
    stage.answer(3, "c")
    stage.fail(1, "no such file")
    stage.answer(2, "b")
    assert stage.told() == ['1 RESULT 3 "c"', '1 FAILURE 1 "no such file"', '1 RESULT 2 "b"']


def test_an_answer_of_the_wrong_kind_rejects_the_call(stage: Stage) -> None:
    running(stage).call(1)
    stage.delivered(1)
    assert stage.told() == ['1 FAILURE 1 "code-mode client returned an invalid tool result"']


def test_answers_to_unknown_finished_and_cancelled_calls_are_ignored(stage: Stage) -> None:
    running(stage).call(1)
    stage.call(2)
    stage.answer(1)
    stage.answer(1, "again")
    stage.answer(99)
    stage.done()
    stage.told()
    stage.answer(2)
    assert stage.told() == []


def test_delegate_ids_are_numbered_over_all_cells(stage: Stage) -> None:
    running(stage)
    stage.execute()
    stage.sent()
    stage.call(1, cell="1")
    stage.notify("n", cell="2")
    stage.call(1, cell="2")
    assert stage.sent() == [
        "call 1: tool-1 t(null)",
        "notify 2: n",
        "call 3: tool-1 t(null)",
    ]


def test_an_argument_that_fits_no_frame_rejects_the_call(stage: Stage) -> None:
    running(stage)
    stage.frame(Kind.CALL, b'[0,"%s"]' % (b"x" * 68_000_000), 1)
    stage.call(2)
    told = stage.told()
    assert len(told) == 1
    assert "exceeds the IPC frame limit: code-mode IPC frame length" in told[0]
    assert stage.sent() == ["call 1: tool-2 t(null)"]


def test_a_notification_that_fits_no_frame_is_not_lost_without_a_word(stage: Stage) -> None:
    running(stage).frame(Kind.NOTIFY, b'"%s"' % (b"x" * MAX_NOTIFY_BYTES))
    (told, closed) = stage.sent()
    assert f"notification of {MAX_NOTIFY_BYTES + 2} bytes exceeds {MAX_NOTIFY_BYTES}" in told
    assert closed == "closed 1"


class TestBursts:
    """The client has at most 1,024 calls at a time; the others wait."""

    def test_further_calls_go_out_as_answers_come_in(self, stage: Stage) -> None:
        running(stage)
        for number in range(1, 1501):
            stage.call(number)
        assert len(stage.sent()) == delegates.MAX_PENDING == 1024
        stage.answer(7)
        assert stage.sent() == ["call 1025: tool-1025 t(null)"]
        for number in range(1, 1501):
            stage.answer(number)
        assert len(stage.told()) == 1500
        stage.done()
        assert stage.sent()[-2:] == ["2 completed []", "closed 1"]

    def test_calls_that_never_went_out_are_not_cancelled_at_the_client(self, stage: Stage) -> None:
        running(stage)
        for number in range(1, 1501):
            stage.call(number)
        stage.sent()
        stage.done()
        assert len(stage.sent()) == 1024 + 2
        stage.execute()
        stage.call(1, cell="2")
        assert stage.sent()[-1] == "call 1501: tool-1 t(null)"

    def test_waiting_calls_of_another_cell_go_out_when_a_cell_ends(self, stage: Stage) -> None:
        running(stage)
        stage.execute()
        for number in range(1, 1025):
            stage.call(number, cell="1")
        stage.notify("n", cell="2")
        stage.sent()
        stage.done(cell="1")
        assert stage.sent()[1024:] == ["notify 1025: n", "2 completed []", "closed 1"]

    def test_too_many_waiting_calls_are_called_a_crowd(self, stage: Stage) -> None:
        running(stage)
        for number in range(1, 1024 + delegates.MAX_WAITING + 1):
            stage.call(number)
        assert not stage.connection.delegates.crowded
        stage.call(1024 + delegates.MAX_WAITING + 1)
        assert stage.connection.delegates.crowded
        stage.answer(1)
        assert not stage.connection.delegates.crowded

    @pytest.mark.slow
    def test_so_are_too_many_waiting_bytes(self, stage: Stage) -> None:
        running(stage)
        for number in range(1, 1025):
            stage.call(number)
        stage.call(1025, "x" * 40_000_000)
        assert not stage.connection.delegates.crowded
        stage.call(1026, "x" * 40_000_000)
        assert stage.connection.delegates.crowded
        stage.done()
        assert not stage.connection.delegates.crowded
