"""`%%python` cells, as the kernel shows them."""

import re

import pytest
from codemode_kernel.outputs.outputs import MAX_TEXT

from tests.kernel.notebook import Notebook

pytestmark = pytest.mark.slow

LETTERS = '''%%python
from toolbridge import tool

@tool
def shout(phrase: str) -> str:
    """Say it loudly."""
    print("shouting", phrase)
    return phrase.upper()
'''


def test_prints_displays_and_results_are_shown(notebook: Notebook) -> None:
    cell = notebook.run("%%python\nimport sys\nprint('out')\nprint('err', file=sys.stderr)\n6 * 7")
    assert cell.text() == "out\n"
    assert cell.text("stderr") == "err\n"
    (result,) = cell.of("execute_result")
    assert result["data"]["text/plain"] == "42"
    assert cell.reply is not None
    assert result["execution_count"] == cell.reply["execution_count"]


def test_a_lone_surrogate_costs_no_output(notebook: Notebook) -> None:
    cell = notebook.run("%%python\nprint('a\\ud800b')\nprint('after')")
    assert cell.text() == "a\ufffdb\nafter\n"
    assert cell.text("stderr") == ""
    cell = notebook.run("%%python\nraise ValueError('a\\ud800b')")
    assert [error["evalue"] for error in cell.of("error")] == ["a\ufffdb"]


def test_an_error_is_shown_once_and_replied(notebook: Notebook) -> None:
    cell = notebook.run("%%python\n1 / 0")
    assert [error["ename"] for error in cell.of("error")] == ["ZeroDivisionError"]
    assert cell.reply is not None
    assert cell.reply["ename"] == "ZeroDivisionError"


def test_a_traceback_names_the_cell_and_the_line_of_the_notebook(notebook: Notebook) -> None:
    cell = notebook.run("%%python\nx = 1\n1 / 0")
    assert cell.reply is not None
    (error,) = cell.of("error")
    place = re.sub(r"\x1b\[[\d;]*m", "", "\n".join(error["traceback"]))
    assert f"In[{cell.reply['execution_count']}], line 3" in place


def test_cell_magics_of_ipython_work_below_it(notebook: Notebook) -> None:
    assert notebook.run("%%python\n%%capture kept\nprint('hidden')").text() == ""


def test_its_functions_are_tools_whose_prints_go_to_the_calling_cell(notebook: Notebook) -> None:
    assert notebook.run(LETTERS).status == "ok"
    cell = notebook.send('text(await tools.shout({phrase: "hey"}))')
    notebook.answer("o")
    assert cell.done().text().split() == ["shouting", "hey", "HEY"]


def test_input_asks_the_person(notebook: Notebook) -> None:
    cell = notebook.send("%%python\nprint(input('Name? ') + '!')")
    notebook.until(lambda: bool(notebook.questions))
    assert notebook.questions[0]["content"] == {"prompt": "Name? ", "password": False}
    notebook.answer("Ada")
    assert cell.done().text() == "Ada!\n"


def test_stop_interrupts_it_and_keeps_its_variables(notebook: Notebook) -> None:
    notebook.run("%%python\nkept = 1")
    cell = notebook.send("%%python\nprint('on', flush=True)\nwhile True: pass")
    cell.until(lambda: cell.text() == "on\n")
    notebook.stop()
    assert cell.status == "error"
    assert notebook.run("%%python\nprint(kept)").text() == "1\n"


def test_a_tool_whose_name_is_taken_is_reported(notebook: Notebook) -> None:
    code = "%%python\nfrom toolbridge import tool\n@tool\ndef exec_command(cmd: str) -> str: ..."
    cell = notebook.run(code)
    assert "`exec_command` of python is left out: `exec_command` of" in cell.text("stderr")
    assert notebook.run("%%python\n1").text("stderr") == ""


def test_an_endless_printer_is_cut_with_a_notice(notebook: Notebook) -> None:
    cell = notebook.send("%%python\nwhile True: print('x' * 1000)")
    cell.until(lambda: "the rest is not shown" in cell.text("stderr"))
    notebook.stop()
    assert cell.status == "error"
    assert len(cell.text()) == MAX_TEXT


def test_reset_starts_it_anew(notebook: Notebook) -> None:
    notebook.run("%%python\nkept = 1")
    notebook.run("%reset")
    assert notebook.run("%%python\nprint(kept)").status == "error"


def test_arguments_are_refused(notebook: Notebook) -> None:
    (error,) = notebook.run("%%python -m\n1").of("error")
    assert error["ename"] == "MagicError"
