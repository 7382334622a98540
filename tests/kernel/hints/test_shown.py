"""Where a hint is shown: in the error itself, or as one quiet output."""

from tests.kernel.conftest import StartKernel
from tests.kernel.notebook import Execution, Notebook


def hint_of(cell: Execution) -> str:
    """The last line of the cell's one error."""
    (error,) = cell.of("error")
    assert cell.reply is not None
    assert cell.reply["traceback"] == error["traceback"]
    return str(error["traceback"][-1])


def test_after_an_error_it_is_the_last_line_of_the_traceback(notebook: Notebook) -> None:
    cell = notebook.run("console.log(1)")
    assert cell.kinds == ["error"]
    assert "Hint: A cell has no `console`" in hint_of(cell)
    assert cell.of("error")[0]["evalue"] == "console is not defined"


def test_after_a_silent_cell_it_is_one_quiet_output(notebook: Notebook) -> None:
    (shown,) = notebook.run('"<b>"').of("display_data")
    assert shown["data"]["text/plain"].startswith("Hint: The cell is one string")
    assert '<code>text("<b>")</code>' not in shown["data"]["text/html"]
    assert "<code>text(&quot;&lt;b&gt;&quot;)</code>" in shown["data"]["text/html"]


def test_a_silent_request_gets_none(notebook: Notebook) -> None:
    assert notebook.run("6 * 7", silent=True).messages == []


def test_it_names_the_notebook_cell_that_had_the_variable(notebook: Notebook) -> None:
    first = notebook.run("const tree = {a: 1}; text(tree)")
    assert first.reply is not None
    label = f"In [{first.reply['execution_count']}]"
    assert f"`tree` was declared in {label}" in hint_of(notebook.run("text(tree.a)"))


def test_a_wait_gives_the_hint_of_the_cell_it_collects(notebook: Notebook) -> None:
    cell = notebook.run("yield_control(); await new Promise(r => setTimeout(r, 1)); sleep(1)")
    cell.until(lambda: "failed" in cell.footer)
    assert "Hint: A cell has no `sleep`" in hint_of(notebook.run("%wait"))


def test_a_call_that_nobody_awaited_is_named(notebook: Notebook) -> None:
    (shown,) = notebook.run('tools.exec_command({cmd: "sleep 60"})').of("display_data")
    assert "is not awaited" in shown["data"]["text/plain"]


def test_hints_can_be_turned_off(start_kernel: StartKernel) -> None:
    quiet = start_kernel(hints=False)
    assert quiet.run("6 * 7").messages == []
    assert "Hint" not in hint_of(quiet.run("console.log(1)"))
