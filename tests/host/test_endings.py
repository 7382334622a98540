"""How cells end, and in which order everybody hears of it (contract 7.3 to 7.5, 11.5)."""

import pytest
from codemode_host.cell import MAX_WORKERS

from tests.host.stage import Stage

STARTED = "2 started cell 1"


def running(stage: Stage) -> Stage:
    stage.execute()
    stage.sent()
    stage.told()
    return stage


def test_a_script_error_keeps_the_output(stage: Stage) -> None:
    running(stage).text("a")
    stage.done("Error: boom\n    at exec_main.mjs:1:7")
    assert stage.sent() == ["2 failed (Error: boom\n    at exec_main.mjs:1:7) [a]", "closed 1"]


def test_completion_takes_unfinished_calls_back_first(stage: Stage) -> None:
    running(stage).call(1)
    stage.call(2)
    stage.answer(1, "ok")
    stage.done()
    assert stage.sent() == [
        "call 1: tool-1 t(null)",
        "call 2: tool-2 t(null)",
        "cancel 2",
        "2 completed []",
        "closed 1",
    ]


def test_completion_waits_for_notifications(stage: Stage) -> None:
    running(stage).notify("a")
    stage.call(1)
    stage.notify("b")
    stage.done()
    stage.pass_time(100_000)
    stage.delivered(1)
    assert stage.sent() == ["notify 1: a", "call 2: tool-1 t(null)", "notify 3: b"]
    stage.delivered(3)
    assert stage.sent() == ["cancel 2", "2 completed []", "closed 1"]


@pytest.mark.parametrize("answer", ["error", "tool result"])
def test_a_notification_that_fails_is_over_as_well(stage: Stage, answer: str) -> None:
    running(stage).notify("a")
    stage.done()
    if answer == "error":
        stage.fail(1, "no active turn")
    else:
        stage.answer(1, "what?")
    assert stage.sent()[1:] == ["2 completed []", "closed 1"]


def test_who_asks_while_notifications_are_out_is_answered_afterwards(stage: Stage) -> None:
    running(stage).yield_control()
    stage.notify("a")
    stage.done()
    stage.wait(yield_time_ms=0)
    stage.wait()
    stage.sent()
    stage.delivered(1)
    assert stage.sent() == [
        "3 completed []",
        "4 missing: exec cell 1 not found",
        "closed 1",
    ]


def test_who_is_there_already_comes_first(stage: Stage) -> None:
    running(stage).notify("a")
    stage.done()
    stage.wait()
    stage.delivered(1)
    assert stage.sent()[1:] == ["2 completed []", "3 missing: exec cell 1 not found", "closed 1"]


def test_an_observation_does_not_end_early_once_the_script_is_done(stage: Stage) -> None:
    running(stage).notify("a")
    stage.done()
    stage.preempt(2)
    stage.cancel(2)
    assert stage.sent() == ["notify 1: a"]


def test_a_late_wait_can_be_cancelled(stage: Stage) -> None:
    running(stage).yield_control()
    stage.notify("a")
    stage.done()
    wait = stage.wait()
    stage.sent()
    stage.cancel(wait)
    stage.delivered(1)
    stage.wait()
    assert stage.sent() == [
        "3 refused: code-mode request cancelled",
        "4 completed []",
        "closed 1",
    ]


def test_a_termination_tells_delegates_then_the_terminator_then_the_observer(stage: Stage) -> None:
    running(stage).notify("n")
    stage.call(1)
    stage.text("a")
    stage.sent()
    stage.terminate()
    assert stage.told() == ["1 killed"]
    assert stage.sent() == ["cancel 1", "cancel 2"]
    stage.text("b")  # what the worker had written before it died
    stage.worker_ended()
    assert stage.sent() == ["3 terminated [a b]", "2 terminated [a b]", "closed 1"]


