"""Images that a test makes: good ones, large ones, and ones that lie about themselves."""

import io
import struct
import zlib
from base64 import b64encode
from typing import Any

from PIL import Image


def noise(width: int, height: int, mode: str = "RGB") -> Image.Image:
    """An image that does not compress to nothing."""
    return Image.effect_noise((width, height), 60).convert(mode)


def gradient(width: int, height: int, mode: str = "RGB") -> Image.Image:
    """A large image that makes a small file."""
    return Image.linear_gradient("L").resize((width, height)).convert(mode)


def file_of(image: Image.Image, format_: str, **options: Any) -> bytes:
    target = io.BytesIO()
    image.save(target, format_, **options)
    return target.getvalue()


def data_url(data: bytes, media_type: str = "image/png") -> str:
    return f"data:{media_type};base64,{b64encode(data).decode()}"


def png_bomb(width: int, height: int, *, rows: int | None = None) -> bytes:
    """A small PNG file of a huge grey image; with `rows`, only so many of them are there."""
    compressor = zlib.compressobj(9)
    row = bytes(width + 1)
    data = b"".join(compressor.compress(row) for _ in range(height if rows is None else rows))
    header = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    chunks = (b"IHDR", header), (b"IDAT", data + compressor.flush()), (b"IEND", b"")
    return b"\x89PNG\r\n\x1a\n" + b"".join(png_chunk(name, body) for name, body in chunks)


def png_chunk(name: bytes, body: bytes) -> bytes:
    return struct.pack(">I", len(body)) + name + body + struct.pack(">I", zlib.crc32(name + body))


def text_bomb() -> bytes:
    """A PNG file whose compressed comment takes far more memory than its pixels."""
    whole = file_of(noise(8, 8), "PNG")
    comment = b"Comment\0\0" + zlib.compress(bytes(100_000_000), 9)
    return whole[:33] + png_chunk(b"zTXt", comment) + whole[33:]


SVG = b'<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><rect width="9" height="9"/></svg>'

NO_IMAGES = {
    "nothing": b"",
    "text": b"hello",
    "zeros": bytes(1000),
    "svg": SVG,
    "pdf": b"%PDF-1.7\n1 0 obj\n<<>>\nendobj\n",
    "wav": b"RIFF\x24\0\0\0WAVEfmt \x10\0\0\0\x01\0\x01\0\x40\x1f\0\0\x40\x1f\0\0\x01\0\x08\0data\0\0\0\0",
    "bmp": file_of(noise(8, 8), "BMP"),
    "tiff": file_of(noise(8, 8), "TIFF"),
    "ico": file_of(noise(16, 16), "ICO"),
    "png magic alone": b"\x89PNG\r\n\x1a\n",
    "jpeg magic alone": b"\xff\xd8\xff",
    "png of no width": png_bomb(0, 5),
    "png of no height": png_bomb(5, 0),
    "500 megapixels": png_bomb(25_000, 20_000, rows=1),
    "2 gigapixels in a side": png_bomb(2**31 - 1, 1, rows=0),
    "comment bomb": text_bomb(),
}
"""By what they are; none of them can be shown to a model."""
