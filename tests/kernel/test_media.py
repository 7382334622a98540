"""Images that mean harm, emitted in a real kernel."""

import os
import signal
from hashlib import sha256
from typing import Any

import psutil
import pytest
from toolbridge.media.decoders import PROGRAM

from tests.kernel.conftest import StartKernel
from tests.kernel.model_view.test_view import PIXEL
from tests.kernel.notebook import Notebook
from tests.patience import PATIENCE_S
from tests.toolbridge.media.corpus import NO_IMAGES, data_url, file_of, gradient

NOTICE = "image content omitted because it could not be processed"
MANY_LARGE = (
    f"const large = '{data_url(file_of(gradient(6300, 6300), 'PNG'))}'; "
    "for (let n = 0; n < 8; n++) image(large)"
)
"""Takes many seconds to prepare."""


def model_items(record: Any) -> list[Any]:
    return list(record["model_view"][1:])


def test_a_model_gets_notices_and_the_notebook_goes_on(notebook: Notebook) -> None:
    images = "\n".join(f"image('{data_url(data)}');" for data in NO_IMAGES.values() if data)
    run = notebook.run(f"text('before');\n{images}\ntext('after')")
    assert run.status == "ok"
    texts = [item["text"] for item in model_items(run.record)]
    assert texts == ["before", *[NOTICE] * (len(NO_IMAGES) - 1), "after"]
    assert notebook.run("text('next')").text() == "next\n"


@pytest.mark.slow
def test_other_cells_run_while_images_are_prepared(start_kernel: StartKernel) -> None:
    notebook = start_kernel()
    large = data_url(file_of(gradient(6000, 6000), "PNG"))
    first = notebook.run(f"// @exec: {{\"yield_time_ms\": 0}}\nimage('{large}'); text('large')")
    assert notebook.run("text('second')").text() == "second\n"
    cell_id = first.first_record["cell_id"]
    waited = notebook.run(f"%wait {cell_id}")
    image, text = model_items(waited.record)
    assert image["type"] == "input_image"
    assert image["image"]["mime_type"] == "image/png"
    assert text["text"] == "large"


@pytest.mark.slow
def test_a_stop_gives_up_the_images_of_a_cell_that_still_runs(notebook: Notebook) -> None:
    run = notebook.send(f"{MANY_LARGE}; await new Promise(() => {{}})")
    run.until(lambda: bool(run.of("display_data")))
    notebook.manager.interrupt_kernel()
    assert run.status == "error"
    assert NOTICE in [item.get("text") for item in model_items(run.record)]


@pytest.mark.slow
def test_a_stop_gives_up_the_images_that_a_wait_collects(notebook: Notebook) -> None:
    begun = notebook.run(f"yield_control(); {MANY_LARGE}; text('end')")
    notebook.until(lambda: "completed" in begun.footer)
    wait = notebook.send("%wait")
    wait.until(lambda: bool(wait.of("display_data")))
    notebook.manager.interrupt_kernel()
    items = [item.get("text") for item in model_items(wait.done().record)]
    assert items[-1] == "end"
    assert NOTICE in items


def test_the_record_names_the_image_that_the_cell_shows(notebook: Notebook) -> None:
    data = file_of(gradient(6400, 64), "PNG")
    run = notebook.run(f"image('{data_url(data)}')")
    (image,) = model_items(run.record)
    assert image["image"] == {
        "sha256": sha256(data).hexdigest(),
        "mime_type": "image/png",
        "bytes": len(data),
    }
    (shown,) = notebook.run("%view").of("display_data")
    assert "image/png 6000x60, " in shown["data"]["text/plain"]


@pytest.mark.slow
def test_a_killed_kernel_leaves_no_decoder(start_kernel: StartKernel) -> None:
    notebook = start_kernel()
    notebook.run(f"image('{PIXEL}')")
    family = psutil.Process(notebook.pid).children(recursive=True)
    decoders = [process for process in family if process.cmdline()[-1:] == [PROGRAM[-1]]]
    assert decoders
    os.kill(notebook.pid, signal.SIGKILL)
    _, alive = psutil.wait_procs(decoders, timeout=PATIENCE_S)
    assert not alive
