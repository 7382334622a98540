"""Cells that have yielded: late output, footers, waits, and what ends them."""

import re
import time

import pytest
from codemode_kernel.notebook.footers import ROUND
from codemode_kernel.pace import PERIOD_S

from tests.kernel.conftest import StartKernel
from tests.kernel.notebook import Execution, Notebook
from tests.patience import PATIENCE_S

pytestmark = pytest.mark.slow

ENDLESS = "text('started'); yield_control(); await new Promise(() => {})"
SLOW = "text('a'); yield_control(); await new Promise(r => setTimeout(r, 300)); text('b')"


def cell_id(cell: Execution) -> str:
    """The id in a cell's footer."""
    found = re.match(r"\[Cell ([\w:]+):", cell.footer)
    assert found
    return found[1]


def test_a_yield_gives_the_notebook_back(notebook: Notebook) -> None:
    cell = notebook.run(ENDLESS)
    assert cell.status == "ok"
    assert cell.text() == "started\n"
    assert "running" in cell.footer
    assert notebook.run("text('next')").text() == "next\n"


def test_late_output_is_shown_by_the_footer_and_given_to_the_wait(notebook: Notebook) -> None:
    cell = notebook.run(SLOW)
    cell.until(lambda: "completed" in cell.footer)
    assert cell.footer.endswith("\nb")
    wait = notebook.run("%wait")
    assert wait.text() == "b\n"
    label = f"In [{wait.reply['execution_count']}]" if wait.reply else ""
    cell.until(lambda: True)
    assert cell.text() == "a\n"
    assert f"collected by {label}" in footer_after(cell, wait)


def footer_after(cell: Execution, other: Execution) -> str:
    """The footer of `cell` as `other`'s messages left it."""
    updates = other.of("update_display_data")
    (shown,) = cell.of("display_data")
    assert [update["transient"] for update in updates] == [shown["transient"]]
    return str(updates[0]["data"]["text/plain"])


def test_a_wait_sees_output_as_it_comes(notebook: Notebook) -> None:
    notebook.run(
        "yield_control(); await new Promise(r => setTimeout(r, 50)); text('b');"
        "await new Promise(() => {})"
    )
    wait = notebook.send("%wait")
    wait.until(lambda: wait.text() == "b\n")
    assert wait.reply is None
    notebook.stop()
    wait.done()


def test_a_wait_ends_at_its_deadline_and_says_so(notebook: Notebook) -> None:
    cell = notebook.run(ENDLESS)
    wait = notebook.run("%wait --yield-time-ms 50")
    assert wait.status == "ok"
    assert f"Cell {cell_id(cell)}: still running" in wait.footer


def test_a_wait_names_any_cell_as_a_model_does(notebook: Notebook) -> None:
    first = notebook.run(SLOW.replace("'b'", "'first'"))
    notebook.run(SLOW.replace("'b'", "'second'"))
    wait = notebook.run(f'%wait {{"cell_id": "{cell_id(first)}", "yield_time_ms": 5000}}')
    assert wait.text() == "first\n"


def test_wait_all_collects_every_cell_oldest_first(notebook: Notebook) -> None:
    for name in "xyz":
        notebook.run(SLOW.replace("'b'", f"'{name}'"))
    assert notebook.run("%wait --all").text() == "x\ny\nz\n"
    assert notebook.run("%wait").of("error")[0]["ename"] == "MagicError"


def test_wait_all_has_one_deadline_for_all_of_them(notebook: Notebook) -> None:
    cells = [notebook.run(ENDLESS) for _ in range(30)]
    # With that much for each, the wait would outlast the patience of `run`.
    wait = notebook.run(f"%wait --all --yield-time-ms {PATIENCE_S * 1000 / 25:.0f}")
    still_running = [content["data"]["text/plain"] for content in wait.of("display_data")]
    assert len(still_running) == len(cells)
    assert all("still running" in text for text in still_running)


def test_wait_all_shows_every_error(notebook: Notebook) -> None:
    for name in "ab":
        notebook.run(f"yield_control(); throw new Error('{name}')")
    notebook.run(SLOW)
    wait = notebook.run("%wait --all")
    assert [error["evalue"] for error in wait.of("error")] == [
        "a",
        "b",
        "2 of the collected cells failed.",
    ]
    assert wait.text() == "b\n"


def test_a_wait_for_an_unknown_cell_is_an_error(notebook: Notebook) -> None:
    wait = notebook.run("%wait 999")
    assert wait.of("error")[0]["evalue"] == "exec cell 999 not found"


def test_wait_can_terminate(notebook: Notebook) -> None:
    cell = notebook.run(ENDLESS)
    wait = notebook.run(f"%wait {cell_id(cell)} --terminate")
    assert wait.status == "ok"
    assert "terminated" in wait.footer
    assert "terminated" in footer_after(cell, wait)


