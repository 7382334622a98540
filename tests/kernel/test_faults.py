"""What a person sees when something below the kernel dies, and that the next cell works."""

from contextlib import suppress

import psutil
import pytest
from codemode_kernel.session.observation import Status

from tests.kernel.conftest import StartKernel
from tests.kernel.notebook import Notebook
from tests.kernel.record_check import checked
from tests.patience import PATIENCE_S

pytestmark = pytest.mark.slow


@pytest.fixture
def fresh(start_kernel: StartKernel) -> Notebook:
    return start_kernel()


def host_of(notebook: Notebook) -> psutil.Process:
    kernel = psutil.Process(notebook.pid)
    (host,) = (p for p in kernel.children() if "codemode_host" in p.cmdline())
    return host


def test_a_host_killed_at_rest_is_replaced_and_the_loss_is_told(fresh: Notebook) -> None:
    fresh.run('store("k", 1)')
    kill(host_of(fresh))
    cell = fresh.run('text(String(load("k")))')
    assert cell.text() == "undefined\n"
    assert "stored values were lost" in cell.text("stderr")
    assert fresh.run("text(1)").text("stderr") == ""


def test_a_host_killed_in_a_cell_is_an_error_of_that_cell(fresh: Notebook) -> None:
    cell = fresh.send('text("on"); await new Promise(() => {})')
    cell.until(lambda: cell.text() == "on\n")
    host_of(fresh).kill()
    assert cell.status == "error"
    assert cell.of("error")[0]["ename"] == "HostUnavailable"
    record = checked(cell.record)
    assert (record.status, record.cell_id) == (Status.FAILED, "1")
    assert record.model_view in cell.of("error")[0]["evalue"]
    assert fresh.run("text(1)").text() == "1\n"


def test_a_host_killed_under_a_yielded_cell_turns_its_footer(fresh: Notebook) -> None:
    cell = fresh.run("yield_control(); await new Promise(() => {})")
    host_of(fresh).kill()
    cell.until(lambda: "failed" in cell.footer)
    assert fresh.run("%wait").status == "error"
    assert fresh.run("text(1)").text() == "1\n"


@pytest.mark.parametrize("code", ["while (true) {}", "await new Promise(() => {})"])
def test_a_killed_worker_costs_its_cell(notebook: Notebook, code: str) -> None:
    notebook.run('store("k", 1)')
    cell = notebook.send(f'text("on"); {code}')
    cell.until(lambda: cell.text() == "on\n")
    kill(*workers_of(notebook))
    assert cell.status == "error"
    assert notebook.run('text(load("k"))').text() == "1\n"


def test_a_killed_worker_of_a_yielded_cell_turns_its_footer(notebook: Notebook) -> None:
    notebook.run('store("k", 1)')
    cell = notebook.run("yield_control(); while (true) {}")
    kill(*workers_of(notebook))
    cell.until(lambda: "failed" in cell.footer)
    assert notebook.run("%wait").status == "error"
    assert notebook.run('text(load("k"))').text() == "1\n"


def test_a_killed_zygote_is_replaced(notebook: Notebook) -> None:
    notebook.run('store("k", 1)')
    kill(*host_of(notebook).children())
    assert notebook.run('text(load("k"))').text() == "1\n"
    assert notebook.run('text(load("k"))').text() == "1\n"


def workers_of(notebook: Notebook) -> list[psutil.Process]:
    """The worker of the running cell and the warm spares: children of the zygote."""
    return [worker for zygote in host_of(notebook).children() for worker in zygote.children()]


def kill(*processes: psutil.Process) -> None:
    """Kill, and wait until their parents have taken notice."""
    for process in processes:
        with suppress(psutil.NoSuchProcess):
            process.kill()
    _, alive = psutil.wait_procs(processes, timeout=PATIENCE_S)
    assert alive == []


def test_an_endless_printer_stays_within_the_servers_budget(notebook: Notebook) -> None:
    cell = notebook.send("while (true) text('x'.repeat(100))")
    cell.until(lambda: "the rest is not shown" in cell.text("stderr"))
    notebook.run_for(1.0)
    notebook.stop()
    assert cell.status == "error"
    assert len(cell.messages) < 200
    assert notebook.run("text(1)").text() == "1\n"


def test_three_hundred_uncollected_cells_do_not_block_the_next(start_kernel: StartKernel) -> None:
    notebook = start_kernel()
    for i in range(300):
        notebook.run(f"text({i}); yield_control(); text('late')")
    assert notebook.run("text('the 301st')").text() == "the 301st\n"
    assert notebook.run("%wait").text() == "late\n"


def test_a_restart_forgets_cells_and_values_and_works(start_kernel: StartKernel) -> None:
    notebook = start_kernel()
    notebook.run('store("k", 1); yield_control(); await new Promise(() => {})')
    family = psutil.Process(notebook.pid).children(recursive=True)
    notebook.restart()
    _, alive = psutil.wait_procs(family, timeout=PATIENCE_S)
    assert alive == []
    assert notebook.run('text(String(load("k")))').text() == "undefined\n"
