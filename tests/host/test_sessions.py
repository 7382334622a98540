"""Sessions: ids, stored values, shutdown (contract 5, 11.3, 11.7)."""

import json

import pytest
from codemode_host.engine.report import EngineReport
from codemode_host.errors import ProtocolError
from codemode_host.session import MAX_OPEN_CELLS

from tests.host.stage import Stage


def stored(stage: Stage) -> object:
    """What the cell that was started last sees."""
    _, _, payload = stage.told()[-1].split(" ", 2)
    return json.loads(payload)["stored"]


def test_cells_are_numbered_for_each_session(stage: Stage) -> None:
    stage.open("other")
    stage.sent()
    stage.execute()
    stage.execute(session="other")
    stage.execute()
    assert stage.sent() == ["3 started cell 1", "4 started cell 1", "5 started cell 2"]


def test_a_worker_is_told_the_source_the_tools_and_the_rules(stage: Stage) -> None:
    tools = [
        {"name": name, "tool_name": {"name": name}, "description": "d", "kind": "function"}
        for name in ("my-tool", "1st", "my_tool")
    ]
    stage.execute(source="text(1)", enabled_tools=tools)
    (told,) = stage.told()
    start = json.loads(told.removeprefix("1 START "))
    assert json.loads(start.pop("tools")) == [
        {"name": "my_tool", "description": "d"},
        {"name": "_st", "description": "d"},
        {"name": "my_tool", "description": "d"},
    ]
    assert start == {"source": "text(1)", "stored": {}, "catchable_exit": False}


def test_writes_commit_when_the_cell_ends_and_only_those(stage: Stage) -> None:
    stage.execute()
    stage.store("k", 1)
    stage.store("both", "first")
    stage.execute()
    assert stored(stage) == {}
    stage.store("both", "second", cell="2")
    stage.done(cell="1")
    stage.done("Error: boom", cell="2")
    stage.execute()
    assert stored(stage) == {"k": "1", "both": '"second"'}


def test_the_last_write_of_a_key_counts(stage: Stage) -> None:
    stage.execute()
    stage.store("k", 1)
    stage.store("k", [2])
    stage.done()
    stage.execute()
    assert stored(stage) == {"k": "[2]"}


def test_writes_commit_without_an_observer_and_before_the_result_is_collected(stage: Stage) -> None:
    stage.execute()
    stage.yield_control()
    stage.store("k", 1)
    stage.done()
    stage.execute()
    assert stored(stage) == {"k": "1"}


def test_writes_commit_only_after_the_notifications(stage: Stage) -> None:
    stage.execute()
    stage.store("k", 1)
    stage.notify("n")
    stage.done()
    stage.execute()
    assert stored(stage) == {}
    stage.delivered(1)
    stage.execute()
    assert stored(stage) == {"k": "1"}


def test_a_terminated_cell_stores_nothing(stage: Stage) -> None:
    stage.execute()
    stage.store("k", 1)
    stage.terminate()
    stage.worker_ended()
    stage.execute()
    assert stored(stage) == {}


def test_sessions_do_not_share_values(stage: Stage) -> None:
    stage.open("other")
    stage.execute()
    stage.store("k", 1)
    stage.done()
    stage.execute(session="other")
    assert stored(stage) == {}


def test_a_session_that_is_open_or_was_open_is_refused(stage: Stage) -> None:
    stage.open("s")
    stage.shutdown()
    stage.open("s")
    assert stage.sent() == [
        "2 refused: code-mode session ID `s` is already open",
        "3 session s closed",
        "4 refused: code-mode session ID `s` was reused",
    ]


def test_an_unknown_session_is_refused_by_everything(stage: Stage) -> None:
    stage.execute(session="ghost")
    stage.wait(session="ghost")
    stage.terminate(session="ghost")
    stage.shutdown(session="ghost")
    refused = "refused: unknown code-mode session ghost"
    assert stage.sent() == [f"{number} {refused}" for number in (2, 3, 4, 5)]


def test_shutdown_terminates_every_cell_and_answers_last(stage: Stage) -> None:
    stage.execute()  # observed, with a call at the client
    stage.text("a")
    stage.call(1)
    stage.execute()  # finished, not collected
    stage.yield_control(cell="2")
    stage.done(cell="2")
    stage.sent()
    stage.shutdown()
    stage.execute()
    assert stage.sent() == ["cancel 1", "closed 2", "5 refused: unknown code-mode session s"]
    stage.worker_ended(cell="1")
    assert stage.sent() == ["2 terminated [a]", "closed 1", "4 session s closed"]


