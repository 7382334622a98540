"""The line under a cell for who does not see the record."""

import pytest
from codemode_kernel.record import CallRecord, LeftOut, ModelText, Record, RecordKind
from codemode_kernel.recording.quiet_line import quiet_line
from codemode_kernel.session.calls import CallOutcome
from codemode_kernel.session.observation import Status
from msgspec import UNSET
from msgspec.structs import replace

STARTED = "2026-01-31T12:00:00.000Z"
ERROR = CallOutcome.ERROR


def call(outcome: CallOutcome, tool: str = "t", error: str = 'no "such" file') -> CallRecord:
    return CallRecord(
        id="tool-1",
        tool=tool,
        started=STARTED,
        outcome=outcome,
        error=error if outcome is ERROR else UNSET,
    )


def record(
    *calls: CallRecord,
    status: Status = Status.COMPLETED,
    shown: str = "",
    tokens: int = 0,
    emitted_tokens: int | None = None,
) -> Record:
    return Record(
        version=1,
        cell_id="1",
        kind=RecordKind.EXEC,
        status=status,
        started=STARTED,
        wall_time_s=0.0,
        tokens=tokens,
        model_view=(ModelText("header"), ModelText(shown)),
        calls=calls,
        truncated=emitted_tokens is not None,
        emitted_tokens=UNSET if emitted_tokens is None else emitted_tokens,
    )


@pytest.mark.parametrize(
    "ordinary",
    [
        record(shown="a"),
        record(call(CallOutcome.OK)),
        record(call(ERROR), shown='Error: no "such" file or folder'),
        record(call(ERROR), shown='{"error":"no \\"such\\" file"}'),
        record(call(ERROR), status=Status.FAILED),
        record(call(CallOutcome.CANCELLED), status=Status.TERMINATED),
    ],
)
def test_an_ordinary_cell_shows_nothing(ordinary: Record) -> None:
    assert quiet_line(ordinary, has_hint=False) is None


@pytest.mark.parametrize(
    "special, line",
    [
        (
            record(tokens=10_000, emitted_tokens=25_000),
            "A model got 10,000 of 25,000 tokens of this",
        ),
        (
            record(call(ERROR), shown="done"),
            "1 tool call (`t`) failed, and the cell shows nothing of it",
        ),
        (
            record(
                call(CallOutcome.OK),
                call(CallOutcome.OK),
                call(ERROR),
                call(CallOutcome.UNKNOWN),
                status=Status.FAILED,
            ),
            "4 tool calls: 2 done, 1 failed, 1 unknown",
        ),
        (
            replace(
                record(call(CallOutcome.OK), call(ERROR), status=Status.FAILED),
                left_out=LeftOut(calls=1000, calls_failed=2, calls_refused=3, calls_unknown=4),
            ),
            "1,002 tool calls: 992 done, 3 failed, 3 refused, 4 unknown",
        ),
        (
            replace(
                record(call(CallOutcome.CANCELLED)),
                left_out=LeftOut(calls=1000, calls_cancelled=1000),
            ),
            "The end of the cell cut off 1,001 tool calls (`t`)",
        ),
        (
            record(call(CallOutcome.UNKNOWN), status=Status.TERMINATED),
            "1 tool call: 1 unknown",
        ),
        (
            record(*(call(CallOutcome.CANCELLED, tool) for tool in "abcda")),
            "The end of the cell cut off 5 tool calls (`a`, `b`, `c`, …)",
        ),
        (
            record(call(ERROR), call(CallOutcome.CANCELLED), tokens=1, emitted_tokens=2),
            "A model got 1 of 2 tokens of this · "
            "1 tool call (`t`) failed, and the cell shows nothing of it · "
            "the end of the cell cut off 1 tool call (`t`)",
        ),
    ],
)
def test_what_a_person_should_know_is_said(special: Record, line: str) -> None:
    assert quiet_line(special, has_hint=False) == line


def test_a_hint_has_said_what_became_of_calls() -> None:
    failed = record(call(ERROR), call(CallOutcome.CANCELLED), tokens=1, emitted_tokens=2)
    assert quiet_line(failed, has_hint=True) == "A model got 1 of 2 tokens of this"
