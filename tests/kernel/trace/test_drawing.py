"""What a trace says of the calls of a cell."""

from typing import Any

import pytest
from codemode_kernel.session.calls import Call, CallOutcome
from codemode_kernel.trace.drawing import trace_bundle
from codemode_kernel.trace.ledger import LAST_ENDED, MOST_OPEN, Ledger

from toolbridge import Tool

TOOL = Tool("fetch", "web", input_schema={"properties": {"key": {"format": "password"}}})


def call(number: int = 1, arguments: Any = None) -> Call:
    return Call(f"tool-{number}", "fetch", arguments, 0.0, TOOL)


def ended(some_call: Call, outcome: CallOutcome = CallOutcome.OK, error: str | None = None) -> Call:
    some_call.outcome, some_call.error, some_call.duration_s = outcome, error, 1.25
    return some_call


def ledger_of(*calls: Call) -> Ledger:
    ledger = Ledger()
    for some_call in calls:
        ledger.started(some_call)
        if some_call.outcome is not None:
            ledger.ended(some_call)
    return ledger


def plain(ledger: Ledger, *, is_over: bool = True) -> list[str]:
    text: str = trace_bundle(ledger, is_over=is_over).data["text/plain"]
    return text.split("\n")


def test_it_sums_up_and_has_a_line_for_each_call() -> None:
    refused = ended(call(3), CallOutcome.ERROR, "policy refused it")
    refused.refused = True
    ledger = ledger_of(
        ended(call(1, {"url": "a"})),
        ended(call(2), CallOutcome.ERROR, "no route\nto there"),
        refused,
        ended(call(4), CallOutcome.UNKNOWN, "the server is gone"),
        ended(call(5), CallOutcome.CANCELLED),
    )
    assert plain(ledger) == [
        "5 tool calls: 1 done, 1 failed, 1 refused, 1 cancelled, 1 unknown",
        '  ✓ fetch {"url": "a"} · 1.2 s',
        "  ✗ fetch 1.2 s · no route",
        "  ⊘ fetch 1.2 s · policy refused it",
        "  ? fetch 1.2 s · the server is gone",
        "  – fetch 1.2 s · cancelled",
    ]


def test_open_calls_say_whether_they_run_or_wait_for_a_person() -> None:
    asking = call(2)
    asking.is_asking = True
    line, running, waiting = plain(ledger_of(call(1), asking), is_over=False)
    assert line == "2 tool calls: 1 waiting for an answer, 1 running"
    assert running.startswith("  ▸ fetch ")
    assert waiting.startswith("  … fetch ")
    assert waiting.endswith("waiting for an answer")


def test_many_calls_are_counted_and_the_last_are_shown() -> None:
    done = [ended(call(number)) for number in range(1000)]
    running = [call(1000 + number) for number in range(MOST_OPEN + 5)]
    lines = plain(ledger_of(*done, *running), is_over=False)
    assert lines[0] == f"{1000 + MOST_OPEN + 5} tool calls: 1000 done, {MOST_OPEN + 5} running"
    assert lines[1] == f"  {1000 - LAST_ENDED} earlier: {1000 - LAST_ENDED} done"
    assert lines[-1] == "  5 more running"
    assert len(lines) == 2 + LAST_ENDED + MOST_OPEN + 1


@pytest.mark.parametrize("arguments", [{"key": "hush"}, {"password": "hush"}])
def test_secrets_are_not_shown(arguments: Any) -> None:
    bundle = trace_bundle(ledger_of(call(1, arguments)), is_over=False)
    assert "hush" not in str(bundle.data)


def test_what_a_script_says_is_no_markup() -> None:
    bad = ended(call(1, {"url": "<b>x"}), CallOutcome.ERROR, "<i>y")
    html = trace_bundle(ledger_of(bad), is_over=True).data["text/html"]
    assert "<b>" not in html
    assert "<i>" not in html


def is_unfolded(*calls: Call, is_over: bool) -> bool:
    html: str = trace_bundle(ledger_of(*calls), is_over=is_over).data["text/html"]
    return html.startswith('<details class="codemode-trace" open>')


def test_a_cell_that_is_over_folds_up_what_went_well() -> None:
    assert is_unfolded(ended(call()), is_over=False)
    assert not is_unfolded(ended(call()), is_over=True)
    assert is_unfolded(ended(call()), ended(call(2), CallOutcome.UNKNOWN, "?"), is_over=True)
