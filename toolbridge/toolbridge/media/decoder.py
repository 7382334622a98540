"""The program of a decoder process: images come in on stdin, prepared ones go out on stdout.

It is run by its path and imports little, so that it is there soon. Whatever happens to it while it
looks into an image (a crash, no memory, no more time) says that this image cannot be processed.
"""

from __future__ import annotations

import hashlib
import io
import os
import struct
import sys
from base64 import b64encode
from contextlib import suppress
from importlib import import_module
from typing import TYPE_CHECKING, Any, BinaryIO

from codemode_rules.data_url import DataUrl
from codemode_rules.image_size import ImageLimits, fitted_size

if TYPE_CHECKING:
    from PIL.Image import Image

REQUEST = struct.Struct("<IIQ")
"""Longest side in pixels, patches, and the length of the base64 payload that follows."""

ANSWER = struct.Struct("<cQ32sQ")
"""Verdict, length of the text that follows, SHA-256 and size of the image as it came."""

REFUSED = b"-"
"""It cannot be processed; no text follows."""
KEPT = b"="
"""The bytes stay as they are; their media type follows."""
REMADE = b"+"
"""`{media type};base64,{payload}` of another image follows."""

MAX_PIXELS = 40_000_000
"""Largest image that is decoded. Four bytes a pixel and half as much again to scale it."""

MEMORY_BYTES = 400 * 1024 * 1024
"""Address space of the process."""

CPU_S = 10
"""Processor time for one image, in seconds."""

MAX_METADATA_BYTES = 64 * 1024
"""EXIF data that is carried over whole; of more only the orientation."""

JPEG_QUALITY = 85

MEDIA_TYPES = {"PNG": "image/png", "JPEG": "image/jpeg", "WEBP": "image/webp"}
"""The formats that are kept; of a GIF the first picture becomes a PNG."""

_ORIENTATION = 0x0112
_SCALED_AS = {
    "1": "L",
    "L": "L",
    "LA": "RGBA",
    "PA": "RGBA",
    "RGBA": "RGBA",
    "CMYK": "CMYK",
    "I;16": "I;16",
}
_FORMATS = ("PNG", "JPEG", "WEBP", "GIF")
_FIRST_OF = {"MPO": "JPEG"}
"""What a file is to whoever reads its first picture alone: phones put previews behind a JPEG."""


def main() -> None:
    """Serve until stdin ends."""
    prepare_imports()
    confine()
    requests, answers = sys.stdin.buffer, sys.stdout.buffer
    while header := requests.read(REQUEST.size):
        max_dimension, max_patches, length = REQUEST.unpack(header)
        payload = requests.read(length)
        allow_more_time()
        answer(answers, payload, ImageLimits(max_dimension, max_patches))


def prepare_imports() -> None:
    """Import every reader before memory and time are counted."""
    from PIL import Image

    for name in ("Gif", "Jpeg", "Mpo", "Png", "WebP"):
        import_module(f"PIL.{name}ImagePlugin")
    Image.MAX_IMAGE_PIXELS = None  # `MAX_PIXELS` is looked at before anything is decoded


def confine() -> None:
    """Give up memory, files and processes beyond what decoding needs, where the system can."""
    with suppress(ImportError):
        import resource

        for limit, most in (
            ("RLIMIT_AS", MEMORY_BYTES),
            ("RLIMIT_CORE", 0),
            ("RLIMIT_FSIZE", 0),
            ("RLIMIT_NPROC", 0),
            ("RLIMIT_NOFILE", 16),
        ):
            with suppress(AttributeError, OSError, ValueError):
                resource.setrlimit(getattr(resource, limit), (most, most))


def allow_more_time() -> None:
    """Processor time is counted from the start of the process; each image has its own."""
    with suppress(ImportError, OSError, ValueError):
        import resource

        spent = sum(os.times()[:2])
        hard = resource.getrlimit(resource.RLIMIT_CPU)[1]
        resource.setrlimit(resource.RLIMIT_CPU, (int(spent) + CPU_S, hard))


