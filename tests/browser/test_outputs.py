"""What a person sees of text, values, media and errors."""

import pytest
from codemode_host.wire import AudioItem, ImageItem
from codemode_kernel.outputs.bundles import audio_bundle, image_bundle
from playwright.sync_api import expect

from tests.browser.notebook_page import OpenNotebook, OpenSaved
from tests.browser.tour_cells import tour_sources
from tests.rules.test_wav import fmt, silence, wav
from tests.toolbridge.media.corpus import data_url, file_of, noise

pytestmark = [pytest.mark.browser, pytest.mark.slow]

FAILING = """\
const parts = ["a", "b"];
const last = parts[2];
text(last.toUpperCase());
"""


def test_an_image_and_a_sound_are_shown(open_notebook: OpenNotebook) -> None:
    sources = tour_sources()
    notebook = open_notebook(sources["image"], sources["audio"])
    image = notebook.run(0).locator("img")
    expect(image).to_be_visible()
    assert image.evaluate("image => image.decode().then(() => image.naturalWidth)") == 192
    player = notebook.run(1).locator("audio")
    expect(player).to_be_visible()
    expect(player).to_have_js_property("duration", 1.2)
    notebook.screenshot("media")


def test_an_untrusted_notebook_shows_them_too(open_saved: OpenSaved) -> None:
    sound = data_url(wav(fmt(), silence(4000)), "audio/wav")
    notebook = open_saved(
        image_bundle(ImageItem(data_url(file_of(noise(40, 30), "PNG")))).data,
        audio_bundle(AudioItem(sound)).data,
    )
    image = notebook.output(0).locator("img")
    expect(image).to_have_js_property("naturalWidth", 40)
    player = notebook.output(1).locator("audio")
    expect(player).to_be_visible()
    expect(player).to_have_js_property("duration", 0.5)


def test_a_value_is_a_tree(open_notebook: OpenNotebook) -> None:
    notebook = open_notebook('text({name: "Ada", born: 1815, fields: ["mathematics", "poetry"]})')
    tree = notebook.run(0).locator(".jp-RenderedJSON")
    expect(tree).to_contain_text("mathematics")
    notebook.screenshot("tree")


def test_an_error_names_the_line_and_marks_it(open_notebook: OpenNotebook) -> None:
    notebook = open_notebook(FAILING)
    notebook.run(0)
    error = notebook.error(0)
    expect(error).to_contain_text("TypeError")
    expect(error).to_contain_text("text(last.toUpperCase());")
    expect(error).not_to_contain_text("\x1b")
    notebook.screenshot("error")


def test_an_endless_printer_leaves_the_page_usable(open_notebook: OpenNotebook) -> None:
    notebook = open_notebook("while (true) text('again and again');", "text('still usable')")
    flood = notebook.run(0)
    expect(flood).to_contain_text("again and again")
    notebook.stop()
    notebook.expect_execution_count(0)
    expect(notebook.run(1)).to_contain_text("still usable")
