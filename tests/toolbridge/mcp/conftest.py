"""What several of the tests of MCP servers need."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.toolbridge.mcp.servers import Servers


@pytest.fixture
async def servers(tmp_path: Path) -> AsyncIterator[Servers]:
    made = Servers(tmp_path)
    yield made
    await made.toolbox.close()
