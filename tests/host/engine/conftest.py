"""Engines on real processes, one for the tests of a file: a cell leaves nothing in them."""

from collections.abc import AsyncIterator
from pathlib import Path
from typing import get_args

import pytest
import pytest_asyncio
from codemode_host.engine.forked import ForkLauncher
from codemode_host.engine.workers import Mode, Workers, make_launcher

from tests.host.engine.stage import Engine

HERE = Path(__file__).parent

ENGINES = frozenset({"engine", "engine_in_each_mode", "engine_in_new_york", "forked"})


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Tests on an engine run on the event loop that it lives on, which is the file's."""
    for item in items:
        if item.path.parent == HERE and ENGINES.intersection(getattr(item, "fixturenames", ())):
            item.add_marker(pytest.mark.asyncio(loop_scope="module"), append=False)


MODES = [mode for mode in get_args(Mode) if mode != "auto"]


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def engine() -> AsyncIterator[Engine]:
    """Workers as this system starts them by default."""
    workers = Workers(make_launcher())
    await workers.start()
    yield Engine(workers)
    await workers.close()


@pytest_asyncio.fixture(scope="module", loop_scope="module", params=MODES)
async def engine_in_each_mode(request: pytest.FixtureRequest) -> AsyncIterator[Engine]:
    """Workers in each way to start them."""
    workers = Workers(make_launcher(request.param))
    await workers.start()
    yield Engine(workers)
    await workers.close()


@pytest_asyncio.fixture(loop_scope="module", params=MODES)
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
