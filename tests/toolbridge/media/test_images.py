"""What a model gets of images that are all right."""

import io
from hashlib import sha256

import pytest
from PIL import Image
from toolbridge.media import MediaPreparation, media_rules
from toolbridge.prompt.model_facts import ModelFacts

from tests.toolbridge.media.corpus import data_url, file_of, gradient, noise
from tests.toolbridge.media.prepared import image_of, payload_of, prepared

PROFILE = b"no real colour profile, but carried over all the same"
ORIENTATION = 0x0112

SMALL = {
    "png": file_of(noise(40, 30), "PNG"),
    "png of 16 bits": file_of(Image.new("I;16", (40, 30), 40_000), "PNG"),
    "png with a palette": file_of(noise(40, 30, "P"), "PNG"),
    "png of 1 bit": file_of(noise(40, 30, "1"), "PNG"),
    "png with alpha": file_of(noise(40, 30, "RGBA"), "PNG"),
    "animated png": file_of(noise(40, 30), "PNG", save_all=True, append_images=[noise(40, 30)]),
    "jpeg": file_of(noise(40, 30), "JPEG"),
    "jpeg in CMYK": file_of(noise(40, 30, "CMYK"), "JPEG"),
    "grey jpeg": file_of(noise(40, 30, "L"), "JPEG"),
    "jpeg with a preview": file_of(
        noise(40, 30), "MPO", save_all=True, append_images=[noise(8, 6)]
    ),
    "webp": file_of(noise(40, 30), "WEBP"),
    "animated webp": file_of(noise(40, 30), "WEBP", save_all=True, append_images=[noise(40, 30)]),
}


@pytest.mark.parametrize("name", SMALL)
async def test_what_need_not_be_scaled_keeps_its_bytes(
    preparation: MediaPreparation, name: str
) -> None:
    (slot,) = await prepared(preparation, data_url(SMALL[name]))
    assert payload_of(slot) == SMALL[name]


async def test_the_true_media_type_is_told(preparation: MediaPreparation) -> None:
    as_png, without_padding = await prepared(
        preparation,
        data_url(SMALL["jpeg"], "image/png"),
        data_url(SMALL["webp"], "application/octet-stream").rstrip("="),
    )
    assert as_png.url.startswith("data:image/jpeg;base64,")
    assert without_padding.url == data_url(SMALL["webp"], "image/webp")


async def test_of_a_gif_the_first_picture_is_shown(preparation: MediaPreparation) -> None:
    first = noise(40, 30, "L")
    moving = file_of(first, "GIF", save_all=True, append_images=[noise(40, 30, "L")])
    (slot,) = await prepared(preparation, data_url(moving, "image/gif"))
    shown = image_of(slot)
    assert shown.format == "PNG"
    assert shown.convert("L").tobytes() == first.tobytes()


