"""How observations of a cell begin and end (contract 3.2, 4, 11.6)."""

import pytest
from codemode_host.handshake import CELL_BEGUN

from tests.host.stage import Stage

STARTED = "2 started cell 1"


def test_output_belongs_to_the_observation_that_ends_next(stage: Stage) -> None:
    stage.execute()
    stage.text("a")
    stage.yield_control()
    stage.text("b")
    stage.wait()
    stage.text("c")
    stage.done()
    assert stage.sent() == [STARTED, "2 yielded [a]", "3 completed [b c]", "closed 1"]


def test_a_deadline_yields_what_there_is(stage: Stage) -> None:
    stage.execute(yield_time_ms=500)
    stage.text("a")
    stage.pass_time(499)
    assert stage.sent() == [STARTED]
    stage.pass_time(1)
    assert stage.sent() == ["2 yielded [a]"]


def test_the_clock_of_an_execute_starts_with_its_script(stage: Stage) -> None:
    stage.execute(yield_time_ms=100, ready=False)
    stage.worker_ready(begun=False)
    stage.pass_time(900)
    stage.begun()
    stage.pass_time(99)
    assert stage.sent() == [STARTED]
    stage.pass_time(1)
    assert stage.sent() == ["2 yielded []"]


def test_a_client_that_asked_for_it_is_told_when_the_script_begins() -> None:
    stage = Stage([CELL_BEGUN])
    stage.execute(ready=False)
    stage.worker_ready(begun=False)
    assert stage.sent() == [STARTED]
    stage.begun()
    assert stage.sent() == ["begun 1"]


def test_a_worker_that_never_says_that_it_begins_is_taken_to_have_begun(stage: Stage) -> None:
    stage.execute(yield_time_ms=100, ready=False)
    stage.worker_ready(begun=False)
    stage.pass_time(1000)
    stage.begun()
    stage.pass_time(100)
    assert stage.sent() == [STARTED, "2 yielded []"]


def test_a_deadline_beats_frames_that_come_after_it(stage: Stage) -> None:
    stage.execute(yield_time_ms=500)
    stage.text("a")
    stage.now += 500_000_000  # the alarm has not rung yet
    stage.text("b")
    stage.done()
    stage.wait()
    assert stage.sent() == [STARTED, "2 yielded [a]", "3 completed [b]", "closed 1"]


def test_zero_yields_at_once_and_empty(stage: Stage) -> None:
    stage.execute(yield_time_ms=0)
    stage.text("a")
    stage.wait(yield_time_ms=0)
    assert stage.sent() == [STARTED, "2 yielded []", "3 yielded [a]"]


def test_zero_collects_a_finished_cell(stage: Stage) -> None:
    stage.execute(yield_time_ms=0)
    stage.text("a")
    stage.done()
    stage.wait(yield_time_ms=0)
    assert stage.sent()[2:] == ["3 completed [a]", "closed 1"]


def test_the_clock_of_an_execute_starts_with_its_worker(stage: Stage) -> None:
    stage.execute(yield_time_ms=500, ready=False)
    stage.pass_time(10_000)
    assert stage.sent() == [STARTED]
    stage.worker_ready()
    assert stage.alarm_in_ms() == 500


def test_an_observation_that_ended_leaves_no_alarm(stage: Stage) -> None:
    stage.execute()
    stage.yield_control()
    assert stage.alarm_in_ms() is None
    stage.wait(yield_time_ms=700)
    assert stage.alarm_in_ms() == 700
    stage.done()
    assert stage.alarm_in_ms() is None


def test_yield_control_without_an_observer_is_forgotten(stage: Stage) -> None:
    stage.execute()
    stage.text("a")
    stage.yield_control()
    stage.text("b")
    stage.yield_control()
    stage.text("c")
    stage.wait()
    assert stage.sent() == [STARTED, "2 yielded [a]"]
    stage.done()
    assert stage.sent() == ["3 completed [b c]", "closed 1"]


def test_there_is_one_observer(stage: Stage) -> None:
    stage.execute()
    stage.wait()
    assert stage.sent() == [STARTED, "3 refused: exec cell 1 already has an active observer"]
    stage.yield_control()
    stage.wait()
    stage.wait()
    assert stage.sent() == [
        "2 yielded []",
        "5 refused: exec cell 1 already has an active observer",
    ]


def test_a_finished_cell_is_handed_over_once(stage: Stage) -> None:
    stage.execute()
    stage.yield_control()
    stage.text("a")
    stage.done("boom")
    stage.sent()
    stage.wait()
    stage.wait()
    assert stage.sent() == [
        "3 failed (boom) [a]",
        "closed 1",
        "4 missing: exec cell 1 not found",
    ]


@pytest.mark.parametrize("cell", ["2", "", "nope"])
def test_a_cell_that_never_was_is_missing(stage: Stage, cell: str) -> None:
    stage.execute()
    stage.wait(cell)
    stage.terminate(cell)
    missing = f"missing: exec cell {cell} not found"
    assert stage.sent() == [STARTED, f"3 {missing}", f"4 {missing}"]


def test_a_cell_of_another_session_is_missing(stage: Stage) -> None:
    stage.open("other")
    stage.execute()
    stage.sent()
    stage.wait(session="other")
    assert stage.sent() == ["4 missing: exec cell 1 not found"]


