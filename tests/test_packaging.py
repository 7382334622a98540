"""What a user installs: the wheel, made from the sdist as a package index would make it."""

import os
import re
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
EXTENSION = ROOT / "kernel" / "codemode_kernel" / "labextension"
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
def without_programs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """An environment in which no program can be found, Node and jlpm least of all."""
    return os.environ | {"PATH": str(tmp_path_factory.mktemp("no-programs"))}


@pytest.fixture(scope="module")
def sdist(tmp_path_factory: pytest.TempPathFactory, without_programs: dict[str, str]) -> Path:
    """The sdist; its build has to bring the Node that builds the extension."""
    folder = tmp_path_factory.mktemp("sdist")
    build = [sys.executable, "-m", "build", "--sdist", "--outdir", str(folder), str(ROOT)]
    subprocess.run(build, check=True, capture_output=True, timeout=280, env=without_programs)
    (found,) = folder.glob("codemode_kernel-*.tar.gz")
    return found


@pytest.fixture(scope="module")
def wheel(
    sdist: Path, tmp_path_factory: pytest.TempPathFactory, without_programs: dict[str, str]
) -> Path:
    """The wheel, built from the sdist where there is no Node at all."""
    folder = tmp_path_factory.mktemp("wheel")
    build = [sys.executable, "-m", "pip", "wheel", "--no-deps", "--no-build-isolation"]
    build += ["--wheel-dir", str(folder), str(sdist)]
    subprocess.run(
        build, check=True, capture_output=True, timeout=240 * SLOWDOWN, env=without_programs
    )
    (found,) = folder.glob("codemode_kernel-*-py3-none-any.whl")
    return found


@pytest.fixture(scope="module")
def wheel_names(wheel: Path) -> set[str]:
    with zipfile.ZipFile(wheel) as archive:
        return set(archive.namelist())


def test_the_sdist_is_enough_to_build_from_and_holds_no_tests(sdist: Path) -> None:
    with tarfile.open(sdist) as archive:
        names = {name.split("/", 1)[-1] for name in archive.getnames()}
    tops = {name.split("/")[0] for name in names}
    required = {"kernel", "toolbridge", "labextension", "pyproject.toml", "README.md"}
    assert required | {"CHANGELOG.md", "LICENSE"} <= tops
    assert not tops & {"tests", "benchmarks", ".venv"}
    assert {"labextension/yarn.lock", "labextension/src/index.ts"} <= names
    assert not [name for name in names if name.startswith("labextension/node_modules")]


def test_the_wheel_holds_every_file_of_the_packages(wheel_names: set[str]) -> None:
    expected = {
        path.relative_to(root).as_posix()
        for package, root in SOURCE_ROOTS.items()
        for path in (root / package).rglob("*")
        if path.is_file() and "__pycache__" not in path.parts and EXTENSION not in path.parents
    }
    packed = {name for name in wheel_names if name.split("/")[0] in SOURCE_ROOTS}
    assert packed == expected


def test_the_wheel_installs_the_kernelspec(wheel_names: set[str]) -> None:
    folder = "/share/jupyter/kernels/codemode/"
    packed = {name.split("/")[-1] for name in wheel_names if folder in name}
    assert packed == KERNELSPEC


def test_the_wheel_installs_the_extension_without_its_source_maps(wheel_names: set[str]) -> None:
    folder = "/share/jupyter/labextensions/codemode-labextension/"
    packed = {name.split(folder)[1] for name in wheel_names if folder in name}
    assert {"package.json", "install.json", "static/style.js"} <= packed
    assert any(name.startswith("static/remoteEntry.") for name in packed)
    assert not [name for name in wheel_names if name.endswith((".map", "build_log.json"))]


def test_the_wheel_holds_nothing_else(wheel: Path, wheel_names: set[str]) -> None:
    tops = {name.split("/")[0] for name in wheel_names}
    assert {top for top in tops if not top.endswith((".data", ".dist-info"))} == set(SOURCE_ROOTS)
    assert wheel.stat().st_size < LARGEST_WHEEL


def test_the_wheel_gives_an_empty_environment_a_kernel_and_an_extension(
    wheel: Path, tmp_path: Path
) -> None:
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

    # JupyterLab is this environment's: what it lists is what the other one holds.
    env["JUPYTER_PATH"] = str(tmp_path / "venv" / "share" / "jupyter")
    listing = subprocess.run(
        [sys.executable, "-m", "jupyter", "labextension", "list"],
        env=env,
        check=True,
        capture_output=True,
        text=True,
        timeout=90 * SLOWDOWN,
    ).stderr
    ours = listing.split(env["JUPYTER_PATH"])[1].split("share/jupyter")[0]
    assert re.search(r"codemode-labextension v[0-9.]+ .*enabled.*OK.*codemode-kernel", ours)