def test_terminate_ends_the_newest_or_all(notebook: Notebook) -> None:
    notebook.run(ENDLESS)
    notebook.run(ENDLESS)
    assert notebook.run("%terminate").status == "ok"
    assert notebook.run("%terminate --all").status == "ok"
    assert notebook.run("%cells").text().startswith("No cell runs")


@pytest.mark.parametrize("magic", ["%wait --all", "%terminate --all"])
def test_all_of_nothing_is_no_error(notebook: Notebook, magic: str) -> None:
    cells = [notebook.send(code) for code in ("text(1)", magic, "text(2)")]
    assert [cell.status for cell in cells] == ["ok"] * 3
    assert cells[1].text() == (
        "Nothing runs in the background and nothing waits to be collected.\n"
    )


def test_a_late_error_turns_the_footer_and_is_given_to_the_wait(notebook: Notebook) -> None:
    cell = notebook.run(
        "yield_control();\nawait new Promise(r => setTimeout(r, 50));\nthrow new Error('late')"
    )
    cell.until(lambda: "failed" in cell.footer)
    assert "Error: late" in cell.footer
    assert "#d32f2f" in cell.of("update_display_data")[-1]["data"]["text/html"]
    wait = notebook.run("%wait")
    (error,) = wait.of("error")
    assert error["evalue"] == "late"
    assert "cell:3:" in re.sub(r"\x1b\[[0-9;]*m", "", "\n".join(error["traceback"]))
    assert wait.status == "error"


def test_late_notifications_belong_to_their_own_cell(notebook: Notebook) -> None:
    cell = notebook.run("yield_control(); await new Promise(r => setTimeout(r, 50)); notify('x')")
    other = notebook.send("await new Promise(r => setTimeout(r, 200)); text('other')").done()
    cell.until(
        lambda: any(": x" in content["data"]["text/plain"] for content in cell.of("display_data"))
    )
    assert other.kinds == ["stream"]


def test_late_output_can_go_to_its_own_cell(start_kernel: StartKernel) -> None:
    notebook = start_kernel(late_output="origin")
    cell = notebook.run(SLOW)
    cell.until(lambda: cell.text() == "a\nb\n")
    wait = notebook.run("%wait")
    assert wait.text() == ""
    assert wait.status == "ok"


def test_running_a_notebook_cell_again_ends_its_earlier_run(notebook: Notebook) -> None:
    first = notebook.run(ENDLESS, cell_id="cell-a")
    other = notebook.run(ENDLESS, cell_id="cell-b")
    again = notebook.run("text('again')", cell_id="cell-a")
    assert again.text() == "again\n"
    first.until(lambda: "terminated" in first.footer)
    assert "running" in other.footer


def test_run_all_leaves_yielded_cells_running(notebook: Notebook) -> None:
    cells = [notebook.send(code) for code in (ENDLESS, "text(1)", ENDLESS, "text(2)")]
    assert [cell.status for cell in cells] == ["ok"] * 4
    assert "running" in cells[0].footer


def test_without_stdin_the_default_deadline_does_not_apply(start_kernel: StartKernel) -> None:
    notebook = start_kernel(exec_yield_time_ms=50)
    code = "await new Promise(r => setTimeout(r, 300)); text('whole')"
    assert notebook.run(code, allow_stdin=False).text() == "whole\n"
    assert "running" in notebook.run(ENDLESS, allow_stdin=True).footer


def test_without_stdin_a_pragma_counts(notebook: Notebook) -> None:
    cell = notebook.run(
        '// @exec: {"yield_time_ms": 50}\ntext(1); await new Promise(() => {})', allow_stdin=False
    )
    assert cell.text() == "1\n"
    assert "running" in cell.footer


def test_uncollected_cells_are_collected_into_their_own_footers(start_kernel: StartKernel) -> None:
    notebook = start_kernel(max_uncollected_cells=2)
    cells = [notebook.run(SLOW.replace("'b'", f"'late {i}'")) for i in range(4)]
    notebook.until(lambda: all("collected here" in cell.footer for cell in cells[:2]))
    assert "late 0" in cells[0].footer
    assert notebook.run("%wait --all").text() == "late 2\nlate 3\n"


def test_reset_ends_cells_and_forgets_values(notebook: Notebook) -> None:
    cell = notebook.run(ENDLESS)
    notebook.run("store('k', 1)")
    notebook.run("%reset")
    cell.until(lambda: "ended with its session" in cell.footer)
    assert notebook.run("text(String(load('k')))").text() == "undefined\n"


def test_many_footers_stay_within_the_message_budget(notebook: Notebook) -> None:
    begun = time.monotonic()
    cells = [notebook.run(ENDLESS.replace("'started'", f"{i}")) for i in range(60)]
    ticking = cells[-1]
    ticking.until(lambda: "2 s" in ticking.footer)
    updates = sum(len(cell.of("update_display_data")) for cell in cells)
    assert updates <= ROUND * (1 + (time.monotonic() - begun) / PERIOD_S)
