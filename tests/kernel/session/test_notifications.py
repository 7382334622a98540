"""Notifications that wait for an observation: in order, bounded, each taken once."""

import pytest
from codemode_kernel.session import notifications
from codemode_kernel.session.notifications import Pending
from codemode_kernel.session.observation import Notification


def note(text: str) -> Notification:
    return Notification("exec-1", "1", text)


def texts(pending: Pending) -> list[str]:
    return [taken.text for taken in pending.take()]


def test_each_is_taken_once_in_order_of_arrival() -> None:
    pending = Pending()
    for text in "abc":
        pending.add(note(text))
    assert texts(pending) == ["a", "b", "c"]
    assert texts(pending) == []


@pytest.mark.parametrize("bound", ["MOST", "MOST_CHARACTERS"])
def test_the_oldest_make_room(monkeypatch: pytest.MonkeyPatch, bound: str) -> None:
    monkeypatch.setattr(notifications, bound, 3)
    pending = Pending()
    for text in "abcdef":
        pending.add(note(text))
    assert texts(pending) == ["d", "e", "f"]
    for text in "gh":
        pending.add(note(text))
    assert texts(pending) == ["g", "h"]


def test_one_that_is_longer_than_all_may_be_is_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(notifications, "MOST_CHARACTERS", 3)
    pending = Pending()
    for text in ("a", "bcdef"):
        pending.add(note(text))
    assert texts(pending) == ["bcdef"]
