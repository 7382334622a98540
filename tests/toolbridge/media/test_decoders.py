"""Decoder processes: replaced when they die, ended when they hang, and ended with the kernel."""

import asyncio
import sys

import psutil
import pytest
from codemode_rules.image_size import ORIGINAL
from toolbridge.media import decoders
from toolbridge.media.decoders import Decoders

from tests.patience import PATIENCE_S
from tests.toolbridge.media.corpus import data_url, file_of, noise

PAYLOAD = data_url(file_of(noise(8, 8), "PNG")).partition(",")[2]
OURS = decoders.PROGRAM


def programs() -> list[list[str]]:
    return [child.cmdline() for child in psutil.Process().children()]


async def test_nothing_runs_before_the_first_image_and_after_the_end() -> None:
    running = len(programs())
    pool = Decoders()
    assert len(programs()) == running
    assert await pool.decode(PAYLOAD, ORIGINAL) is not None
    assert len(programs()) == running + 1
    await pool.close()
    assert len(programs()) == running
    assert await pool.decode(PAYLOAD, ORIGINAL) is None


@pytest.mark.parametrize(
    "program",
    [
        pytest.param("import time; time.sleep(600)", marks=pytest.mark.slow),
        "raise SystemExit(3)",
        "import os; os.abort()",
        "print('?')",
    ],
)
async def test_a_process_that_hangs_or_dies_costs_one_image(
    monkeypatch: pytest.MonkeyPatch, program: str
) -> None:
    pool = Decoders(decode_s=2.0)
    monkeypatch.setattr(decoders, "PROGRAM", (sys.executable, "-c", program))
    assert await pool.decode(PAYLOAD, ORIGINAL) is None
    monkeypatch.setattr(decoders, "PROGRAM", OURS)
    pool = Decoders()
    try:
        assert await pool.decode(PAYLOAD, ORIGINAL) is not None
    finally:
        await pool.close()


async def test_an_idle_process_that_was_killed_costs_no_image(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    started: list[asyncio.subprocess.Process] = []
    start = decoders._start

    async def kept() -> asyncio.subprocess.Process:
        started.append(await start())
        return started[-1]

    monkeypatch.setattr(decoders, "_start", kept)
    pool = Decoders()
    assert await pool.decode(PAYLOAD, ORIGINAL) is not None
    started[0].kill()
    await asyncio.wait_for(started[0].wait(), PATIENCE_S)
    assert await pool.decode(PAYLOAD, ORIGINAL) is not None
    assert len(started) == 2
    await pool.close()


async def test_an_image_that_is_given_up_ends_its_process(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    begun: asyncio.Future[asyncio.subprocess.Process] = asyncio.get_running_loop().create_future()
    start = decoders._start

    async def told() -> asyncio.subprocess.Process:
        begun.set_result(await start())
        return begun.result()

    monkeypatch.setattr(decoders, "PROGRAM", (sys.executable, "-c", "import time; time.sleep(600)"))
    monkeypatch.setattr(decoders, "_start", told)
    pool = Decoders()
    work = asyncio.ensure_future(pool.decode(PAYLOAD, ORIGINAL))
    process = await begun
    work.cancel()
    await asyncio.wait_for(process.wait(), PATIENCE_S)
    await pool.close()


async def test_the_loop_goes_on_while_images_are_decoded() -> None:
    pool = Decoders()
    large = data_url(file_of(noise(2000, 2000), "JPEG")).partition(",")[2]
    work = asyncio.gather(*(pool.decode(large, ORIGINAL) for _ in range(4)))
    rounds = 0
    while not work.done():
        await asyncio.sleep(0)
        rounds += 1
    assert all(decoded is not None for decoded in await work)
    assert rounds > 100
    await pool.close()
