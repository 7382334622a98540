"""After a thousand cells with calls of every kind nothing is left of them."""

import json
import os
import socket
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import psutil
import pytest
from jupyter_client.manager import KernelManager

from tests.kernel.notebook import Notebook
from tests.kernel.ports import kernel_ports
from tests.mcp_servers import scripted_command
from tests.patience import PATIENCE_S

WATCHED = Path(__file__).parent / "watched_kernel.py"
ROUNDS = 25
"""Of forty cells each."""

WARM_UP = 3
SERVER = {
    "tools": [
        {"name": "peek", "behaviour": {}},
        {"name": "hang", "behaviour": {"hang": True}},
        {"name": "fail", "behaviour": {"error": [-32603, "no"]}},
    ]
}
PEEK_CALL = "tools.mcp__s__peek({})"
SHELL_CALL = "tools.exec_command({cmd: 'echo out; echo err >&2'})"
PEEK = f"(await {PEEK_CALL}).content[0].text"
SHELL = f"(await {SHELL_CALL}).output"
HANGING = "Promise.all([tools.mcp__s__hang({}), tools.exec_command({cmd: 'sleep 300'})])"
LEFT_RUNNING = """\
const {session_id} = await tools.exec_command({cmd: "cat", yield_time_ms: 0});
store("shell", session_id);
text(session_id)
"""
SAY = """\
const said = await tools.write_stdin({
  session_id: load("shell"), chars: "hello\\n", close_stdin: true, yield_time_ms: 30000
});
text(said.output)
"""


class Watched:
    """A kernel that tells what it holds."""

    def __init__(self, notebook: Notebook, ear: Path, folder: Path) -> None:
        self.notebook = notebook
        self._ear = ear
        self._folder = folder

    def holds(self) -> Counter[str]:
        """Tasks and objects, processes and descriptors by program, temporary files by name."""
        with socket.socket(socket.AF_UNIX) as connection:
            connection.connect(str(self._ear))
            with connection.makefile() as answer:
                held = Counter(json.load(answer))
        kernel = psutil.Process(self.notebook.pid)
        for process in [kernel, *kernel.children(recursive=True)]:
            with suppress(psutil.NoSuchProcess):
                program = " ".join(process.cmdline()[1:3]) or process.status()
                descriptors = process.num_fds()
                held[f"process {program}"] += 1
                held[f"descriptors of {program}"] += descriptors
        for _, _, files in os.walk(self._folder):
            held.update(f"file {name}" for name in files)
        return held

    def settles_at(self, before: Counter[str]) -> None:
        """Wait until nothing is more than `before`: what was told to end takes its time."""
        deadline = time.monotonic() + PATIENCE_S
        while more := self.holds() - before:
            assert time.monotonic() < deadline, f"more than before: {dict(more)}"
            self.notebook.run_for(0.05)


@pytest.fixture
def watched(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Watched]:
    """A kernel of its own, in which everything is allowed, with a scripted server."""
    temporary, ear = tmp_path / "temporary", tmp_path / "ear"
    temporary.mkdir()
    for name in ("TMPDIR", "JUPYTER_RUNTIME_DIR", "JUPYTER_DATA_DIR"):
        monkeypatch.setenv(name, str(temporary))
    manager = KernelManager(kernel_name="codemode", cache_ports=False, **kernel_ports())
    assert manager.kernel_spec is not None
    manager.kernel_spec.argv[1:3] = [str(WATCHED), str(ear)]
    program, *args = scripted_command("s", SERVER, tmp_path)
    servers = {"s": {"command": program, "args": args}}
    options = {"gate_rules": [{"decision": "allow"}], "mcp_servers": servers}
    manager.start_kernel(
        extra_arguments=[f"--CodeModeKernel.{name}={value!r}" for name, value in options.items()],
        cwd=str(tmp_path),
    )
    notebook = Notebook(manager)
    yield Watched(notebook, ear, temporary)
    notebook.close()
    manager.shutdown_kernel(now=True)


def one_round(notebook: Notebook) -> None:
    """Forty cells: their calls are awaited, fail, are left, stopped, terminated and waited for."""
    _plain(notebook)
    _shells(notebook)
    _ended_while_calling(notebook)
    _waited_for(notebook)


def _plain(notebook: Notebook) -> None:
    """Sent without a pause, as by Run All."""
    together = f"text((await Promise.all([{PEEK_CALL}, {SHELL_CALL}])).length)"
    cells = [notebook.send(code) for code in (f"text({PEEK})", f"text({SHELL})", together) * 9]
    for peeked, shell, both in zip(cells[::3], cells[1::3], cells[2::3], strict=True):
        assert peeked.done().text() == "ok\n"
        assert sorted(shell.done().text().split()) == ["err", "out"]
        assert both.done().text() == "2\n"
    assert notebook.run("text((await tools.mcp__s__fail({})).isError)").text() == "true\n"
    assert notebook.run("await tools.exec_command({cmd: 1})").status == "error"
    assert notebook.run(f"{HANGING}; text('not awaited')").text() == "not awaited\n"


def _shells(notebook: Notebook) -> None:
    """Left running: one is written to and ends, one is ended by the person."""
    assert notebook.run(LEFT_RUNNING).status == "ok"
    assert "hello" in notebook.run(SAY).text()
    shell = notebook.run(LEFT_RUNNING).text().strip()
    assert notebook.run(f"%terminate --shell {shell}").status == "ok"


def _ended_while_calling(notebook: Notebook) -> None:
    """One by Stop, one by `%terminate`."""
    stopped = notebook.send(f"text('calling'); {HANGING}; await new Promise(() => {{}})")
    stopped.until(lambda: stopped.text() == "calling\n")
    notebook.stop()
    assert stopped.status == "error"
    assert notebook.run(f"yield_control(); await {HANGING}").status == "ok"
    assert notebook.run("%terminate").status == "ok"


def _waited_for(notebook: Notebook) -> None:
    """One that makes calls while nobody observes it, and one that leaves calls behind."""
    notebook.run(f"yield_control(); text({PEEK}); text({SHELL})")
    assert notebook.run("%wait").text().startswith("ok\n")
    notebook.run(f"yield_control(); text({PEEK}); {HANGING}")
    assert notebook.run("%wait").text() == "ok\n"


@pytest.mark.slow
def test_nothing_is_left_of_a_thousand_cells(watched: Watched) -> None:
    for _ in range(WARM_UP):
        one_round(watched.notebook)
    watched.notebook.run("text(1)")
    before = watched.holds()
    for _ in range(ROUNDS):
        one_round(watched.notebook)
    watched.settles_at(before)
