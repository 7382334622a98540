"""What the kernel says about itself, and how it starts and ends."""

import tomllib
from pathlib import Path

import psutil
import pytest
from codemode_kernel import __version__
from codemode_kernel.magics.help import WIDTH

from tests.kernel.conftest import StartKernel
from tests.kernel.notebook import Notebook
from tests.patience import PATIENCE_S

ROOT = Path(__file__).parents[3]


def test_the_version_is_that_of_the_distribution() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert __version__ == project["version"]


def test_kernel_info_promises_no_more_than_there_is(notebook: Notebook) -> None:
    info = notebook.ask("kernel_info")
    assert info["language_info"]["name"] == "javascript"
    assert info["implementation"] == "codemode"
    assert "supported_features" not in info


def test_help_is_a_page_whose_lines_fit_a_notebook(notebook: Notebook) -> None:
    reply = notebook.run("%help").reply
    assert reply is not None
    (page,) = reply["payload"]
    assert page["source"] == "page"
    shown = page["data"]["text/plain"]
    assert max(map(len, shown.split("\n"))) <= WIDTH
    for magic in ("%wait", "%terminate", "%cells", "%store", "%reset", "%%python", "%help"):
        assert f"\n  {magic}" in shown


def test_comms_reach_their_target(notebook: Notebook) -> None:
    session = notebook.client.session
    opened = session.msg("comm_open", {"comm_id": "c1", "target_name": "nobody", "data": {}})
    notebook.client.shell_channel.send(opened)
    msg_id = opened["header"]["msg_id"]
    # Nobody has registered the target, so the kernel closes the comm again.
    notebook.until(
        lambda: any(message["msg_type"] == "comm_close" for message in notebook.iopub[msg_id])
    )


@pytest.mark.slow
def test_shutdown_leaves_nothing_behind(start_kernel: StartKernel) -> None:
    notebook = start_kernel()
    notebook.run("yield_control(); while (true) {}")
    notebook.run("%%python\nx = 1")
    family = family_of(notebook)
    assert len(family) > 3
    notebook.client.shutdown()
    assert_gone(family)


@pytest.mark.slow
def test_a_killed_kernel_leaves_nothing_behind(start_kernel: StartKernel) -> None:
    notebook = start_kernel()
    notebook.run("yield_control(); while (true) {}")
    notebook.run("%%python\nimport threading; threading.Event()")
    family = family_of(notebook)
    family[0].kill()
    assert_gone(family)


def family_of(notebook: Notebook) -> list[psutil.Process]:
    """The kernel's process and everything below it."""
    kernel = psutil.Process(notebook.pid)
    return [kernel, *kernel.children(recursive=True)]


def assert_gone(family: list[psutil.Process]) -> None:
    """All have ended. An orphan may be left as a zombie until the system's init looks at it."""
    _, left = psutil.wait_procs(family, timeout=PATIENCE_S)
    assert [process for process in left if not _is_zombie(process)] == []


def _is_zombie(process: psutil.Process) -> bool:
    try:
        return bool(process.status() == psutil.STATUS_ZOMBIE)
    except psutil.NoSuchProcess:
        return True
