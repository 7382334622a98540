"""A record is never longer than its limit, and says what it left out."""

from collections import Counter

import pytest
from codemode_kernel.record import LIMIT, CallRecord, LeftOut, ModelText, Record, RecordKind
from codemode_kernel.recording.excerpt import json_bytes
from codemode_kernel.recording.fitting import Gathered, fitted, with_calls
from codemode_kernel.session.calls import CallOutcome
from codemode_kernel.session.fates import Fate
from codemode_kernel.session.observation import Notification, Status
from msgspec import UNSET

FIRST_LINE = Record(
    version=1,
    cell_id="1",
    kind=RecordKind.EXEC,
    status=Status.COMPLETED,
    started="2026-01-31T12:00:00.000Z",
    wall_time_s=0.1,
)
HEADER = {"type": "input_text", "text": "Script completed\nWall time 0.1 seconds\nOutput:\n"}
CALL = CallRecord(
    id="tool-1",
    tool="t",
    source="s",
    started=FIRST_LINE.started,
    outcome=CallOutcome.OK,
    result="r",
)


def text(said: str) -> dict[str, str]:
    return {"type": "input_text", "text": said}


def calls(count: int, size: int) -> list[CallRecord]:
    return [
        CallRecord(id=f"tool-{i}", tool="t", started=FIRST_LINE.started, result="x" * size)
        for i in range(count)
    ]


def test_what_fits_is_whole() -> None:
    notes = (Notification("exec-1", "1", "a"), Notification("exec-2", "2", "b"))
    record = fitted(FIRST_LINE, Gathered([HEADER, text("a")], notes, [CALL]))
    assert record.left_out is UNSET
    assert record.calls == (CALL,)
    assert [(note.text, note.cell_id) for note in record.notifications] == [
        ("a", UNSET),
        ("b", "2"),
    ]


def test_a_default_budget_of_text_is_whole() -> None:
    line = 'a line with "quotes", eighty characters or so, as a listing of files has it...\n'
    output = [HEADER, text(line * (40_000 // len(line)))]
    record = fitted(FIRST_LINE, Gathered(output, calls=calls(100, 500)))
    assert record.left_out is UNSET
    assert isinstance(record.model_view, tuple)
    assert [item.text for item in record.model_view if isinstance(item, ModelText)] == [
        item["text"] for item in output
    ]
    assert [call.cut for call in record.calls].count(True) > 50


@pytest.mark.parametrize("said", ["x", "\0", "😀", '"'])
@pytest.mark.parametrize("count", [1, 300])
def test_a_record_is_never_longer_than_its_limit(said: str, count: int) -> None:
    record = fitted(
        FIRST_LINE,
        Gathered(
            [HEADER, *[text(said * (1_000_000 // count))] * count],
            [Notification("exec-1", "1", said * 10_000)] * count,
            calls(count, 8_000),
            calls_left_out=Counter({Fate.DONE: 2, Fate.FAILED: 3}),
        ),
    )
    assert LIMIT * 0.8 < json_bytes(record) <= LIMIT
    assert isinstance(record.left_out, LeftOut)
    assert record.left_out.model_view_characters > 900_000
    assert record.left_out.calls == 5 + count - len(record.calls)
    assert record.left_out.calls_failed == 3
    assert record.left_out.notifications == count - len(record.notifications)
    assert record.left_out.notification_characters > 0
    assert record.status is Status.COMPLETED


def test_the_last_calls_lose_their_values_first_and_then_themselves() -> None:
    record = fitted(FIRST_LINE, Gathered("header", calls=calls(1_000, 1_000)))
    has_result = [call.result is not UNSET for call in record.calls]
    assert has_result == sorted(has_result, reverse=True)
    assert all(call.cut is (call.result is UNSET) for call in record.calls)
    assert isinstance(record.left_out, LeftOut)
    assert record.left_out.calls == 1_000 - len(record.calls) > 0


def test_other_calls_take_the_place_of_those_that_were_there() -> None:
    first = fitted(FIRST_LINE, Gathered("header", calls=calls(1_000, 1_000)))
    later = with_calls(first, [CALL], Counter())
    assert later.calls == (CALL,)
    assert later.left_out is UNSET
