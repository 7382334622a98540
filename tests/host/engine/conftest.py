"""Engines on real processes."""

from collections.abc import AsyncIterator
from typing import get_args

import pytest
from codemode_host.engine.forked import ForkLauncher
from codemode_host.engine.workers import Mode, Workers, make_launcher

from tests.host.engine.stage import Engine

MODES = [mode for mode in get_args(Mode) if mode != "auto"]


@pytest.fixture
async def engine() -> AsyncIterator[Engine]:
    """Workers as this system starts them by default."""
    workers = Workers(make_launcher())
    await workers.start()
    yield Engine(workers)
    await workers.close()


@pytest.fixture(params=MODES)
async def engine_in_each_mode(request: pytest.FixtureRequest) -> AsyncIterator[Engine]:
    """Workers in each way to start them."""
    workers = Workers(make_launcher(request.param))
    await workers.start()
    yield Engine(workers)
    await workers.close()


@pytest.fixture(params=MODES)
async def engine_in_new_york(
    request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[Engine]:
    """Workers of a user in New York."""
    monkeypatch.setenv("TZ", "America/New_York")
    workers = Workers(make_launcher(request.param))
    yield Engine(workers)
    await workers.close()


@pytest.fixture
def launcher() -> ForkLauncher:
    """A launcher whose zygote is in reach; closed by the workers made from it."""
    return ForkLauncher()
