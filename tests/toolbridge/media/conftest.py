"""Preparation in real decoder processes."""

from collections.abc import AsyncIterator

import pytest
from toolbridge.media import MediaPreparation, media_rules


@pytest.fixture
async def preparation() -> AsyncIterator[MediaPreparation]:
    """As in the profile `codex`."""
    preparation = MediaPreparation(media_rules("codex"))
    yield preparation
    await preparation.close()
