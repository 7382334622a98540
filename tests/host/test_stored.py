"""What a session keeps is bounded, so that it always fits a worker's start."""

import pytest
from codemode_host.engine.frames import Kind
from codemode_host.stored import MAX_STORED_BYTES, Stored

from tests.host.stage import Stage

NOT_STORED = "Nothing was stored: a session keeps at most 60 MiB of values."


def store(stage: Stage, key: str, mib: int, cell: str) -> None:
    value = b"x" * (mib * 1024 * 1024)
    stage.frame(Kind.STORE, b'["%s","\\"%s\\""]' % (key.encode(), value), cell=cell)


def test_keys_keep_the_order_in_which_they_came() -> None:
    stored = Stored()
    for key, text in (("b", "1"), ("a", "2"), ("b", "3")):
        assert stored.put(key, text, 1)
    assert list(stored.texts().items()) == [("b", "3"), ("a", "2")]


def test_a_value_counts_as_long_as_it_is_there() -> None:
    stored = Stored()
    assert stored.put("a", "", MAX_STORED_BYTES)
    assert not stored.put("b", "", 1)
    assert stored.put("a", "", MAX_STORED_BYTES - 1)
    assert stored.put("b", "", 1)
    stored.remove("a")
    stored.remove("nope")
    assert stored.put("c", "", MAX_STORED_BYTES - 1)
    assert not stored.put("d", "", 1)
    stored.clear()
    assert stored.texts() == {}
    assert stored.put("d", "", MAX_STORED_BYTES)


def test_a_merge_takes_all_or_nothing() -> None:
    stored, later = Stored(), Stored()
    stored.put("a", "old", 2)
    later.put("a", "new", 1)
    later.put("b", "new", MAX_STORED_BYTES - 1)
    assert stored.merge(later)
    assert stored.texts() == {"a": "new", "b": "new"}
    later.put("c", "more", 0)
    other = Stored()
    other.put("d", "", 1)
    assert not stored.merge(other)
    assert stored.texts() == {"a": "new", "b": "new"}


def test_a_cell_that_stores_too_much_fails_and_stores_nothing(stage: Stage) -> None:
    stage.execute()
    store(stage, "big", 40, "1")
    store(stage, "bigger", 40, "1")
    stage.store("small", 1)
    stage.done()
    stage.execute()
    stage.done("Error: its own", cell="2")
    assert stage.sent() == [
        "2 started cell 1",
        f"2 failed ({NOT_STORED}) []",
        "closed 1",
        "3 started cell 2",
        "3 failed (Error: its own) []",
        "closed 2",
    ]
    assert '"stored":{}' in stage.told()[-2]


@pytest.mark.slow
def test_so_does_one_whose_values_no_longer_fit_beside_the_others(stage: Stage) -> None:
    stage.execute()
    store(stage, "a", 40, "1")
    stage.done()
    stage.execute()
    store(stage, "b", 40, "2")
    stage.done(cell="2")
    assert stage.sent()[-2:] == [f"3 failed ({NOT_STORED}) []", "closed 2"]
    stage.execute()
    store(stage, "a", 50, "3")
    stage.done(cell="3")
    assert stage.sent()[-2:] == ["4 completed []", "closed 3"]
