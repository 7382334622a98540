"""A `%%python` cell shows what an IPython cell shows, and can be stopped like one."""

import asyncio

import pytest
from codemode_kernel.python_child import ChildMessage, PythonDiedError

from tests.kernel.python_child.conftest import Notebook, Shown
from tests.patience import PATIENCE_S

pytestmark = [pytest.mark.slow, pytest.mark.asyncio(loop_scope="module")]


async def test_result_and_prints_carry_the_number_of_the_notebook_cell(notebook: Notebook) -> None:
    reply = await notebook.run("print('to stdout')\n6 * 7", execution_count=12)

    assert reply["status"] == "ok"
    assert reply["execution_count"] == 12
    assert notebook.shown.text() == "to stdout\n"
    [result] = notebook.shown.of_type("execute_result")
    assert result.content["data"] == {"text/plain": "42"}
    assert result.content["execution_count"] == 12


async def test_cells_share_their_names(notebook: Notebook) -> None:
    await notebook.run("import math\nx = 20")
    await notebook.run("print(math.floor(x + 2.5))")

    assert notebook.shown.text() == "22\n"


async def test_error_is_shown_and_replied_with_a_traceback(notebook: Notebook) -> None:
    reply = await notebook.run("# %%python\nx = 1\n1 / 0", execution_count=4)

    [error] = notebook.shown.of_type("error")
    assert error.content["ename"] == reply["ename"] == "ZeroDivisionError"
    assert error.content["evalue"] == reply["evalue"] == "division by zero"
    assert reply["status"] == "error"
    plain = "\n".join(reply["traceback"])
    assert "In[4]" in plain
    assert "line 3" in plain


async def test_an_error_leaves_later_cells_alone(notebook: Notebook) -> None:
    failing = asyncio.create_task(notebook.run("import time; time.sleep(0.1); 1 / 0"))
    following = asyncio.create_task(notebook.run("print('went on')"))

    assert (await failing)["status"] == "error"
    assert (await following)["status"] == "ok"
    assert notebook.shown.text() == "went on\n"


async def test_displays_can_be_updated_and_cleared(notebook: Notebook) -> None:
    await notebook.run(
        "from IPython.display import clear_output, display, HTML\n"
        "handle = display(HTML('<b>one</b>'), display_id=True)\n"
        "handle.update(HTML('<b>two</b>'))\n"
        "clear_output(wait=True)"
    )

    first, second, cleared = notebook.shown.messages
    assert first.msg_type == "display_data"
    assert first.content["data"]["text/html"] == "<b>one</b>"
    assert second.msg_type == "update_display_data"
    assert second.content["transient"] == first.content["transient"]
    assert cleared == ChildMessage("clear_output", {"wait": True}, cleared.metadata)


async def test_top_level_await_and_stderr(notebook: Notebook) -> None:
    await notebook.run(
        "import asyncio, sys\nprint(await asyncio.sleep(0, 'later'), file=sys.stderr)"
    )

    assert notebook.shown.text("stderr") == "later\n"


async def test_output_of_subprocesses_is_the_cells(notebook: Notebook) -> None:
    await notebook.run("import subprocess; subprocess.run(['echo', 'from below']); print('end')")
    await notebook.run("print('next')")

    assert "from below\n" in notebook.shown.text()


async def test_no_output_is_dropped(notebook: Notebook) -> None:
    await notebook.run(
        "from IPython.display import display\nfor n in range(3000): display({'text/plain': str(n)}, raw=True)"
    )

    displays = notebook.shown.of_type("display_data")
    assert [int(d.content["data"]["text/plain"]) for d in displays] == list(range(3000))


async def test_what_a_thread_prints_later_goes_to_the_cell_that_started_it(
    notebook: Notebook,
) -> None:
    first, second = Shown(), Shown()

    await notebook.child.run(
        "import contextvars, threading\n"
        "go = threading.Event()\n"
        "def report():\n"
        "    go.wait()\n"
        "    print('late', flush=True)\n"
        "threading.Thread(target=contextvars.copy_context().run, args=(report,)).start()",
        first,
    )
    await notebook.child.run("print('second'); go.set()", second)
    await first.printed("late")

    assert first.text() == "late\n"
    assert second.text() == "second\n"