def answer(answers: BinaryIO, payload: bytes, limits: ImageLimits) -> None:
    """Write what becomes of one image."""
    digest, size = b"", 0
    try:
        data = DataUrl("", is_base64=True, payload=payload.decode("ascii")).base64_bytes()
        digest, size = hashlib.sha256(data).digest(), len(data)
        verdict, text = prepare(data, limits)
    except Exception:  # noqa: BLE001 - readers of hostile files raise whatever they like
        verdict, text = REFUSED, ""
    body = text.encode("ascii")
    answers.write(ANSWER.pack(verdict, len(body), digest, size))
    answers.write(body)
    answers.flush()


def prepare(data: bytes, limits: ImageLimits) -> tuple[bytes, str]:
    """Verdict and text for the bytes of an image; raises whatever Pillow does."""
    from PIL import Image

    with Image.open(io.BytesIO(data), formats=_FORMATS) as image:
        width, height = image.size
        kind = _FIRST_OF.get(str(image.format), str(image.format))
        fitted = fitted_size(width, height, limits)
        if fitted != (width, height):
            image.draft(None, fitted)  # a JPEG is decoded no larger than it has to be
        if image.width * image.height > MAX_PIXELS:
            raise ValueError("too many pixels")
        image.load()
        if fitted == (width, height) and kind in MEDIA_TYPES:
            return KEPT, MEDIA_TYPES[kind]
        format_ = kind if kind in MEDIA_TYPES else "PNG"
        metadata = {"icc_profile": image.info.get("icc_profile"), "exif": exif_of(image)}
        remade = encode(scaled(image, fitted), format_, metadata)
    return REMADE, f"{MEDIA_TYPES[format_]};base64,{b64encode(remade).decode('ascii')}"


def scaled(image: Image, size: tuple[int, int]) -> Image:
    """The picture at another size, with as many colours as it has; ends `image`.

    Colours are converted here, as Pillow would do it, so that each copy can be given up before the
    next but one is made.
    """
    from PIL.Image import Resampling

    mode = _SCALED_AS.get(image.mode, "RGB")
    has_alpha = mode == "RGBA" or (mode != "I;16" and "transparency" in image.info)
    wanted = "RGBA" if has_alpha else mode
    give_up_reader(image)
    pixels = image if image.mode == wanted else _instead(image, wanted)
    if has_alpha:
        pixels = _instead(pixels, "RGBa")
    pixels = pixels.resize(size, Resampling.BILINEAR)
    return pixels.convert("RGBA") if has_alpha else pixels


def _instead(image: Image, mode: str) -> Image:
    """The picture in other colours; ends `image`."""
    converted = image.convert(mode)
    image.close()
    return converted


def give_up_reader(image: Image) -> None:
    """Let go of what a reader keeps of a loaded picture: that of WebP has it three times more."""
    held = vars(image)
    held.update({name: None for name in ("fp", "_decoder") if name in held})


def encode(image: Image, format_: str, metadata: dict[str, Any]) -> bytes:
    """A file of `image` with the colour profile and the orientation it had."""
    options: dict[str, Any] = {
        "PNG": {"compress_level": 3},
        "JPEG": {"quality": JPEG_QUALITY},
        "WEBP": {"lossless": True, "method": 0},
    }[format_]
    target = io.BytesIO()
    image.save(target, format_, **metadata, **options)
    return target.getvalue()


def exif_of(image: Image) -> bytes:
    """EXIF data to carry over; empty where there is none."""
    from PIL.Image import Exif

    found = image.getexif()
    whole = found.tobytes() if found else b""
    if len(whole) <= MAX_METADATA_BYTES:
        return whole
    orientation = Exif()
    orientation[_ORIENTATION] = found.get(_ORIENTATION, 1)
    return orientation.tobytes()


if __name__ == "__main__":
    main()
