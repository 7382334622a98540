"""Stop, from the person's side."""

import os
import signal

import pytest

from tests.kernel.conftest import StartKernel
from tests.kernel.notebook import Notebook

BUSY = "while (true) {}"
AWAITING = "await new Promise(() => {})"
BACKGROUND = f"yield_control(); {AWAITING}"


@pytest.mark.parametrize("code", [BUSY, AWAITING])
def test_stop_ends_the_foreground_cell_and_keeps_the_session(notebook: Notebook, code: str) -> None:
    notebook.run('store("kept", 1)')
    cell = notebook.send(f'text("on"); {code}')
    cell.until(lambda: cell.text() == "on\n")
    notebook.stop()
    cell.done()
    assert cell.of("error")[0]["ename"] == "Stopped"
    assert cell.status == "error"
    assert notebook.run('text(load("kept"))').text() == "1\n"


def test_stop_ends_a_cell_whose_host_does_not_come_up(start_kernel: StartKernel) -> None:
    notebook = start_kernel(host_command="sleep 1000")
    cell = notebook.send("text(1)")
    cell.until(lambda: bool(notebook.iopub[cell.msg_id]))
    notebook.stop()
    cell.done()
    assert cell.of("error")[0]["evalue"] == "The cell was stopped before it started."


def test_stop_leaves_background_cells_alone(notebook: Notebook) -> None:
    background = notebook.run(BACKGROUND)
    cell = notebook.send(f'text("on"); {AWAITING}')
    cell.until(lambda: cell.text() == "on\n")
    notebook.stop()
    assert cell.status == "error"
    assert "running" in background.footer


def test_an_idle_stop_ends_nothing_and_says_how(notebook: Notebook) -> None:
    background = notebook.run(BACKGROUND)
    notebook.stop()
    background.until(lambda: "Stop ends only the cell in the foreground" in background.footer)
    assert "%terminate" in background.footer
    assert notebook.run("text(1)").text() == "1\n"


def test_stop_during_a_wait_ends_the_wait(notebook: Notebook) -> None:
    background = notebook.run(BACKGROUND)
    wait = notebook.send("%wait")
    wait.until(lambda: started(notebook, wait.msg_id))
    notebook.stop()
    assert wait.status == "error"
    assert "The wait was stopped" in wait.of("error")[0]["evalue"]
    assert "running" in background.footer


def test_a_second_stop_ends_the_awaited_cell(notebook: Notebook) -> None:
    background = notebook.run(BACKGROUND)
    wait = notebook.send("%wait")
    wait.until(lambda: started(notebook, wait.msg_id))
    notebook.stop()
    notebook.stop()
    wait.done()
    background.until(lambda: "terminated" in background.footer)


def started(notebook: Notebook, msg_id: str) -> bool:
    """Whether the kernel has taken a request up."""
    return any(message["msg_type"] == "execute_input" for message in notebook.iopub[msg_id])


def test_stop_aborts_what_is_queued(notebook: Notebook) -> None:
    cell = notebook.send(f'text("on"); {AWAITING}')
    queued = notebook.send("text(2)")
    cell.until(lambda: cell.text() == "on\n")
    notebook.stop()
    assert cell.status == "error"
    assert queued.status == "aborted"


def test_a_stop_that_overtakes_its_cell_is_not_lost(notebook: Notebook) -> None:
    for _ in range(20):
        cell = notebook.send(AWAITING)
        notebook.stop()
        assert cell.status == "error"


@pytest.mark.skipif(os.name == "nt", reason="Windows has no SIGINT for other processes")
def test_sigint_is_a_stop(notebook: Notebook) -> None:
    background = notebook.run(BACKGROUND)
    cell = notebook.send(f'text("on"); {AWAITING}')
    cell.until(lambda: cell.text() == "on\n")
    os.kill(notebook.pid, signal.SIGINT)
    assert cell.status == "error"
    # A signal does not say when it was sent: the next cell has to wait until it has arrived.
    os.kill(notebook.pid, signal.SIGINT)
    background.until(lambda: "Stop ends only the cell in the foreground" in background.footer)
    assert notebook.run("text(1)").text() == "1\n"


def test_small_questions_are_answered_while_a_cell_runs(notebook: Notebook) -> None:
    cell = notebook.send(f'text("on"); {AWAITING}')
    cell.until(lambda: cell.text() == "on\n")
    for kind, content in (
        ("kernel_info", {}),
        ("is_complete", {"code": "text("}),
        ("complete", {"code": "te", "cursor_pos": 2}),
        ("inspect", {"code": "te", "cursor_pos": 2, "detail_level": 0}),
        ("history", {"hist_access_type": "tail", "output": False, "raw": True, "n": 1}),
        ("comm_info", {}),
    ):
        reply = notebook.ask(kind, **content)
        assert reply["status"] in ("ok", "incomplete")
    assert cell.reply is None
    notebook.stop()
    assert cell.done().text() == "on\n"
