"""The extension's own sources: its tests, and what has to agree with the rest of the house."""

import json
import os
import subprocess
import tomllib
from pathlib import Path
from sysconfig import get_path

import codemode_kernel
import pytest

ROOT = Path(__file__).parents[1]
LABEXTENSION = ROOT / "labextension"


def test_all_versions_are_the_same() -> None:
    package = json.loads((LABEXTENSION / "package.json").read_text(encoding="utf-8"))
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert package["version"] == project["version"] == codemode_kernel.__version__


def test_the_lock_file_names_no_server() -> None:
    assert "://" not in (LABEXTENSION / "yarn.lock").read_text(encoding="utf-8")


@pytest.mark.slow
def test_its_own_tests_pass() -> None:
    scripts = Path(get_path("scripts"))
    run = subprocess.run(
        [scripts / "jlpm", "test"],
        cwd=LABEXTENSION,
        env=os.environ | {"PATH": f"{scripts}{os.pathsep}{os.environ['PATH']}"},
        check=False,
        capture_output=True,
        text=True,
        timeout=240,
    )
    assert run.returncode == 0, run.stdout + run.stderr
