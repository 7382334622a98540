"""What a user installs: the wheel, made from the sdist as a package index would make it."""

import os
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

from tests.patience import SLOWDOWN

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[1]
SOURCE_ROOTS = {
    "codemode_kernel": ROOT / "kernel",
    "codemode_host": ROOT / "kernel",
    "codemode_rules": ROOT / "kernel",
    "toolbridge": ROOT / "toolbridge",
}
KERNELSPEC = {"kernel.json", "logo-svg.svg", "logo-32x32.png", "logo-64x64.png"}
LARGEST_WHEEL = 1_000_000  # bytes

RUN_ONE_CELL = """
from jupyter_client.manager import start_new_kernel
manager, client = start_new_kernel(kernel_name="codemode")
outputs = []
try:
    reply = client.execute_interactive(
        "text(await Promise.resolve('installed'))", timeout=30, allow_stdin=False,
        output_hook=outputs.append,
    )
finally:
    client.stop_channels()
    manager.shutdown_kernel()
print(reply["content"]["status"])
print(*(o["content"]["text"] for o in outputs if o["msg_type"] == "stream"))
"""


@pytest.fixture(scope="module")
def dist(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the sdist, and the wheel built from that sdist."""
    folder = tmp_path_factory.mktemp("dist")
    build = [sys.executable, "-m", "build", "--outdir", str(folder), str(ROOT)]
    subprocess.run(build, check=True, capture_output=True, timeout=240 * SLOWDOWN)
    return folder


@pytest.fixture(scope="module")
def wheel(dist: Path) -> Path:
    (found,) = dist.glob("codemode_kernel-*-py3-none-any.whl")
    return found


@pytest.fixture(scope="module")
def wheel_names(wheel: Path) -> set[str]:
    with zipfile.ZipFile(wheel) as archive:
        return set(archive.namelist())


def test_the_wheel_holds_every_file_of_the_packages(wheel_names: set[str]) -> None:
    expected = {
        path.relative_to(root).as_posix()
        for package, root in SOURCE_ROOTS.items()
        for path in (root / package).rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    packed = {name for name in wheel_names if name.split("/")[0] in SOURCE_ROOTS}
    assert packed == expected


def test_the_wheel_installs_the_kernelspec(wheel_names: set[str]) -> None:
    folder = "/share/jupyter/kernels/codemode/"
    packed = {name.split("/")[-1] for name in wheel_names if folder in name}
    assert packed == KERNELSPEC


def test_the_wheel_holds_nothing_else(wheel: Path, wheel_names: set[str]) -> None:
    tops = {name.split("/")[0] for name in wheel_names}
    assert {top for top in tops if not top.endswith((".data", ".dist-info"))} == set(SOURCE_ROOTS)
    assert wheel.stat().st_size < LARGEST_WHEEL


def test_the_sdist_is_enough_to_build_from_and_holds_no_tests(dist: Path) -> None:
    (sdist,) = dist.glob("codemode_kernel-*.tar.gz")
    with tarfile.open(sdist) as archive:
        tops = {name.split("/")[1] for name in archive.getnames()}
    required = {"kernel", "toolbridge", "pyproject.toml", "README.md", "CHANGELOG.md", "LICENSE"}
    assert required <= tops
    assert not tops & {"tests", "benchmarks", ".venv"}


def test_the_wheel_gives_an_empty_environment_a_working_kernel(wheel: Path, tmp_path: Path) -> None:
    env = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("JUPYTER_", "IPYTHON", "PYTHON", "VIRTUAL_ENV"))
    }
    env["HOME"] = str(tmp_path)
    subprocess.run([sys.executable, "-m", "venv", tmp_path / "venv"], check=True, env=env)
    python = tmp_path / "venv" / "bin" / "python"
    subprocess.run(
        [python, "-m", "pip", "install", "--quiet", wheel],
        check=True,
        env=os.environ,
        timeout=280 * SLOWDOWN,
    )
    run = subprocess.run(
        [python, "-c", RUN_ONE_CELL],
        env=env,
        cwd=tmp_path,
        check=False,
        capture_output=True,
        text=True,
        timeout=90 * SLOWDOWN,
    )
    assert run.stdout.split() == ["ok", "installed"], run.stderr
