"""Reads what a model gets of an image."""

import io
from base64 import b64decode

from PIL import Image
from toolbridge.media import MediaPreparation, Slot


async def prepared(
    preparation: MediaPreparation, *urls: str, detail: str | None = None
) -> list[Slot]:
    """The slots of one observation with these images, settled."""
    media = preparation.begin()
    slots = [media.image(url, detail) for url in urls]
    await media.settle()
    return slots


def payload_of(slot: Slot) -> bytes:
    assert slot.notice is None, slot.notice
    return b64decode(slot.url.partition(",")[2])


def image_of(slot: Slot) -> Image.Image:
    image = Image.open(io.BytesIO(payload_of(slot)))
    image.load()
    return image
