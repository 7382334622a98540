"""A cell that says far too much costs neither memory nor any of its output."""

import json
from pathlib import Path
from typing import Any

import psutil
import pytest

from tests.kernel.conftest import StartKernel
from tests.kernel.model_view.test_view import PIXEL
from tests.kernel.notebook import Notebook

TEXTS, IMAGES, LENGTH = 20_000, 1000, 10_000
TOKENS = 10_000
FITTING = TOKENS // (LENGTH // 4)
"""Texts that a model gets of them."""

MEMORY = 300 * 1024
SCRIPT = f"""
const line = "x".repeat({LENGTH - 1}) + "\\n";
for (let n = 0; n < {TEXTS}; n++) {{
  text(line);
  if (n % {TEXTS // IMAGES} === 0) image("{PIXEL}");
}}
"""


@pytest.mark.slow
def test_everything_is_captured_in_bounded_memory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, start_kernel: StartKernel
) -> None:
    monkeypatch.setenv("JUPYTER_RUNTIME_DIR", str(tmp_path))
    notebook = start_kernel(exec_yield_time_ms="600000")
    record: Any = notebook.run(SCRIPT).record
    assert record["status"] == "completed"
    assert record["tokens"] == TOKENS
    capture = record["capture"]
    assert capture["state"] == "complete"
    assert capture["bytes"] == capture["captured_bytes"]
    text = tmp_path / capture["path"]
    assert text.stat().st_size > TEXTS * LENGTH
    assert len(list(text.parent.glob("cell-1-image-*.png"))) == IMAGES
    assert_the_model_got_its_share(notebook)
    assert peak_kib(notebook.pid) < MEMORY


def assert_the_model_got_its_share(notebook: Notebook) -> None:
    """The header, the texts that fit, every image, and how much is left out."""
    (given,) = json.loads(notebook.run("%view --json").text())
    _, *items, notice = given["output"]
    assert [item["text"] for item in items if "text" in item] == FITTING * [
        "x" * (LENGTH - 1) + "\n"
    ]
    assert sum(item["type"] == "input_image" for item in items) == IMAGES
    assert notice["text"] == f"[omitted {TEXTS - FITTING} text items ...]"


def peak_kib(pid: int) -> int:
    """Most memory that a process, or any below it, ever held at once."""
    processes = [psutil.Process(pid), *psutil.Process(pid).children(recursive=True)]
    peaks = []
    for process in processes:
        status = Path(f"/proc/{process.pid}/status").read_text()
        peaks += [int(line.split()[1]) for line in status.splitlines() if "VmHWM" in line]
    return max(peaks)
