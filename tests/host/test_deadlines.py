"""How long an observation lasts (contract 4.1)."""

import pytest
from codemode_host.observation import yield_after_ms

from tests.host.stage import Stage


@pytest.mark.parametrize(
    "requested,cap,expected",
    [
        (None, None, 11_000),
        (0, None, 0),
        (1, None, 1),
        (9_999, None, 9_999),
        (10_000, None, 11_000),
        (30_000, None, 31_000),
        (2**64 - 1, None, 2**64 + 999),
        (10_000, 10_500, 10_500),
        (10_000, 11_000, 11_000),
        (5_000, 10_000, 5_000),
        (5_000, 0, 0),
        (None, 400, 400),
    ],
)
def test_grace_and_cap(requested: int | None, cap: int | None, expected: int) -> None:
    assert yield_after_ms(requested, cap) == expected


def test_the_cap_of_the_session_holds_for_execute_and_wait() -> None:
    stage = Stage(limits={"maxYieldTimeMs": 400})
    stage.execute(yield_time_ms=20_000)
    assert stage.alarm_in_ms() == 400
    stage.pass_time(400)
    stage.wait(yield_time_ms=20_000)
    assert stage.alarm_in_ms() == 400


def test_the_longest_time_there_is_never_comes(stage: Stage) -> None:
    stage.execute(yield_time_ms=2**64 - 1)
    stage.pass_time(10**9)
    assert stage.sent() == ["2 started cell 1"]