def test_the_client_can_end_an_observation_early(stage: Stage) -> None:
    execute = stage.execute()
    stage.text("a")
    stage.preempt(execute)
    wait = stage.wait()
    stage.text("b")
    stage.preempt(wait)
    stage.preempt(wait)
    stage.preempt(99)
    assert stage.sent() == [STARTED, "2 yielded [a]", "3 yielded [b]"]


def test_a_cancelled_wait_loses_no_output(stage: Stage) -> None:
    stage.execute()
    stage.yield_control()
    wait = stage.wait()
    stage.text("a")
    stage.cancel(wait)
    assert stage.alarm_in_ms() is None
    stage.text("b")
    stage.done()
    stage.wait()
    assert stage.sent() == [
        STARTED,
        "2 yielded []",
        "3 refused: code-mode request cancelled",
        "4 completed [a b]",
        "closed 1",
    ]


@pytest.mark.parametrize("ready", [True, False])
def test_cancelling_an_execute_does_nothing(stage: Stage, ready: bool) -> None:
    execute = stage.execute(ready=ready)
    stage.cancel(execute)
    if not ready:
        stage.worker_ready()
    stage.done()
    assert stage.sent() == [STARTED, "2 completed []", "closed 1"]


class TestWithoutAWorkerYet:
    """A cell is there for its client before its worker is."""

    def test_it_is_observed(self, stage: Stage) -> None:
        execute = stage.execute(ready=False)
        stage.wait()
        stage.preempt(execute)
        wait = stage.wait(yield_time_ms=300)
        stage.cancel(wait)
        stage.wait(yield_time_ms=300)
        assert stage.sent() == [
            STARTED,
            "3 refused: exec cell 1 already has an active observer",
            "2 yielded []",
            "4 refused: code-mode request cancelled",
        ]
        stage.worker_ready()
        assert stage.alarm_in_ms() == 300
        stage.done()
        assert stage.sent() == ["5 completed []", "closed 1"]

    def test_it_yields_at_once_if_told_so(self, stage: Stage) -> None:
        stage.execute(yield_time_ms=0, ready=False)
        assert stage.sent() == [STARTED, "2 yielded []"]
        stage.worker_ready()
        assert stage.alarm_in_ms() is None

    def test_it_is_terminated(self, stage: Stage) -> None:
        stage.execute(ready=False)
        stage.terminate()
        assert stage.sent() == [STARTED, "3 terminated []", "2 terminated []", "closed 1"]
        stage.told()
        stage.worker_ready()
        assert stage.told() == ["1 killed"]

    def test_it_fails_when_none_is_to_be_had(self, stage: Stage) -> None:
        stage.execute(ready=False)
        stage.worker_failed("no more processes")
        stage.execute()
        assert stage.sent() == [
            STARTED,
            "2 failed (failed to initialize code mode runtime: no more processes) []",
            "closed 1",
            "3 started cell 2",
        ]


def test_cancelling_what_is_over_or_unknown_is_ignored(stage: Stage) -> None:
    execute = stage.execute()
    stage.done()
    stage.sent()
    stage.cancel(execute)
    stage.cancel(99)
    assert stage.sent() == []


class TestStreamedContent:
    """With `content-stream-v1` output goes out as it comes, once."""

    def test_the_items_of_one_read_share_a_frame(self, streaming: Stage) -> None:
        streaming.execute()
        streaming.text("a")
        streaming.text("b")
        assert streaming.sent() == [STARTED]
        streaming.end_of_read()
        streaming.text("c")
        streaming.end_of_read()
        assert streaming.sent() == ["content 1: [a b]", "content 3: [c]"]

    def test_content_of_an_observation_precedes_its_answer(self, streaming: Stage) -> None:
        streaming.execute()
        streaming.text("a")
        streaming.yield_control()
        streaming.text("b")
        streaming.end_of_read()
        streaming.wait()
        streaming.text("c")
        streaming.done()
        assert streaming.sent() == [
            STARTED,
            "content 1: [a]",
            "2 yielded [] to 1",
            "content 2: [b]",
            "content 3: [c]",
            "3 completed [] to 3",
            "closed 1",
        ]

    def test_content_goes_out_while_nobody_observes(self, streaming: Stage) -> None:
        streaming.execute(yield_time_ms=0)
        streaming.text("a")
        streaming.end_of_read()
        assert streaming.sent() == [STARTED, "2 yielded [] to 0", "content 1: [a]"]

    def test_content_precedes_the_call_that_was_made_after_it(self, streaming: Stage) -> None:
        streaming.execute()
        streaming.text("a")
        streaming.call(1)
        streaming.text("b")
        streaming.notify("n")
        assert streaming.sent() == [
            STARTED,
            "content 1: [a]",
            "call 1: tool-1 t(null)",
            "content 2: [b]",
            "notify 2: n",
        ]

    def test_both_answers_to_a_termination_name_the_same_items(self, streaming: Stage) -> None:
        streaming.execute()
        streaming.terminate()
        streaming.text("a")
        streaming.worker_ended()
        assert streaming.sent() == [
            STARTED,
            "content 1: [a]",
            "3 terminated [] to 1",
            "2 terminated [] to 1",
            "closed 1",
        ]