def test_effects_of_a_dying_worker_other_than_output_are_dropped(stage: Stage) -> None:
    running(stage).terminate()
    stage.call(1)
    stage.notify("n")
    stage.yield_control()
    stage.done("late")
    stage.frame(99)
    assert stage.sent() == ["3 terminated []", "2 terminated []", "closed 1"]


def test_a_termination_with_a_wait_pending(stage: Stage) -> None:
    running(stage).yield_control()
    stage.wait()
    stage.text("a")
    stage.terminate()
    stage.worker_ended()
    assert stage.sent()[1:] == ["4 terminated [a]", "3 terminated [a]", "closed 1"]


def test_while_a_cell_is_terminating(stage: Stage) -> None:
    running(stage).terminate()
    stage.terminate()
    stage.wait()
    assert stage.sent() == [
        "4 refused: exec cell 1 is already terminating",
        "5 missing: exec cell 1 not found",
    ]


def test_a_deadline_no_longer_matters_while_a_cell_is_terminating(stage: Stage) -> None:
    running(stage).terminate()
    stage.pass_time(10_000)
    assert stage.sent() == []


def test_a_result_that_is_ready_beats_a_termination(stage: Stage) -> None:
    running(stage).yield_control()
    stage.text("a")
    stage.done("boom")
    stage.terminate()
    assert stage.sent() == ["2 yielded []", "3 failed (boom) [a]", "closed 1"]


def test_a_termination_beats_a_result_that_waits_for_notifications(stage: Stage) -> None:
    running(stage).store("k", 1)
    stage.notify("n")
    stage.text("a")
    stage.done()
    stage.terminate()
    assert stage.sent() == [
        "notify 1: n",
        "cancel 1",
        "3 terminated [a]",
        "2 terminated [a]",
        "closed 1",
    ]
    stage.execute()
    assert '"stored":{}' in stage.told()[-1]


def test_a_late_wait_does_not_see_a_termination(stage: Stage) -> None:
    running(stage).yield_control()
    stage.notify("n")
    stage.done()
    stage.wait()
    stage.terminate()
    assert stage.sent()[2:] == [
        "cancel 1",
        "4 terminated []",
        "3 missing: exec cell 1 not found",
        "closed 1",
    ]


def test_a_worker_that_is_done_is_killed(stage: Stage) -> None:
    running(stage).done(ended=False)
    assert stage.told() == ["1 killed"]


def test_frames_after_the_end_are_ignored(stage: Stage) -> None:
    running(stage).done(ended=False)
    stage.sent()
    stage.text("late")
    stage.call(1)
    stage.done("again")
    assert stage.sent() == []


