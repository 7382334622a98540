"""An image file as a data URL, once it is sure that it is one."""

from __future__ import annotations

import base64
import io
import os
import stat
from pathlib import Path
from typing import TYPE_CHECKING

from toolbridge.errors import ToolError

if TYPE_CHECKING:
    from PIL.Image import Image

MAX_BYTES = 32 * 1024 * 1024
"""Larger files are refused: as base64 they have to fit a frame of 64 MiB."""

MAX_PIXELS = 100_000_000
"""Images with more are refused: all of it is decoded to see whether it is sound."""

AS_THEY_ARE = ("PNG", "JPEG", "GIF", "WEBP")
"""Formats that models and browsers read."""

CONVERTED = ("BMP", "TIFF", "PPM", "ICO")
"""Formats that become PNG."""

PREFIX = "data:application/octet-stream;base64,"
"""The reference leaves it to the reader to find out the type (model view 7)."""

INVALID = "unable to process image: invalid or unsupported image data"


def image_url(path: Path) -> str:
    """Read the image at the absolute `path`; raises `ToolError` in the reference's words."""
    data = _read(path)
    return PREFIX + base64.b64encode(_checked(data)).decode()


def _read(path: Path) -> bytes:
    try:
        # A pipe without a writer would hold us up.
        descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
        with open(descriptor, "rb") as file:
            status = os.fstat(descriptor)
            if not stat.S_ISREG(status.st_mode):
                raise ToolError(f"image path `{path}` is not a file")
            if status.st_size > MAX_BYTES:
                raise ToolError(
                    f"unable to process image: `{path}` is larger than {MAX_BYTES >> 20} MiB"
                )
            return file.read(MAX_BYTES)
    except IsADirectoryError:
        raise ToolError(f"image path `{path}` is not a file") from None
    except FileNotFoundError as error:
        raise ToolError(f"unable to locate image at `{path}`: {_cause(error)}") from None
    except OSError as error:
        raise ToolError(f"unable to read image at `{path}`: {_cause(error)}") from None


def _checked(data: bytes) -> bytes:
    """`data`, or the same image as PNG; raises `ToolError` when it is none."""
    from PIL import Image, UnidentifiedImageError

    try:
        with Image.open(io.BytesIO(data), formats=(*AS_THEY_ARE, *CONVERTED)) as image:
            if image.width * image.height > MAX_PIXELS:
                raise ToolError(f"unable to process image: it has more than {MAX_PIXELS:,} pixels")
            image.load()
            return data if image.format in AS_THEY_ARE else _as_png(image)
    except (UnidentifiedImageError, Image.DecompressionBombError, OSError, ValueError, SyntaxError):
        raise ToolError(INVALID) from None


def _as_png(image: Image) -> bytes:
    if image.mode not in ("1", "L", "LA", "P", "RGB", "RGBA", "I;16"):
        image = image.convert("RGB")
    png = io.BytesIO()
    image.save(png, "PNG")
    return png.getvalue()


def _cause(error: OSError) -> str:
    return f"{os.strerror(error.errno or 0)} (os error {error.errno})"
