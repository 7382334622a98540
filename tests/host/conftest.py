"""Fixtures of the host's tests."""

import pytest
from codemode_host.handshake import CONTENT_STREAM

from tests.host.stage import Stage


@pytest.fixture
def stage() -> Stage:
    """A client without capabilities, with session `s` open (request 1)."""
    return Stage()


@pytest.fixture
def streaming() -> Stage:
    """The same with `content-stream-v1`."""
    return Stage([CONTENT_STREAM])
