"""Answers to history requests."""

from typing import Any

import pytest
from codemode_kernel.messages.history import History


@pytest.fixture
def history() -> History:
    history = History()
    for line, text in enumerate(["text(1)", "text(2)", "load('a')", "text(1)"], start=1):
        history.add(line, text)
    return history


@pytest.mark.parametrize(
    "request_, lines",
    [
        ({"hist_access_type": "tail", "n": 2}, [3, 4]),
        ({"hist_access_type": "tail", "n": 0}, []),
        ({"hist_access_type": "tail", "n": 99}, [1, 2, 3, 4]),
        ({"hist_access_type": "range", "session": 0, "start": 2, "stop": 4}, [2, 3]),
        ({"hist_access_type": "range", "session": 1, "start": 3, "stop": None}, [3, 4]),
        ({"hist_access_type": "range", "session": 7, "start": 1, "stop": 9}, []),
        ({"hist_access_type": "search", "pattern": "text*"}, [1, 2, 4]),
        ({"hist_access_type": "search", "pattern": "text*", "n": 2}, [2, 4]),
        ({"hist_access_type": "search", "pattern": "text(1)", "unique": True}, [4]),
        ({"hist_access_type": "search", "pattern": "none"}, []),
    ],
)
def test_what_is_asked_for_is_found(
    history: History, request_: dict[str, Any], lines: list[int]
) -> None:
    reply = history.reply(request_)
    assert [line for _, line, _ in reply["history"]] == lines


def test_entries_with_output_are_pairs(history: History) -> None:
    reply = history.reply({"hist_access_type": "tail", "n": 1, "output": True})
    assert reply == {"status": "ok", "history": [(1, 4, ("text(1)", None))]}