def test_shutdown_terminates_what_has_no_worker_yet(stage: Stage) -> None:
    stage.execute(ready=False)
    stage.shutdown()
    assert stage.sent()[1:] == ["2 terminated []", "closed 1", "3 session s closed"]
    stage.worker_ready()
    assert stage.told()[-1] == "1 killed"


class TestStoredValues:
    """With `stored-values-v1` a client may look at what is stored, and clear it."""

    def test_they_are_listed_as_they_were_stored(self) -> None:
        stage = Stage(["stored-values-v1"])
        stage.execute()
        stage.store("b", {"z": 1})
        stage.store("a", None)
        stage.request("session/storedValues")
        stage.done()
        stage.request("session/storedValues")
        assert stage.sent()[1:] == [
            "3 stored {}",
            "2 completed []",
            "closed 1",
            '4 stored {b: {"z": 1}, a: null}',
        ]

    def test_they_are_cleared(self) -> None:
        stage = Stage(["stored-values-v1"])
        stage.execute()
        stage.store("k", 1)
        stage.done()
        stage.request("session/clearStored")
        stage.execute()
        assert stage.sent()[3:] == ["3 cleared", "4 started cell 2"]
        assert stored(stage) == {}

    @pytest.mark.parametrize("method", ["session/storedValues", "session/clearStored"])
    def test_a_client_that_did_not_ask_for_it_is_cut_off(self, stage: Stage, method: str) -> None:
        with pytest.raises(ProtocolError, match="stored-values-v1"):
            stage.request(method)


class TestDescription:
    """With `host-description-v1` a client may ask what runs the cells."""

    def test_engine_and_layers_are_as_they_are_now(self) -> None:
        stage = Stage(["host-description-v1"])
        stage.engine = EngineReport("another", {"a layer": "not on this system"})
        stage.request("session/describeHost")
        assert stage.sent() == ["2 described another {'a layer': 'not on this system'}"]

    def test_a_client_that_did_not_ask_for_it_is_cut_off(self, stage: Stage) -> None:
        with pytest.raises(ProtocolError, match="host-description-v1"):
            stage.request("session/describeHost")


def test_the_other_sessions_go_on(stage: Stage) -> None:
    stage.open("other")
    stage.execute(session="other")
    stage.shutdown()
    stage.text("alive", cell="other/1")
    stage.done(cell="other/1")
    assert stage.sent()[-2:] == ["3 completed [alive]", "closed 1"]


def test_a_connection_has_so_many_open_cells(stage: Stage) -> None:
    assert MAX_OPEN_CELLS == 2048
    stage.open("other")
    for number in range(MAX_OPEN_CELLS):
        stage.execute(session=("s", "other")[number % 2])
    stage.sent()
    stage.execute()
    stage.done(cell="1")
    stage.execute()
    refused, *completed, started = stage.sent()
    assert refused.endswith("refused: code-mode host has too many active cells")
    assert completed == ["3 completed []", "closed 1"]
    assert started.endswith("started cell 1025")


def test_a_cell_that_was_not_collected_counts_as_open(stage: Stage) -> None:
    for _ in range(MAX_OPEN_CELLS):
        stage.execute(yield_time_ms=0)
    stage.done(cell="1")
    stage.sent()
    stage.execute()
    assert "too many active cells" in stage.sent()[0]


def test_every_one_of_the_open_cells_can_be_terminated(stage: Stage) -> None:
    for _ in range(MAX_OPEN_CELLS):
        stage.execute()
    stage.sent()
    for number in range(1, MAX_OPEN_CELLS + 1):
        stage.terminate(str(number))
    assert stage.sent() == []
    for number in range(1, MAX_OPEN_CELLS + 1):
        stage.worker_ended(cell=str(number))
    assert len(stage.sent()) == 3 * MAX_OPEN_CELLS


def test_a_negative_token_budget_is_refused(stage: Stage) -> None:
    stage.execute(max_output_tokens=-1)
    assert stage.sent() == [
        "2 refused: invalid code-mode execute request: number too small to fit in target type"
    ]
