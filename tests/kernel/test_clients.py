"""Clients without a person: nbclient, papermill and nbconvert."""

import json
import subprocess
import sys
from pathlib import Path

import nbformat
import papermill
import pytest
from codemode_kernel.record import MIME
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError
from nbformat import NotebookNode

from tests.patience import PATIENCE_S

pytestmark = pytest.mark.slow


def notebook_of(*cells: str) -> NotebookNode:
    kernelspec = {"name": "codemode", "display_name": "Code Mode", "language": "javascript"}
    return nbformat.v4.new_notebook(
        cells=[nbformat.v4.new_code_cell(cell) for cell in cells],
        metadata={"kernelspec": kernelspec},
    )


def executed(*cells: str) -> NotebookNode:
    notebook = notebook_of(*cells)
    NotebookClient(notebook, timeout=PATIENCE_S).execute()
    return notebook


def shown(cell: NotebookNode) -> list[NotebookNode]:
    """What a cell shows: its outputs without its record."""
    return [output for output in cell.outputs if MIME not in output.get("data", {})]


def test_a_slow_cell_is_complete_whatever_the_default_deadline(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    options = {"CodeModeKernel": {"exec_yield_time_ms": 20}}
    (tmp_path / "codemode_config.json").write_text(json.dumps(options))
    monkeypatch.setenv("JUPYTER_CONFIG_PATH", str(tmp_path))
    notebook = executed("text(1); await new Promise(r => setTimeout(r, 300)); text(2)")
    assert [output.text for output in shown(notebook.cells[0])] == ["1\n", "2\n"]


def test_an_error_stops_the_run_and_is_kept() -> None:
    notebook = notebook_of("text(1)", "throw new TypeError('no')", "text(2)")
    with pytest.raises(CellExecutionError, match="TypeError"):
        NotebookClient(notebook, timeout=PATIENCE_S).execute()
    assert [len(cell.outputs) for cell in notebook.cells] == [2, 2, 0]
    (error,) = shown(notebook.cells[1])
    assert error.ename == "TypeError"


def test_a_yielded_cell_is_collected_and_its_footer_says_by_whom() -> None:
    notebook = executed(
        "text('a'); yield_control(); await new Promise(r => setTimeout(r, 50)); text('b')",
        "%wait",
    )
    first, second = notebook.cells
    assert second.outputs[0].text == "b\n"
    assert "collected by In [2]" in first.outputs[1].data["text/plain"]


def test_papermill_and_nbconvert_run_it(tmp_path: Path) -> None:
    source, target = tmp_path / "in.ipynb", tmp_path / "out.ipynb"
    nbformat.write(notebook_of("text({a: 1})", "%%python\nprint('py')"), source)
    papermill.execute_notebook(source, target, progress_bar=False)
    cells = nbformat.read(target, as_version=4).cells
    assert cells[0].outputs[0].data["application/json"] == {"a": 1}
    assert cells[1].outputs[0].text == "py\n"

    convert = [sys.executable, "-m", "nbconvert", "--execute", "--to", "html", "in.ipynb"]
    subprocess.run(convert, cwd=tmp_path, check=True, capture_output=True)
    html = (tmp_path / "in.html").read_text()
    assert "&#34;a&#34;: 1" in html or '"a": 1' in html
    assert "<pre>py" in html
