"""The lessons on tools show what they teach, with their real servers, where nobody can be asked."""

import re
import shutil
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient
from nbformat import NotebookNode

from tests.notebooks.conftest import NOTEBOOKS
from tests.notebooks.test_tour import check_that_it_ran, outputs, streamed
from tests.patience import PATIENCE_S

pytestmark = pytest.mark.slow

NOBODY = "it needs a person's approval and nobody is there to ask"


def executed(project: Path, name: str) -> NotebookNode:
    notebook = nbformat.read(project / name, as_version=4)
    client = NotebookClient(
        notebook, timeout=PATIENCE_S, resources={"metadata": {"path": str(project)}}
    )
    client.execute()
    check_that_it_ran(notebook)
    return notebook


def table(notebook: NotebookNode, cell_id: str, position: int = 0) -> dict[str, list[str]]:
    """Rows of a table that a cell shows, by their first column."""
    shown = [out for out in outputs(notebook, cell_id) if "text/html" in out.get("data", {})]
    lines = shown[position].data["text/plain"].split("\n")[1:]
    return {row[0]: row[1:] for row in (re.split(r"  +", line) for line in lines)}


def costs(notebook: NotebookNode, cell_id: str) -> dict[str, int]:
    rows = table(notebook, cell_id, 1).items()
    return {name: int(row[0].replace(",", "")) for name, row in rows if row and row[0]}


def states(notebook: NotebookNode, cell_id: str) -> dict[str, str]:
    """What `%deferral` says of each tool."""
    return {name: row[1] for name, row in table(notebook, cell_id).items()}


def last_line(notebook: NotebookNode, cell_id: str) -> str:
    return str(outputs(notebook, cell_id)[-1].data["text/plain"])


@pytest.fixture(scope="module")
def deferral(tmp_path_factory: pytest.TempPathFactory) -> NotebookNode:
    """The third lesson after its run, which takes its time."""
    folder = tmp_path_factory.mktemp("lesson") / "notebooks"
    shutil.copytree(NOTEBOOKS, folder)
    return executed(folder, "03-tool-deferral.ipynb")


def test_the_gate_is_met_and_explained(project: Path) -> None:
    notebook = executed(project, "02-tools-and-the-gate.ipynb")
    assert [row[0] for row in table(notebook, "mcp").values()] == ["ready", "ready"]
    effects = {name: row[3] for name, row in table(notebook, "tools").items()}
    assert effects["mcp__shop__query"] == "read-only"
    assert effects["mcp__shop__execute"] == "destructive"
    assert "+05:30." in streamed(notebook, "read")
    assert "Assam: 500 g" in streamed(notebook, "read")
    assert NOBODY in streamed(notebook, "asked")
    assert table(notebook, "explain")["why"] == ["no rule allows it"]
    assert table(notebook, "explain")["to allow it"][0].startswith("%gate allow mcp__shop__exec")
    assert streamed(notebook, "same").count(NOBODY) == 3
    _rules_decide(notebook)
    (trace,) = (out for out in outputs(notebook, "trace") if out.output_type == "display_data")
    assert "2 done, 1 refused" in trace.data["text/plain"]
    assert "fulfilled: Sencha is ready" in streamed(notebook, "trace")
    assert '"grams"' in streamed(notebook, "call")


def _rules_decide(notebook: NotebookNode) -> None:
    (delivered,) = outputs(notebook, "deliver")
    assert delivered.data["application/json"] == {"rows_changed": 1}
    assert table(notebook, "explain-ahead")["decision"] == ["ask"]
    assert table(notebook, "glob")["decision"] == ["allow"]
    assert "the shop stays" in streamed(notebook, "denied")
    assert "850 g in stock" in streamed(notebook, "planned")
    assert "the gate is in mode plan" in streamed(notebook, "planned")


def test_tools_cross_the_threshold_and_a_search_brings_them_back(deferral: NotebookNode) -> None:
    notebook = deferral
    for cell_id, number in (("begin", 4), ("nine", 9)):
        assert list(states(notebook, cell_id).values()) == ["declared"] * number
    for cell_id, number in (("thirteen", 13), ("twentyfive", 25)):
        assert list(states(notebook, cell_id).values()) == ["deferred"] * number
    assert "`exec_command`, `write_stdin`" in last_line(notebook, "thirteen")
    assert "are now deferred: 13 undecided tools are more than 10" in last_line(
        notebook, "thirteen"
    )
    assert streamed(notebook, "block").count("\n- ") == 25
    assert last_line(notebook, "describe").startswith("[It is deferred, the prompt leaves this out")
    _tokens_follow(notebook)
    assert "git_log" not in streamed(notebook, "search")
    assert "- mcp__git__git_log: " in streamed(notebook, "select")
    assert "Message: Reap" in streamed(notebook, "log")
    assert table(notebook, "cost")["mcp__git__git_log"][1] == "declared: loaded"
    assert table(notebook, "cost")["mcp__git__git_log"][-1] == "1"
    assert NOBODY in streamed(notebook, "gate")


def _tokens_follow(notebook: NotebookNode) -> None:
    nine, thirteen, all_tools, loaded = (
        costs(notebook, cell_id) for cell_id in ("nine", "thirteen", "twentyfive", "cost")
    )
    block, declared, saved = (
        "block of deferred tools",
        "with deferral: what is declared",
        "saved in each request",
    )
    assert nine[block] == nine[saved] == 0
    assert 0 < thirteen[block] < all_tools[block]
    assert thirteen[declared] == all_tools[declared] == 0
    assert 0 < thirteen[saved] < all_tools[saved]
    assert 0 < loaded[declared] < nine[declared]
    assert loaded[saved] < all_tools[saved]


def test_code_mode_and_the_other_loader(deferral: NotebookNode) -> None:
    notebook = deferral
    assert set(table(notebook, "code-mode", 1)) >= {"route: code mode", "loader: none"}
    told = outputs(notebook, "exec")[0].data["text/plain"]
    assert "Not every tool is described here." in told
    assert "\n### " not in told
    assert "nothing to commit" in streamed(notebook, "all-tools")
    found = outputs(notebook, "find")[0].data["application/json"]["matches"]
    assert {match["state"] for match in found} == {"eligible"}
    (loaded,) = outputs(notebook, "load")
    assert loaded.data["application/json"]["loaded"] == ["mcp__git__git_log"]
    assert "loaded since: the prompt declares it" in last_line(notebook, "describe-loaded")
    layers = {row[0]: row[2] for row in table(notebook, "own").values()}
    assert (layers["shell"], layers["mcp:time"]) == ("automatic", "plugin")
