"""Programs of servers are found beside the kernel's Python."""

import os
import shutil
import sys
import sysconfig

import pytest
from toolbridge.mcp.program_path import program_path

SCRIPTS = sysconfig.get_path("scripts")


def test_an_environment_that_nobody_activated_comes_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/somewhere")
    assert program_path() == os.pathsep.join((SCRIPTS, "/somewhere"))
    python = shutil.which("python", path=program_path())
    assert python is not None
    assert os.path.samefile(python, sys.executable)


def test_one_that_is_on_the_path_already_stays_in_its_place(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    path = os.pathsep.join(("/somewhere", SCRIPTS))
    monkeypatch.setenv("PATH", path)
    assert program_path() == path
