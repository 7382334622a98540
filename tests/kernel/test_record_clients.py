"""Records in the tools that read and run notebooks: valid in all of them, seen in none."""

import json
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import nbformat
import papermill
import pytest
from codemode_kernel.record import (
    MIME,
    CallApproval,
    CallRecord,
    LeftOut,
    ModelItem,
    Record,
    RecordKind,
)
from codemode_kernel.session.calls import CallOutcome
from codemode_kernel.session.observation import Status
from jupyter_client.blocking.client import BlockingKernelClient
from nbclient import NotebookClient
from nbformat import NotebookNode

from tests.kernel.conftest import StartKernel
from tests.kernel.record_check import records_of
from tests.kernel.test_cells import PIXEL
from tests.kernel.test_clients import notebook_of

pytestmark = pytest.mark.slow

SOUND = "data:audio/wav;base64,UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAIA+AAACABAAZGF0YQAAAAA="
TOOL = """\
%%python
import asyncio
from toolbridge import tool

@tool(read_only=True)
async def hang() -> None:
    await asyncio.sleep(60)

@tool(read_only=True)
def word(length: int) -> str:
    if length > 9:
        raise ValueError("too long")
    return "w" * length
"""
LONG = "text('x'.repeat(5000))"


def items(record: Record) -> Sequence[ModelItem]:
    assert isinstance(record.model_view, tuple)
    return record.model_view


def decision(call: CallRecord) -> str:
    assert isinstance(call.approval, CallApproval)
    return call.approval.decision


CELLS: dict[str, tuple[str, Callable[[Record], bool]]] = {
    "text": ("text('seen')", lambda record: record.status is Status.COMPLETED),
    "value": ("text({a: 1})", lambda record: record.tokens == 2),
    "image": (f"image('{PIXEL}')", lambda record: len(items(record)) == 2),
    "audio": (f"audio('{SOUND}')", lambda record: len(items(record)) == 2),
    "notify": ("notify('psst')", lambda record: record.notifications[0].text == "psst"),
    "error": ("throw new Error('no')", lambda record: record.status is Status.FAILED),
    "syntax": ("let = ;", lambda record: record.status is Status.FAILED),
    "exit": ("exit()", lambda record: record.status is Status.COMPLETED),
    "store": ("store('k', [1])", lambda record: isinstance(record.model_view, str)),
    "load": ("text(load('k'))", lambda record: record.status is Status.COMPLETED),
    "ok": ("await tools.word({length: 3})", lambda record: record.calls[0].result == "www"),
    "failed": (
        "await tools.word({length: 99}).catch(text)",
        lambda record: record.calls[0].error == "too long",
    ),
    "cancelled": (
        "tools.hang({}); text(await tools.word({length: 1}))",
        lambda record: record.calls[0].outcome is CallOutcome.CANCELLED,
    ),
    "denied": (
        "await tools.exec_command({cmd: 'true'}).catch(text)",
        lambda record: decision(record.calls[0]) == "refused",
    ),
    "truncated": (
        '// @exec: {"max_output_tokens": 20}\n' + LONG,
        lambda record: record.truncated and record.tokens == 20,
    ),
    "vast": (
        "for (let i = 0; i < 10; i++) text('0123456789\\n'.repeat(100000))",
        lambda record: record.truncated and not isinstance(record.left_out, LeftOut),
    ),
    "yield": (
        "text('a'); yield_control(); await new Promise(r => setTimeout(r, 50)); text('b')",
        lambda record: record.status is Status.COMPLETED and record.wall_time_s > 0,
    ),
    "wait": ("%wait", lambda record: record.kind is RecordKind.WAIT),
    "endless": (
        "yield_control(); await new Promise(() => {})",
        lambda record: record.status is Status.TERMINATED,
    ),
    "terminate": ("%wait --terminate", lambda record: record.status is Status.TERMINATED),
}
"""Name to the text of a cell and what has to hold for its record."""


@pytest.fixture(scope="module")
def executed() -> NotebookNode:
    """A notebook with every kind of ending, run by a client without a person."""
    notebook = notebook_of(TOOL, *(code for code, _ in CELLS.values()))
    NotebookClient(notebook, timeout=60, allow_errors=True).execute()
    return notebook


def test_every_cell_has_one_valid_record(executed: NotebookNode) -> None:
    tool, *cells = executed.cells
    assert records_of(tool) == []
    for (name, (_, holds)), cell in zip(CELLS.items(), cells, strict=True):
        (record,) = records_of(cell)
        assert holds(record), (name, record)
    nbformat.validate(executed)


def test_most_cells_show_no_line_for_it(executed: NotebookNode) -> None:
    lines = {
        name: output.data["text/plain"]
        for name, cell in zip(CELLS, executed.cells[1:], strict=True)
        for output in cell.outputs
        if MIME in output.get("data", {}) and len(output.data) > 1
    }
    assert lines.keys() == {"truncated", "vast"}
    assert lines["truncated"].startswith("[A model got 20 of 1,250 tokens of this; ")


@pytest.mark.parametrize("form", ["html", "markdown", "script"])
def test_nbconvert_shows_none_of_it(executed: NotebookNode, form: str, tmp_path: Path) -> None:
    nbformat.write(executed, tmp_path / "in.ipynb")
    convert = [sys.executable, "-m", "nbconvert", "--to", form, "--output", "out", "in.ipynb"]
    subprocess.run(convert, cwd=tmp_path, check=True, capture_output=True, timeout=120)
    (page,) = (path for path in tmp_path.glob("out.*"))
    text = page.read_text(encoding="utf-8")
    assert "seen" in text
    for garbage in (MIME, "input_text", "wall_time_s", "model_view"):
        assert garbage not in text
    assert ("20 of 1,250 tokens" in text) is (form != "script")


def test_papermill_keeps_them(tmp_path: Path) -> None:
    source, target = tmp_path / "in.ipynb", tmp_path / "out.ipynb"
    nbformat.write(notebook_of("text('a')", '// @exec: {"max_output_tokens": 20}\n' + LONG), source)
    log = tmp_path / "log.txt"
    with log.open("w") as lines:
        papermill.execute_notebook(
            source, target, progress_bar=False, log_output=True, stdout_file=lines
        )
    for cell in nbformat.read(target, as_version=4).cells:
        (record,) = records_of(cell)
        assert record.status is Status.COMPLETED
    assert MIME not in log.read_text()


def test_a_plain_front_end_shows_the_text_alone(
    start_kernel: StartKernel, capsys: pytest.CaptureFixture[str]
) -> None:
    client: BlockingKernelClient = start_kernel().client
    client.execute_interactive("text('a')", timeout=30, allow_stdin=False)
    assert capsys.readouterr().out == "a\n"
    code = '// @exec: {"max_output_tokens": 20}\n' + LONG
    client.execute_interactive(code, timeout=30, allow_stdin=False)
    shown = capsys.readouterr().out.removeprefix("x" * 5000 + "\n")
    all_of_it = "`%view 2 --full` shows all of it"
    assert shown == f"[A model got 20 of 1,250 tokens of this; {all_of_it}]"


def test_a_notebook_with_records_is_read_back_as_it_was(
    executed: NotebookNode, tmp_path: Path
) -> None:
    nbformat.write(executed, tmp_path / "saved.ipynb")
    saved = nbformat.read(tmp_path / "saved.ipynb", as_version=4)
    for before, after in zip(executed.cells, saved.cells, strict=True):
        assert records_of(after) == records_of(before)
    assert json.loads(nbformat.writes(saved))
