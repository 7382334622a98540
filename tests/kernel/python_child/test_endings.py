"""However a Python process ends, what depended on it is told, and nothing stays behind."""

import asyncio
import os
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import psutil
import pytest
from codemode_kernel.python_child import PythonChild, PythonDiedError, PythonStartError, life
from codemode_kernel.python_child import process as child_process
from toolbridge.errors import Outcome, OutcomeUnknownError, ToolUnavailableError

from tests.kernel.python_child.conftest import Notebook
from tests.patience import PATIENCE_S

pytestmark = [pytest.mark.asyncio(loop_scope="module"), pytest.mark.slow]

HANGING_TOOL = (
    "import time\n@tool\ndef hang():\n    print('hanging')\n    while True: time.sleep(0.01)"
)


async def gone(*pids: int) -> bool:
    """Wait until none of the processes exists any more (a zombie is still one)."""
    processes = []
    for pid in pids:
        with suppress(psutil.NoSuchProcess):
            processes.append(psutil.Process(pid))
    _, alive = await asyncio.to_thread(psutil.wait_procs, processes, timeout=PATIENCE_S)
    return not alive


async def hanging_call(notebook: Notebook) -> asyncio.Task[object]:
    """A call that has begun and never ends."""
    await notebook.define(HANGING_TOOL)
    call = asyncio.create_task(notebook.call("hang"))
    await notebook.call_output["tool-1"].printed("hanging")
    return call


async def test_restart_takes_names_and_tools_away(notebook: Notebook) -> None:
    await notebook.define("x = 1\n@tool\ndef one(): return 1")
    pid = notebook.child.pid
    await notebook.child.restart()

    assert notebook.child.pid is None
    assert notebook.tool_names == []
    assert (await notebook.run("x"))["ename"] == "NameError"
    assert notebook.child.pid not in (None, pid)


async def test_restart_runs_exit_handlers(notebook: Notebook) -> None:
    await notebook.run("import atexit, pathlib\natexit.register(pathlib.Path('left').touch)")
    await notebook.child.restart()

    assert (notebook.folder / "left").exists()


async def test_restart_ends_a_cell_that_does_not_listen(notebook: Notebook) -> None:
    stubborn = (
        "import signal; signal.signal(signal.SIGINT, signal.SIG_IGN)\nprint('on', flush=True)\n"
    )
    cell = asyncio.create_task(notebook.run(stubborn + "while True: pass"))
    await notebook.shown.printed("on")
    await notebook.child.restart()

    with pytest.raises(PythonDiedError, match="Python was restarted"):
        await cell
    assert (await notebook.run("1"))["status"] == "ok"


async def test_a_call_under_way_at_a_restart_ends_as_unknown(notebook: Notebook) -> None:
    call = await hanging_call(notebook)
    await notebook.child.restart()

    with pytest.raises(OutcomeUnknownError, match="Python was restarted") as error:
        await call
    assert error.value.outcome is Outcome.UNKNOWN


async def test_killed_in_a_call(notebook: Notebook) -> None:
    call = await hanging_call(notebook)
    os.kill(notebook.pid, signal.SIGKILL)

    with pytest.raises(OutcomeUnknownError) as error:
        await call
    assert str(error.value) == (
        "Python was lost while tool `hang` ran: its process ended (killed by signal 9, SIGKILL). "
        "Whether the call had its effect is not known; it is not sent again"
    )
    assert notebook.tool_names == []
    assert (await notebook.run("print('anew')"))["status"] == "ok"


async def test_killed_in_a_cell(notebook: Notebook) -> None:
    cell = asyncio.create_task(notebook.run("print('on', flush=True)\nwhile True: pass"))
    await notebook.shown.printed("on")
    os.kill(notebook.pid, signal.SIGKILL)

    with pytest.raises(PythonDiedError) as error:
        await cell
    assert str(error.value) == (
        "Python ended while the cell ran: its process ended (killed by signal 9, SIGKILL). Its "
        "variables and tools are gone; the next %%python cell starts a new one"
    )
    assert (await notebook.run("1"))["status"] == "ok"


