"""Files that are broken or mean harm: each is a notice, and nothing else comes to harm."""

import io
from dataclasses import replace
from pathlib import Path

import psutil
import pytest
from PIL import Image
from toolbridge.media import MediaPreparation, media_rules
from toolbridge.media.decoders import PROGRAM
from toolbridge.media.notices import LARGE_IMAGE, LOW_DETAIL, UNPROCESSABLE_IMAGE

from tests.toolbridge.media.corpus import NO_IMAGES, SVG, data_url, file_of, noise, png_bomb
from tests.toolbridge.media.prepared import image_of, prepared

FINE = data_url(file_of(noise(8, 8), "PNG"))
MEMORY = 400 * 1024


@pytest.mark.parametrize("name", NO_IMAGES)
async def test_what_is_no_image_is_a_notice_and_the_next_one_is_shown(
    preparation: MediaPreparation, name: str
) -> None:
    broken, fine = await prepared(preparation, data_url(NO_IMAGES[name]), FINE)
    assert broken.notice == UNPROCESSABLE_IMAGE
    assert fine.notice is None


@pytest.mark.parametrize(
    "url",
    [
        "data:image/png,hello",
        "data:image/png;base64,",
        "data:image/png;base64,%%%%",
        "data:image/png;base64,iVBORw0KGgo\u00e9",
        "data:image/svg+xml;utf8,<svg/>",
        data_url(SVG, "image/svg+xml"),
        FINE + "=",
        FINE.replace("data:", "dat:"),
        "data:image/png;" + "x" * 300 + ";base64," + FINE.partition(",")[2],
        "https://example.com/a.png",
        "",
    ],
)
async def test_what_is_no_canonical_data_url_is_a_notice(
    preparation: MediaPreparation, url: str
) -> None:
    (slot,) = await prepared(preparation, url)
    assert slot.notice == UNPROCESSABLE_IMAGE


@pytest.mark.slow
@pytest.mark.parametrize("format_", ["PNG", "JPEG", "WEBP", "GIF"])
async def test_a_file_that_was_cut_anywhere_is_a_notice(
    preparation: MediaPreparation, format_: str
) -> None:
    whole = file_of(noise(200, 150, "L" if format_ == "GIF" else "RGB"), format_)
    cuts = range(0, len(whole) - 64, 1024)
    assert len(cuts) > 10
    slots = await prepared(preparation, *(data_url(whole[:length]) for length in cuts))
    assert {slot.notice for slot in slots} == {UNPROCESSABLE_IMAGE}


@pytest.mark.slow
async def test_files_with_any_wrong_byte_end_neither_the_processes_nor_the_preparation(
    preparation: MediaPreparation,
) -> None:
    files = [
        file_of(noise(30, 20, "L" if format_ == "GIF" else "RGB"), format_)
        for format_ in ("PNG", "JPEG", "WEBP", "GIF")
    ]
    urls = [
        data_url(whole[:at] + bytes([whole[at] ^ 0xFF]) + whole[at + 1 :])
        for whole in files
        for at in range(0, len(whole), 7)
    ]
    slots = await prepared(preparation, *urls, FINE)
    assert {slot.notice for slot in slots} == {None, UNPROCESSABLE_IMAGE}
    assert slots[-1].notice is None


@pytest.mark.slow
async def test_memory_stays_bounded(preparation: MediaPreparation) -> None:
    largest = [
        file_of(Image.new("RGB", (8000, 5000), (1, 2, 3)), "PNG"),
        file_of(Image.new("RGBA", (6300, 6300), (1, 2, 3, 4)), "PNG"),
        file_of(Image.new("LA", (6300, 6300), (1, 2)), "PNG"),
        file_of(Image.new("RGB", (6300, 6300), (1, 2, 3)), "PNG", transparency=(1, 2, 3)),
        file_of(Image.new("CMYK", (6300, 6300), (1, 2, 3, 4)), "JPEG"),
        file_of(Image.new("RGBA", (5600, 4200), (1, 2, 3, 4)), "WEBP", method=0),
    ]
    bombs = [data_url(data) for data in NO_IMAGES.values()]
    await prepared(preparation, *bombs)
    slots = [slot for data in largest for slot in await prepared(preparation, data_url(data))]
    assert [slot.notice for slot in slots] == [None] * len(largest)
    peaks = [peak_kib(process) for process in decoder_processes()]
    assert peaks
    assert max(peaks) < MEMORY


def decoder_processes() -> list[psutil.Process]:
    children = psutil.Process().children()
    return [child for child in children if child.cmdline()[-1:] == [PROGRAM[-1]]]


def peak_kib(process: psutil.Process) -> int:
    status = Path(f"/proc/{process.pid}/status").read_text()
    return next(int(line.split()[1]) for line in status.splitlines() if "VmHWM" in line)


async def test_a_small_file_of_many_pixels_is_scaled(preparation: MediaPreparation) -> None:
    (slot,) = await prepared(preparation, data_url(png_bomb(6200, 6200)))
    assert image_of(slot).size == (3200, 3200)


async def test_bytes_beyond_the_limits_are_a_notice(preparation: MediaPreparation) -> None:
    media = preparation.begin()
    mebibyte = bytes(1024 * 1024)
    slots = [media.image(data_url(mebibyte * size), None) for size in (11, 10, 9, 2, 1)]
    media.cancel()
    notices = [slot.notice for slot in slots]
    assert notices == [LARGE_IMAGE, UNPROCESSABLE_IMAGE, UNPROCESSABLE_IMAGE, LARGE_IMAGE,
                       UNPROCESSABLE_IMAGE]  # fmt: skip


async def test_an_image_that_grows_beyond_the_limit_is_a_notice() -> None:
    grown = file_of(noise(3300, 3300, "L"), "JPEG", quality=20)
    rules = replace(media_rules("codex"), max_item_bytes=len(grown))
    preparation = MediaPreparation(rules)
    (slot,) = await prepared(preparation, data_url(grown))
    await preparation.close()
    assert slot.notice == LARGE_IMAGE


async def test_seed_does_not_show_low_detail() -> None:
    preparation = MediaPreparation(media_rules("seed"))
    (slot,) = await prepared(preparation, FINE, detail="low")
    await preparation.close()
    assert slot.notice == LOW_DETAIL


def test_the_corpus_has_sizes_that_lie() -> None:
    with pytest.warns(Image.DecompressionBombWarning):
        Image.open(io.BytesIO(png_bomb(10_000, 10_000, rows=1)))