class TestWorkersThatFail:
    """A worker that dies, or breaks the rules, costs its own cell and nothing else."""

    def test_it_dies(self, stage: Stage) -> None:
        running(stage).text("a")
        stage.call(1)
        stage.notify("n")
        stage.sent()
        stage.worker_ended("killed by signal 9")
        assert stage.sent() == [
            "cancel 1",
            "cancel 2",
            "2 failed (exec runtime ended unexpectedly: killed by signal 9) [a]",
            "closed 1",
        ]

    def test_one_that_dies_before_the_script_began_is_replaced(self, stage: Stage) -> None:
        stage.execute(ready=False)
        stage.worker_ready(begun=False)
        stage.worker_ended()
        assert stage.sent() == [STARTED]
        stage.worker_ready()
        stage.text("a")
        stage.done()
        assert stage.sent() == ["2 completed [a]", "closed 1"]
        assert [line.split()[:2] for line in stage.told()] == [
            ["1", "START"],
            ["1", "START"],
            ["1", "killed"],
        ]

    def test_but_not_for_ever(self, stage: Stage) -> None:
        stage.execute(ready=False)
        for _ in range(MAX_WORKERS):
            stage.worker_ready(begun=False)
            stage.worker_ended()
        assert stage.sent() == [
            STARTED,
            "2 failed (exec runtime ended unexpectedly: killed by signal 9) []",
            "closed 1",
        ]

    def test_a_cell_between_two_workers_can_be_observed_and_terminated(self, stage: Stage) -> None:
        stage.execute(yield_time_ms=0, ready=False)
        stage.worker_ready(begun=False)
        stage.worker_ended()
        stage.wait(yield_time_ms=10)
        stage.pass_time(10)
        stage.terminate()
        stage.worker_ready(begun=False)  # it came too late
        assert stage.told()[-1] == "1 killed"
        assert stage.sent() == [
            STARTED,
            "2 yielded []",
            "3 yielded []",
            "4 terminated []",
            "closed 1",
        ]

    def test_it_ends_without_a_word(self, stage: Stage) -> None:
        running(stage).worker_ended(None)
        assert stage.sent() == ["2 failed (exec runtime ended unexpectedly) []", "closed 1"]

    def test_its_end_is_kept_for_the_next_wait(self, stage: Stage) -> None:
        running(stage).yield_control()
        stage.worker_ended()
        stage.wait()
        assert stage.sent()[1:] == [
            "3 failed (exec runtime ended unexpectedly: killed by signal 9) []",
            "closed 1",
        ]

    def test_what_it_stored_is_lost(self, stage: Stage) -> None:
        running(stage).store("k", 1)
        stage.worker_ended()
        stage.execute()
        assert '"stored":{}' in stage.told()[-1]

    @pytest.mark.parametrize(
        "kind,number,payload,reason",
        [
            (99, 0, b"", "unexpected frame of kind 99"),
            (16, 0, b"{}", "unexpected frame of kind 16"),
            (17, 0, b"{}", "malformed payload"),
            (17, 0, b'{"type":"input_text","text":"a","x":1}', "malformed payload"),
            (17, 0, b'{"type":"input_text","text":"\xff"}', "malformed payload"),
            (17, 0, b'{"type":"input_text","text":"\\ud800"}', "malformed payload"),
            (17, 0, b'{"type":"input_image","image_url":"u","detail":"x"}', "malformed payload"),
            (18, 1, b"[0]", "malformed payload"),
            (18, 1, b"[0,1,2]", "malformed payload"),
            (18, 1, b'[0,"\xff"]', "malformed payload"),
            (18, 1, b"[0," + b"[" * 128 + b"]" * 128 + b"]", "malformed payload"),
            (18, 1, b"[0,{]", "malformed payload"),
            (18, 1, b"[2,null]", "no tool has the index 2"),
            (18, 1, b"[-1,null]", "no tool has the index -1"),
            (18, 0, b"[0,null]", "tool call 0 where 1 was due"),
            (18, 2, b"[0,null]", "tool call 2 where 1 was due"),
            (19, 0, b'["k"]', "malformed payload"),
            (19, 0, b'["k","{"]', "malformed payload"),
            (19, 0, b"[1,null]", "malformed payload"),
            (20, 0, b"1", "malformed payload"),
            (22, 0, b"", "malformed payload"),
            (22, 0, b"1", "malformed payload"),
        ],
    )
    def test_it_breaks_the_rules(
        self, stage: Stage, kind: int, number: int, payload: bytes, reason: str
    ) -> None:
        running(stage).text("a")
        stage.frame(kind, payload, number)
        assert stage.told() == ["1 killed"]
        result, closed = stage.sent()
        assert result.startswith("2 failed (exec runtime ended unexpectedly: ")
        assert reason in result
        assert closed == "closed 1"

    def test_it_repeats_a_call_number(self, stage: Stage) -> None:
        running(stage).call(1)
        stage.call(1)
        assert stage.sent()[1:] == [
            "cancel 1",
            "2 failed (exec runtime ended unexpectedly: tool call 1 where 2 was due) []",
            "closed 1",
        ]

    def test_the_other_cells_go_on(self, stage: Stage) -> None:
        running(stage)
        stage.execute()
        stage.worker_ended(cell="1")
        stage.text("alive", cell="2")
        stage.done(cell="2")
        assert stage.sent()[-2:] == ["3 completed [alive]", "closed 2"]
