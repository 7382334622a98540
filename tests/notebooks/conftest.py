"""The notebooks, in a folder of their own that looks like the clone they come from."""

import shutil
from pathlib import Path

import pytest

NOTEBOOKS = Path(__file__).parents[2] / "notebooks"


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the notebooks whose gate rule holds; without a git history."""
    folder = tmp_path / "notebooks"
    shutil.copytree(NOTEBOOKS, folder)
    monkeypatch.setenv("JUPYTER_CONFIG_PATH", str(folder))
    return folder
