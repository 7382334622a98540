"""What several of the library's tests need."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.toolbridge.shells import Shell, shell_in


@pytest.fixture
async def shell(tmp_path: Path) -> AsyncIterator[Shell]:
    async with shell_in(tmp_path) as shell:
        yield shell
