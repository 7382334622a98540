"""Images and sounds in what is saved, exported, and shown without a browser."""

import re
from base64 import b64encode
from typing import Any

import nbformat
import pytest
from codemode_host.wire import AudioItem, ImageItem
from codemode_kernel.outputs.bundles import audio_bundle, image_bundle
from nbconvert import HTMLExporter

from tests.toolbridge.media.corpus import data_url, file_of, noise

IMAGE = file_of(noise(40, 30), "PNG")
SOUND = b"OggS\0\2" + bytes(200)


def saved() -> Any:
    bundles = [
        image_bundle(ImageItem(data_url(IMAGE, "application/octet-stream"))),
        audio_bundle(AudioItem(data_url(SOUND, "audio/ogg"))),
    ]
    outputs = [
        nbformat.v4.new_output("display_data", bundle.data, metadata=bundle.metadata)
        for bundle in bundles
    ]
    cell = nbformat.v4.new_code_cell("image(a); audio(b)", outputs=outputs)
    return nbformat.v4.new_notebook(cells=[cell])


def test_a_saved_output_is_valid_and_says_type_size_and_bytes() -> None:
    notebook = saved()
    nbformat.validate(notebook)
    image, sound = (output["data"]["text/plain"] for output in notebook.cells[0].outputs)
    assert image == f"[image/png 40x30, {len(IMAGE) / 1024:.0f} kB]"
    assert sound == "[audio/ogg, 206 bytes]"


@pytest.mark.slow
def test_an_export_shows_the_image_and_a_player() -> None:
    html, _ = HTMLExporter().from_notebook_node(saved())
    assert b64encode(IMAGE).decode() in html.replace("\n", "")
    assert re.search(r'<audio controls[^>]* src="data:audio/ogg;base64,', html)
