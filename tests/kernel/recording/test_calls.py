"""The nested calls of a record."""

from typing import Any

import msgspec
import pytest
from codemode_kernel.record import LIMIT, ApprovalDecision
from codemode_kernel.recording.calls import CALLS_BYTES, Detail, RecordedCalls
from codemode_kernel.recording.excerpt import json_bytes
from codemode_kernel.session.calls import Call, CallOutcome
from codemode_kernel.session.fates import Fate
from msgspec import UNSET

from toolbridge import Approval, Tool

TOOL = Tool("weather", "server", input_schema={"properties": {"pin": {"writeOnly": True}}})


def call(number: int = 1, arguments: Any = None) -> Call:
    return Call(f"tool-{number}", "weather", arguments, 1_700_000_000.0, TOOL)


def ended(some_call: Call, result: Any = None, error: str | None = None) -> Call:
    some_call.outcome = CallOutcome.OK if error is None else CallOutcome.ERROR
    some_call.duration_s = 0.5
    some_call.result = result
    some_call.error = error
    return some_call


def gathered(*calls: Call, detail: Detail = Detail.FULL) -> RecordedCalls:
    recorded = RecordedCalls(detail)
    for some_call in calls:
        recorded.started(some_call)
        if some_call.outcome is not None:
            recorded.ended(some_call)
    return recorded


def test_a_call_has_what_it_took_and_what_it_gave() -> None:
    allowed = ended(call(arguments={"city": "Brno", "pin": "1"}), result=None)
    allowed.approval, allowed.asked_s = Approval.ONCE, 1.25
    (record,) = gathered(allowed).records(cell_is_over=True)
    assert msgspec.json.decode(msgspec.json.encode(record)) == {
        "id": "tool-1",
        "tool": "weather",
        "source": "server",
        "arguments": {"city": "Brno"},
        "result": None,
        "outcome": "ok",
        "started": "2023-11-14T22:13:20.000Z",
        "duration_s": 0.5,
        "approval": {"decision": "once", "asked_s": 1.25},
        "secret_fields": ["/arguments/pin"],
    }


def test_a_call_that_failed_has_its_error_and_no_result() -> None:
    refused = ended(call(), error="policy refused it")
    refused.refused = True
    (record,) = gathered(refused).records(cell_is_over=True)
    assert (record.error, record.result, record.arguments) == ("policy refused it", UNSET, UNSET)
    assert record.approval is not UNSET
    assert record.approval.decision is ApprovalDecision.REFUSED


def test_a_call_in_progress_has_no_outcome_until_the_cell_is_over() -> None:
    recorded = gathered(call(arguments=[1]))
    (record,) = recorded.records(cell_is_over=False)
    assert (record.outcome, record.arguments) == (UNSET, [1])
    (record,) = recorded.records(cell_is_over=True)
    assert record.outcome is CallOutcome.CANCELLED
    assert isinstance(record.duration_s, float)


def test_calls_that_settle_after_the_record_was_written_are_late() -> None:
    before, after = ended(call(1)), call(2)
    recorded = gathered(before, after)
    recorded.is_written = True
    recorded.ended(ended(after))
    assert [record.late for record in recorded.records(cell_is_over=True)] == [False, True]
    assert after.outcome is CallOutcome.OK


def test_a_call_whose_end_nobody_knows_has_its_error() -> None:
    lost = ended(call(), error="the server is gone")
    lost.outcome = CallOutcome.UNKNOWN
    (record,) = gathered(lost).records(cell_is_over=True)
    assert (record.outcome, record.error) == (CallOutcome.UNKNOWN, "the server is gone")


def test_a_fault_of_ours_stays_away_from_the_call(caplog: pytest.LogCaptureFixture) -> None:
    one = call()
    recorded = gathered(one)
    recorded.ended(ended(one, result=object()))
    assert "RecordedCalls.ended failed" in caplog.text


def test_a_result_is_kept_as_it_was_given() -> None:
    result = {"a": [1]}
    recorded = gathered(ended(call(), result=result))
    result["a"].append(2)
    (record,) = recorded.records(cell_is_over=True)
    assert record.result == {"a": [1]}


def test_names_leave_out_the_values_and_none_leaves_out_the_calls() -> None:
    done = ended(call(arguments={"city": "Brno"}), result=1)
    (record,) = gathered(done, detail=Detail.NAMES).records(cell_is_over=True)
    assert (record.arguments, record.result, record.error, record.cut) == (
        UNSET,
        UNSET,
        UNSET,
        False,
    )
    assert (record.tool, record.outcome) == ("weather", CallOutcome.OK)
    nothing = gathered(done, detail=Detail.NONE)
    assert (nothing.records(cell_is_over=True), nothing.left_out(cell_is_over=True)) == ([], {})


def test_of_calls_that_were_too_many_is_known_what_became_of_them() -> None:
    recorded = RecordedCalls()
    many = [call(number) for number in range(1000)]
    for one in many:
        recorded.started(one)
    kept = len(recorded.records(cell_is_over=False))
    recorded.ended(ended(many[-1], error="no"))
    recorded.ended(ended(many[-2]))
    open_ones = 1000 - kept - 2
    fates = {Fate.FAILED: 1, Fate.DONE: 1}
    assert recorded.left_out(cell_is_over=False) == {**fates, Fate.RUNNING: open_ones}
    assert recorded.left_out(cell_is_over=True) == {**fates, Fate.CANCELLED: open_ones}


def test_ten_thousand_calls_with_large_results_hold_little() -> None:
    recorded = RecordedCalls()
    large = "x" * 1_000_000
    for number in range(10_000):
        one = call(number, arguments={"a": large})
        recorded.started(one)
        recorded.ended(ended(one, result=[large]))
    records = recorded.records(cell_is_over=True)
    assert records[0].cut
    assert json_bytes(records) < CALLS_BYTES + LIMIT // 16
    assert len(records) + recorded.left_out(cell_is_over=True).total() == 10_000
