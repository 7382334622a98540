"""The lesson about the model's view shows what it teaches."""

import json
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient
from nbformat import NotebookNode

from tests.notebooks.test_tour import check_that_it_ran, outputs, streamed
from tests.patience import PATIENCE_S

pytestmark = pytest.mark.slow

NAME = "04-what-the-model-sees.ipynb"


def plain(notebook: NotebookNode, cell_id: str) -> str:
    (shown,) = outputs(notebook, cell_id)
    return str(shown.data["text/plain"])


def test_every_cell_shows_both_views(project: Path) -> None:
    notebook = nbformat.read(project / NAME, as_version=4)
    NotebookClient(notebook, timeout=PATIENCE_S).execute()
    check_that_it_ran(notebook)
    assert '{"planets":["Mercury","Venus","Earth"],"moons":1}' in plain(notebook, "items-view")
    assert "line 30\n" in streamed(notebook, "cut")
    assert "a model got 20 of 118 tokens, the rest was cut" in plain(notebook, "cut-view")
    assert streamed(notebook, "capture").startswith("line 1\nline 2\n")
    assert "471 of 471 bytes are kept, complete" in streamed(notebook, "capture")
    assert "[image/png 6400x64, " in plain(notebook, "large")
    assert "image/png 6000x60, " in plain(notebook, "large-view")
    notices = plain(notebook, "notices-view")
    assert "image content omitted because it could not be processed" in notices
    assert "audio content omitted because you do not support audio input" in notices
    result, note = json.loads(streamed(notebook, "notify-view"))
    assert note["output"] == "half way"
    assert note["call_id"] == result["call_id"]
