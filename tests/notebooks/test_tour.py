"""The tour runs wherever notebooks run: here the clients without a person, in tests/browser with."""

import subprocess
import sys
from pathlib import Path

import nbformat
import papermill
import pytest
from codemode_kernel.record import MIME
from nbclient import NotebookClient
from nbformat import NotebookNode

from tests.kernel.record_check import records_of
from tests.patience import PATIENCE_S

pytestmark = pytest.mark.slow

NAME = "01-tour.ipynb"


def outputs(notebook: NotebookNode, cell_id: str) -> list[NotebookNode]:
    """What a cell shows: its outputs without its record."""
    (cell,) = (cell for cell in notebook.cells if cell.id == cell_id)
    return [output for output in cell.outputs if MIME not in output.get("data", {})]


def streamed(notebook: NotebookNode, cell_id: str) -> str:
    """What a cell wrote with `text()`."""
    return "".join(out.text for out in outputs(notebook, cell_id) if out.output_type == "stream")


def shown(notebook: NotebookNode, cell_id: str) -> set[str]:
    """The MIME types a cell displayed."""
    return {mime for out in outputs(notebook, cell_id) for mime in out.get("data", {})}


def check_that_it_ran(notebook: NotebookNode) -> None:
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    assert code
    assert all(cell.execution_count for cell in code)
    assert not [out for cell in code for out in cell.outputs if out.output_type == "error"]
    for cell in code:
        is_magic = cell.source.startswith("%") and not cell.source.startswith("%wait")
        assert len(records_of(cell)) == (not is_magic)


@pytest.fixture
def executed(project: Path) -> NotebookNode:
    notebook = nbformat.read(project / NAME, as_version=4)
    NotebookClient(
        notebook, timeout=PATIENCE_S, resources={"metadata": {"path": str(project)}}
    ).execute()
    return notebook


def test_every_lesson_shows_what_it_teaches(executed: NotebookNode) -> None:
    check_that_it_ran(executed)
    assert "Hello from an exec cell." in streamed(executed, "text")
    assert streamed(executed, "await").split() == ["ready", "steady", "go"]
    assert "exec_command" in streamed(executed, "all-tools")
    assert streamed(executed, "load").strip() == "Ada, Grace, Radia"
    assert "The kettle is on." in streamed(executed, "yield")
    assert "Tea is ready." in streamed(executed, "wait")
    assert "image/png" in shown(executed, "image")
    assert "audio/wav" in shown(executed, "audio")
    assert "caught a SyntaxError" in streamed(executed, "errors")
    assert "Ada, Grace, Radia" in streamed(executed, "stop")


def test_the_command_shows_the_last_three_commits(project: Path) -> None:
    git = ["git", "-C", str(project), "-c", "user.name=Tour", "-c", "user.email=tour@example.org"]
    subprocess.run(["git", "-C", project, "init", "--quiet"], check=True)
    for subject in ("Sow", "Water", "Weed", "Reap"):
        subprocess.run([*git, "commit", "-q", "--allow-empty", "-m", subject], check=True)
    notebook = nbformat.read(project / NAME, as_version=4)
    NotebookClient(
        notebook, timeout=PATIENCE_S, resources={"metadata": {"path": str(project)}}
    ).execute()
    subjects = [line.split()[-1] for line in streamed(notebook, "exec-command").splitlines()]
    assert subjects == ["Reap", "Weed", "Water"]


def test_it_runs_in_papermill(project: Path) -> None:
    done = project / "done.ipynb"
    papermill.execute_notebook(project / NAME, done, cwd=project, progress_bar=False)
    check_that_it_ran(nbformat.read(done, as_version=4))


def test_it_runs_in_nbconvert(project: Path) -> None:
    convert = [sys.executable, "-m", "nbconvert", "--execute", "--to", "html", NAME]
    subprocess.run(convert, cwd=project, check=True, capture_output=True, timeout=4 * PATIENCE_S)
    page = (project / "01-tour.html").read_text(encoding="utf-8")
    assert "Tea is ready." in page
    assert "data:image/png;base64," in page
    assert "<audio" in page


def test_without_its_rule_the_command_is_refused_when_nobody_can_be_asked(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("JUPYTER_CONFIG_PATH")
    notebook = nbformat.read(project / NAME, as_version=4)
    client = NotebookClient(notebook, timeout=PATIENCE_S, allow_errors=True)
    client.execute()
    (refusal,) = outputs(notebook, "exec-command")
    assert refusal.output_type == "error"