async def test_killed_at_rest(notebook: Notebook) -> None:
    await notebook.define("x = 1\n@tool\ndef one(): return 1")
    pid = notebook.pid
    os.kill(pid, signal.SIGKILL)

    assert await gone(pid)
    async with asyncio.timeout(PATIENCE_S):
        while notebook.child.pid is not None:  # noqa: ASYNC110 - no event tells of its end
            await asyncio.sleep(0)
    assert (await notebook.run("x"))["ename"] == "NameError"
    assert notebook.tool_names == []


async def test_exit_ends_the_process_and_the_next_cell_starts_another(notebook: Notebook) -> None:
    pid = notebook.pid

    assert (await notebook.run("exit()"))["status"] == "ok"
    assert await gone(pid)
    assert (await notebook.run("print('anew')"))["status"] == "ok"
    assert notebook.shown.text() == "anew\n"


async def test_a_process_that_closes_its_channel_is_ended(
    notebook: Notebook, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(life, "DYING_S", 0.1)
    pid = notebook.pid
    with pytest.raises(PythonDiedError):
        await notebook.run("import os, time; os.closerange(3, 1000); time.sleep(60)")

    assert await gone(pid)


async def test_processes_that_cells_started_end_with_the_process(notebook: Notebook) -> None:
    await notebook.run(
        "import subprocess\n"
        "plain = subprocess.Popen(['sleep', '600'])\n"
        "daemon = subprocess.Popen(['sh', '-c', 'setsid sleep 601 & echo $!'], stdout=-1)\n"
        "print(plain.pid, daemon.stdout.readline().decode().strip())"
    )
    pids = [int(pid) for pid in notebook.shown.text().split()]
    assert all(psutil.pid_exists(pid) for pid in pids)
    await notebook.child.restart()

    assert not any(psutil.pid_exists(pid) for pid in pids)


async def test_a_guardian_that_is_killed_takes_its_process_along(notebook: Notebook) -> None:
    pid = notebook.pid
    guardian = psutil.Process(pid).ppid()
    os.kill(guardian, signal.SIGKILL)

    assert await gone(pid, guardian)
    assert (await notebook.run("1"))["status"] == "ok"


KERNEL = """
import asyncio, os, signal
from codemode_kernel.python_child import PythonChild

CELL = '''
import os, subprocess
print(os.getpid(), os.getppid(), subprocess.Popen(["setsid", "sleep", "602"]).pid, flush=True)
while True: pass
'''

def show(message):
    print(message.content.get("text", ""), end="", flush=True)

asyncio.run(PythonChild().run(CELL, show))
"""


async def test_nothing_stays_behind_when_the_kernel_is_killed(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    folder = tmp_path_factory.mktemp("t")  # a long name has no room for sockets
    environment = {**os.environ, "TMPDIR": str(folder), "IPYTHONDIR": str(folder / "ipython")}
    kernel = await asyncio.create_subprocess_exec(
        sys.executable, "-c", KERNEL, stdout=subprocess.PIPE, env=environment
    )
    assert kernel.stdout is not None
    pids = [int(pid) for pid in (await kernel.stdout.readline()).split()]
    private = {name for name in os.listdir(folder) if name.startswith("codemode-python-")}
    kernel.kill()
    await kernel.wait()

    assert len(pids) == 3
    assert await gone(*pids)
    assert len(private) == 1
    assert private.isdisjoint(os.listdir(folder))


async def test_closed_is_closed() -> None:
    child = PythonChild()
    await child.close()

    with pytest.raises(PythonStartError, match="the session has ended"):
        await child.run("1", lambda _message: None)


async def test_a_folder_that_is_not_there() -> None:
    child = PythonChild(cwd="/nowhere/at/all")

    with pytest.raises(PythonStartError, match="/nowhere/at/all"):
        await child.start()


async def test_a_process_that_cannot_start_says_its_last_words(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken = tmp_path / "guardian.py"
    broken.write_text("raise SystemExit('no ipykernel here')")
    monkeypatch.setattr(child_process, "GUARDIAN", broken)

    with pytest.raises(PythonStartError) as error:
        await PythonChild().start()
    assert str(error.value) == (
        "Python did not start: its process ended (exit status 1). Its last words:\n"
        "no ipykernel here"
    )


async def test_calls_without_a_process_are_refused(notebook: Notebook) -> None:
    await notebook.define("@tool\ndef one(): return 1")
    [kept] = notebook.toolbox.catalog().tools
    await notebook.child.restart()

    with pytest.raises(ToolUnavailableError):
        await notebook.invoke(kept)
