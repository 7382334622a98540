"""Where the kernels of a module keep what they capture."""

from pathlib import Path

import pytest


@pytest.fixture(scope="module")
def runtime(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("runtime")