async def test_input_is_asked_through_the_caller(notebook: Notebook) -> None:
    async def on_input(prompt: str, password: bool) -> str:
        return f"{prompt}|{password}"

    await notebook.run(
        "import getpass\nprint(input('name? '))\nprint(getpass.getpass('secret? '))",
        on_input=on_input,
    )

    assert notebook.shown.text() == "name? |False\nsecret? |True\n"


async def test_input_without_anybody_to_ask_fails_at_once(notebook: Notebook) -> None:
    reply = await notebook.run("input('name? ')")

    assert reply["ename"] == "StdinNotImplementedError"


async def test_input_that_nobody_answers_interrupts_the_cell(notebook: Notebook) -> None:
    async def on_input(prompt: str, password: bool) -> str:
        raise RuntimeError("the page is gone")

    reply = await notebook.run("input('name? ')", on_input=on_input)

    assert reply["ename"] == "KeyboardInterrupt"
    assert "the page is gone" in notebook.shown.text("stderr")


@pytest.mark.parametrize(
    "blocking, ename",
    [
        ("while True: pass", "KeyboardInterrupt"),
        ("import time; time.sleep(60)", "KeyboardInterrupt"),
        ("import subprocess; subprocess.run(['sleep', '60'])", "KeyboardInterrupt"),
        ("import asyncio; await asyncio.sleep(60)", "CancelledError"),
    ],
)
async def test_interrupt_stops_the_cell_and_keeps_its_names(
    notebook: Notebook, blocking: str, ename: str
) -> None:
    cell = asyncio.create_task(notebook.run(f"kept = 1; print('running', flush=True)\n{blocking}"))
    await notebook.shown.printed("running")
    assert notebook.child.interrupt()
    reply = await asyncio.wait_for(cell, PATIENCE_S)

    assert reply["ename"] == ename
    await notebook.run("print(kept)")
    assert notebook.shown.text() == "running\n1\n"


async def test_a_cell_that_ignores_interrupts_loses_its_process_to_a_later_one(
    notebook: Notebook,
) -> None:
    code = "import signal; signal.signal(signal.SIGINT, signal.SIG_IGN)\nprint('on', flush=True)"
    cell = asyncio.create_task(notebook.run(f"{code}\nwhile True: pass"))
    await notebook.shown.printed("on")
    assert notebook.child.interrupt()
    await notebook.shown.printed("Another Stop ends its process", "stderr")
    assert notebook.child.interrupt()

    with pytest.raises(PythonDiedError, match="Stop ended its process"):
        await asyncio.wait_for(cell, PATIENCE_S)
    assert (await notebook.run("1"))["status"] == "ok"


async def test_interrupt_while_the_process_starts_means_that_the_cell_does_not_run(
    notebook: Notebook,
) -> None:
    await notebook.child.restart()
    cell = asyncio.create_task(notebook.run("open('trace', 'w')"))
    await asyncio.sleep(0)  # the cell has begun; its process takes a long time yet
    assert notebook.child.interrupt()

    assert (await cell)["ename"] == "KeyboardInterrupt"
    [error] = notebook.shown.of_type("error")
    assert error.content["ename"] == "KeyboardInterrupt"
    assert not (notebook.folder / "trace").exists()


async def test_cancelling_the_run_interrupts_the_cell(notebook: Notebook) -> None:
    cell = asyncio.create_task(notebook.run("print('running', flush=True)\nwhile True: pass"))
    await notebook.shown.printed("running")
    cell.cancel()
    await asyncio.wait({cell})

    assert cell.cancelled()
    assert (await asyncio.wait_for(notebook.run("'free'"), PATIENCE_S))["status"] == "ok"


async def test_nothing_to_interrupt(notebook: Notebook) -> None:
    assert not notebook.child.interrupt()
    assert (await notebook.run("1"))["status"] == "ok"