LARGE = {
    "png": (gradient(3300, 3300), "PNG", {}),
    "png of 16 bits": (Image.new("I;16", (3300, 3300), 40_000), "PNG", {}),
    "png with a palette": (gradient(3300, 3300, "P"), "PNG", {}),
    "png with alpha": (Image.new("RGBA", (3300, 3300), (9, 9, 9, 9)), "PNG", {}),
    "jpeg": (noise(3300, 3300), "JPEG", {}),
    "jpeg in CMYK": (noise(3300, 3300, "CMYK"), "JPEG", {}),
    "webp": (Image.new("RGB", (3300, 3300), (1, 2, 3)), "WEBP", {"quality": 1, "method": 0}),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", LARGE)
async def test_what_is_scaled_keeps_format_and_colour_profile(
    preparation: MediaPreparation, name: str
) -> None:
    image, format_, options = LARGE[name]
    exif = Image.Exif()
    exif[ORIENTATION] = 6
    data = file_of(image, format_, icc_profile=PROFILE, exif=exif, **options)
    (slot,) = await prepared(preparation, data_url(data))
    shown = image_of(slot)
    assert shown.size == (3200, 3200)
    assert shown.format == format_
    assert shown.info["icc_profile"] == PROFILE
    assert shown.getexif()[ORIENTATION] == 6


async def test_a_photograph_with_a_preview_is_scaled_as_the_jpeg_it_begins_with(
    preparation: MediaPreparation,
) -> None:
    photograph = file_of(noise(3300, 3300), "MPO", save_all=True, append_images=[noise(8, 6)])
    (slot,) = await prepared(preparation, data_url(photograph, "image/jpeg"))
    shown = image_of(slot)
    assert (shown.format, shown.size) == ("JPEG", (3200, 3200))


async def test_an_orientation_does_not_turn_the_pixels(preparation: MediaPreparation) -> None:
    exif = Image.Exif()
    exif[ORIENTATION] = 6
    data = file_of(Image.new("RGB", (6400, 64), (9, 9, 9)), "JPEG", exif=exif)
    (slot,) = await prepared(preparation, data_url(data))
    assert image_of(slot).size == (6000, 60)


async def test_a_jpeg_beyond_what_is_decoded_is_decoded_smaller(
    preparation: MediaPreparation,
) -> None:
    data = file_of(Image.new("L", (12_000, 8000), 99), "JPEG")
    (slot,) = await prepared(preparation, data_url(data))
    assert image_of(slot).size == (3888, 2592)


async def test_images_keep_their_places(preparation: MediaPreparation) -> None:
    sizes = [(width, 2000 - 150 * width) for width in range(1, 12)]
    urls = [data_url(file_of(Image.new("L", size), "PNG")) for size in sizes]
    slots = await prepared(preparation, *urls)
    assert [slot.url for slot in slots] == urls


async def test_a_slot_knows_the_image_as_it_was_emitted(preparation: MediaPreparation) -> None:
    data = file_of(Image.new("L", (6400, 64)), "PNG")
    (slot,) = await prepared(preparation, data_url(data, "image/x-own"))
    assert payload_of(slot) != data
    assert (slot.sha256, slot.emitted_bytes) == (sha256(data).hexdigest(), len(data))
    assert slot.emitted_type == "image/x-own"


@pytest.mark.parametrize(
    "facts, asked, shown",
    [
        (ModelFacts(), "high", None),
        (ModelFacts(use_responses_lite=True), "original", None),
        (ModelFacts(use_responses_lite=False), "low", "original"),
    ],
)
async def test_codex_tells_a_detail_by_the_model_alone(
    facts: ModelFacts, asked: str, shown: str | None
) -> None:
    assert media_rules("codex", facts).detail_for(asked) == shown


@pytest.mark.parametrize(
    "takes_original, asked, shown",
    [
        (True, None, "high"),
        (True, "auto", "auto"),
        (True, "original", "original"),
        (False, "original", "high"),
        (None, "original", "high"),
    ],
)
async def test_seed_tells_what_was_asked_for_and_can_be_taken(
    takes_original: bool | None, asked: str | None, shown: str
) -> None:
    facts = ModelFacts(supports_image_detail_original=takes_original)
    assert media_rules("seed", facts).detail_for(asked) == shown


async def test_the_budgets_of_seed_depend_on_the_detail() -> None:
    facts = ModelFacts(supports_image_detail_original=True)
    preparation = MediaPreparation(media_rules("seed", facts))
    url = data_url(file_of(Image.new("L", (2600, 1300)), "PNG"))
    try:
        sizes = {
            detail: image_of((await prepared(preparation, url, detail=detail))[0]).size
            for detail in ("auto", "high", "original")
        }
    finally:
        await preparation.close()
    assert sizes == {"auto": (2048, 1024), "high": (2048, 1024), "original": (2600, 1300)}


def test_the_corpus_is_what_it_says() -> None:
    assert Image.open(io.BytesIO(SMALL["jpeg in CMYK"])).mode == "CMYK"
    assert getattr(Image.open(io.BytesIO(SMALL["animated png"])), "n_frames", 1) == 2
