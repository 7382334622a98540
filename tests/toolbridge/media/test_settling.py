"""The end of an observation waits for its images, but not for ever."""

import asyncio
import sys

import pytest
from toolbridge.media import MediaPreparation, decoders
from toolbridge.media.notices import UNPROCESSABLE_IMAGE

from tests.patience import PATIENCE_S
from tests.toolbridge.media.corpus import data_url, file_of, noise

IMAGE = data_url(file_of(noise(8, 8), "PNG"))
HANGS = (sys.executable, "-c", "import time; time.sleep(600)")


@pytest.fixture
def _hanging(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(decoders, "PROGRAM", HANGS)


@pytest.mark.usefixtures("_hanging")
async def test_images_that_take_too_long_keep_their_notice(preparation: MediaPreparation) -> None:
    media = preparation.begin()
    slots = [media.image(IMAGE, None) for _ in range(3)]
    await asyncio.wait_for(media.settle(timeout_s=0.0), PATIENCE_S)
    assert [slot.notice for slot in slots] == [UNPROCESSABLE_IMAGE] * 3


@pytest.mark.usefixtures("_hanging")
async def test_whoever_waits_is_free_when_the_images_are_given_up(
    preparation: MediaPreparation,
) -> None:
    media = preparation.begin()
    slot = media.image(IMAGE, None)
    settling = asyncio.ensure_future(media.settle())
    await asyncio.sleep(0)
    media.cancel()
    await asyncio.wait_for(settling, PATIENCE_S)
    assert slot.notice == UNPROCESSABLE_IMAGE


async def test_images_that_come_after_others_are_done_are_prepared_too(
    preparation: MediaPreparation,
) -> None:
    media = preparation.begin()
    first = media.image(IMAGE, None)
    await media.settle()
    second = media.image(IMAGE, None)
    await media.settle()
    assert (first.notice, second.notice) == (None, None)


async def test_without_images_there_is_nothing_to_wait_for(preparation: MediaPreparation) -> None:
    await preparation.begin().settle()
