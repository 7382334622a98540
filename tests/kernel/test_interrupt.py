"""What a Stop does."""

from datetime import UTC, datetime, timedelta

import pytest
from codemode_kernel.notebook.interrupt import OVERTAKING_S, SECOND_STOP_S, Interrupts

NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)
EARLIER = NOON - timedelta(milliseconds=5)
LATER = NOON + timedelta(milliseconds=5)


@pytest.fixture
def done() -> list[str]:
    return []


@pytest.fixture
def interrupts(done: list[str]) -> Interrupts:
    return Interrupts(on_idle=lambda: done.append("idle"))


def test_a_stop_ends_what_is_in_the_foreground(interrupts: Interrupts, done: list[str]) -> None:
    interrupts.enter(lambda: done.append("cell"))
    interrupts.arrive(0.0, NOON)
    assert done == ["cell"]


def test_an_idle_stop_ends_nothing(interrupts: Interrupts, done: list[str]) -> None:
    interrupts.enter(lambda: done.append("cell"))
    interrupts.leave()
    interrupts.arrive(0.0, NOON)
    assert done == ["idle"]


def test_a_second_stop_soon_ends_the_awaited_cell(interrupts: Interrupts, done: list[str]) -> None:
    def end_wait() -> None:
        done.append("wait")
        interrupts.arm_second(0.0, lambda: done.append("awaited cell"))

    interrupts.enter(end_wait)
    interrupts.arrive(0.0, NOON)
    interrupts.leave()
    interrupts.arrive(SECOND_STOP_S, NOON)
    assert done == ["wait", "awaited cell"]


def test_a_second_stop_late_is_an_idle_one(interrupts: Interrupts, done: list[str]) -> None:
    interrupts.arm_second(0.0, lambda: done.append("awaited cell"))
    interrupts.arrive(SECOND_STOP_S + 0.01, NOON)
    assert done == ["idle"]


def test_a_second_stop_is_for_the_cell_that_was_run_meanwhile(
    interrupts: Interrupts, done: list[str]
) -> None:
    interrupts.arm_second(0.0, lambda: done.append("awaited cell"))
    interrupts.enter(lambda: done.append("next cell"))
    interrupts.arrive(1.0, NOON)
    assert done == ["next cell"]


@pytest.mark.parametrize(
    "sent, arrived, overtaken",
    [
        (EARLIER, OVERTAKING_S / 2, True),
        (EARLIER, OVERTAKING_S * 2, False),
        (LATER, OVERTAKING_S / 2, False),
    ],
)
def test_an_idle_stop_counts_for_a_cell_that_it_overtook(
    interrupts: Interrupts, sent: datetime, arrived: float, overtaken: bool
) -> None:
    interrupts.arrive(0.0, NOON)
    assert interrupts.overtook(arrived, sent) is overtaken


def test_an_idle_stop_counts_once(interrupts: Interrupts) -> None:
    interrupts.arrive(0.0, NOON)
    assert interrupts.overtook(0.1, EARLIER)
    assert not interrupts.overtook(0.1, EARLIER)


def test_an_idle_signal_overtakes_nothing(interrupts: Interrupts, done: list[str]) -> None:
    interrupts.arrive(0.0, None)
    assert done == ["idle"]
    assert not interrupts.overtook(0.1, EARLIER)
