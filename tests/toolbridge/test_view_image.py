"""`view_image`: images as values, and what is no image in the reference's words."""

import base64
import io
import os
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from PIL import Image
from toolbridge.errors import ArgumentsRefusedError
from toolbridge.sources.view_image import ViewImageSource

from tests.toolbridge.boxes import Person, call
from toolbridge import Answer, CallContext, Gate, Toolbox, ToolError, image_file, parse_rules

PREFIX = "data:application/octet-stream;base64,"


@pytest.fixture
async def toolbox(tmp_path: Path) -> AsyncIterator[Toolbox]:
    """With the default gate, and nobody there to be asked."""
    toolbox = Toolbox()
    toolbox.add(ViewImageSource(tmp_path))
    yield toolbox
    await toolbox.close()


def draw(path: Path, format_: str, mode: str = "RGB") -> bytes:
    """Write a small image; its bytes."""
    Image.new(mode, (3, 2)).save(path, format_)
    return path.read_bytes()


async def view(toolbox: Toolbox, path: Path | str, **arguments: Any) -> bytes:
    """The bytes of the image that the tool gives."""
    result = await call(toolbox, "view_image", {"path": str(path), **arguments})
    assert list(result) == ["image_url"]
    assert result["image_url"].startswith(PREFIX)
    return base64.b64decode(result["image_url"].removeprefix(PREFIX))


async def refusal(toolbox: Toolbox, path: Path | str) -> str:
    with pytest.raises(ToolError) as refused:
        await view(toolbox, path)
    return str(refused.value)


@pytest.mark.parametrize("format_", ["PNG", "JPEG", "GIF", "WEBP"])
async def test_an_image_is_given_as_it_is(toolbox: Toolbox, tmp_path: Path, format_: str) -> None:
    data = draw(tmp_path / "image", format_)
    assert await view(toolbox, tmp_path / "image") == data


@pytest.mark.parametrize("format_, mode", [("BMP", "RGB"), ("TIFF", "RGB"), ("TIFF", "CMYK")])
async def test_what_browsers_do_not_show_becomes_png(
    toolbox: Toolbox, tmp_path: Path, format_: str, mode: str
) -> None:
    draw(tmp_path / "image", format_, mode)
    with Image.open(io.BytesIO(await view(toolbox, tmp_path / "image"))) as image:
        assert (image.format, image.size) == ("PNG", (3, 2))


async def test_a_path_is_looked_for_in_the_sessions_folder(
    toolbox: Toolbox, tmp_path: Path
) -> None:
    data = draw(tmp_path / "image.png", "PNG")
    assert await view(toolbox, "image.png") == data


@pytest.mark.parametrize("detail", ["auto", "low", "high", "original", None])
async def test_a_detail_changes_nothing(
    toolbox: Toolbox, tmp_path: Path, detail: str | None
) -> None:
    data = draw(tmp_path / "image.png", "PNG")
    assert await view(toolbox, "image.png", detail=detail) == data


async def test_what_is_not_there(toolbox: Toolbox, tmp_path: Path) -> None:
    assert await refusal(toolbox, "none.png") == (
        f"unable to locate image at `{tmp_path}/none.png`: No such file or directory (os error 2)"
    )


async def test_what_is_no_file(toolbox: Toolbox, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for path in (tmp_path, tmp_path / "pipe"):
        assert await refusal(toolbox, path) == f"image path `{path}` is not a file"


@pytest.mark.parametrize("content", [b"", b"text", b"<svg/>", b"\x89PNG\r\n\x1a\n"])
async def test_what_is_no_image(toolbox: Toolbox, tmp_path: Path, content: bytes) -> None:
    (tmp_path / "image.png").write_bytes(content)
    assert await refusal(toolbox, "image.png") == (
        "unable to process image: invalid or unsupported image data"
    )


@pytest.mark.parametrize("format_", ["PNG", "JPEG"])
async def test_half_an_image_is_none(toolbox: Toolbox, tmp_path: Path, format_: str) -> None:
    image = Image.effect_noise((64, 64), 50)
    image.save(tmp_path / "image", format_)
    data = (tmp_path / "image").read_bytes()
    (tmp_path / "image").write_bytes(data[: len(data) // 2])
    assert await refusal(toolbox, "image") == image_file.INVALID


async def test_a_file_too_large_is_refused_unread(toolbox: Toolbox, tmp_path: Path) -> None:
    (tmp_path / "huge.png").touch()
    os.truncate(tmp_path / "huge.png", image_file.MAX_BYTES + 1)
    assert await refusal(toolbox, "huge.png") == (
        f"unable to process image: `{tmp_path}/huge.png` is larger than 32 MiB"
    )


async def test_an_image_of_too_many_pixels_is_not_decoded(
    toolbox: Toolbox, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(image_file, "MAX_PIXELS", 5)
    draw(tmp_path / "image.png", "PNG")
    assert await refusal(toolbox, "image.png") == (
        "unable to process image: it has more than 5 pixels"
    )


@pytest.mark.parametrize(
    "arguments, message",
    [
        ({}, "failed to parse function arguments: missing field `path` at line 1 column 2"),
        (
            {"path": 5},
            "failed to parse function arguments: invalid type: integer `5`, expected a string at "
            "line 1 column 9",
        ),
        ({"path": "a", "detail": "High"}, "image detail must be one of: auto, low, high, original"),
        ({"path": "a\0"}, "view_image failed: `path` holds a NUL character"),
    ],
)
async def test_arguments_are_checked(toolbox: Toolbox, arguments: Any, message: str) -> None:
    with pytest.raises(ArgumentsRefusedError) as refused:
        await call(toolbox, "view_image", arguments)
    assert str(refused.value) == message


async def test_the_person_sees_which_image(toolbox: Toolbox, tmp_path: Path) -> None:
    person = Person(Answer.ONCE)
    toolbox.gate = Gate(parse_rules([{"decision": "ask"}]))
    draw(tmp_path / "image.png", "PNG")
    await call(toolbox, "view_image", {"path": "image.png"}, CallContext(asker=person))
    assert person.questions[0].text == f"look at {tmp_path}/image.png"
