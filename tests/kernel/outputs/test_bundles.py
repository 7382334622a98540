"""Content items as MIME bundles."""

import io
import wave
from base64 import b64encode

import pytest
from codemode_host.wire import AudioItem, ImageItem
from codemode_kernel.outputs.bundles import (
    TREE_DEPTH,
    TREE_LIMIT,
    audio_bundle,
    image_bundle,
    notification_bundle,
    tree_bundle,
)
from PIL import Image


def image_data(format_: str) -> bytes:
    buffer = io.BytesIO()
    Image.new("RGB", (317, 211), "teal").save(buffer, format_)
    return buffer.getvalue()


def data_url(mime: str, data: bytes) -> str:
    return f"data:{mime};base64,{b64encode(data).decode()}"


@pytest.mark.parametrize("format_", ["PNG", "JPEG", "GIF", "WEBP"])
def test_an_image_is_shown_under_its_true_type_with_its_size(format_: str) -> None:
    mime = f"image/{format_.lower()}"
    data = image_data(format_)
    bundle = image_bundle(ImageItem(data_url("application/octet-stream", data)))
    assert bundle.data[mime] == b64encode(data).decode()
    assert bundle.data["text/plain"].startswith(f"[{mime} 317x211, ")
    assert bundle.metadata == {mime: {"width": 317, "height": 211}}


def test_svg_is_shown_as_text_of_its_own_type() -> None:
    bundle = image_bundle(ImageItem("data:image/svg+xml,%3Csvg/%3E"))
    assert bundle.data["image/svg+xml"] == "<svg/>"


@pytest.mark.parametrize(
    "url, plain",
    [
        (
            "data:image/png;base64,aGVsbG8=",
            "[image/png, 5 bytes] cannot be shown: its data is of another kind",
        ),
        ("data:image/png;base64,", "[image/png, 0 bytes] cannot be shown: it has no data"),
        ("data:image/png;base64,@@@@", "[image that cannot be shown: not a base64 data URL]"),
        ("https://example.org/a.png", "[image that cannot be shown: not a base64 data URL]"),
        ("data:text/plain;base64,aGk=", "[text/plain, 2 bytes] cannot be shown"),
        ("data:;base64,aGk=", "[image of unknown type, 2 bytes] cannot be shown"),
    ],
)
def test_what_is_no_image_is_named(url: str, plain: str) -> None:
    assert image_bundle(ImageItem(url)).data == {"text/plain": plain}


def test_a_broken_image_keeps_its_type_without_a_size() -> None:
    bundle = image_bundle(ImageItem(data_url("image/png", image_data("PNG")[:20])))
    assert bundle.data["text/plain"] == "[image/png, 20 bytes]"
    assert bundle.metadata == {}


def test_audio_has_a_player_and_the_sound_itself() -> None:
    buffer = io.BytesIO()
    with wave.open(buffer, "wb") as clip:
        clip.setparams((1, 2, 8000, 0, "NONE", ""))
        clip.writeframes(bytes(24_000))
    url = data_url("audio/wav", buffer.getvalue())
    bundle = audio_bundle(AudioItem(url))
    assert bundle.data["text/html"] == f'<audio controls src="{url}"></audio>'
    assert bundle.data["audio/wav"] == b64encode(buffer.getvalue()).decode()
    assert bundle.data["text/plain"] == "[audio/wav 1.5 s, 23 kB]"


HEADS = {
    "audio/wav": b"RIFF\x24\0\0\0WAVE",
    "audio/mpeg": b"\xff\xfb\x90\x64",
    "audio/ogg": b"OggS\0\2",
    "audio/mp4": b"\0\0\0\x20ftypM4A ",
    "audio/webm": b"\x1aE\xdf\xa3\x9f",
}


@pytest.mark.parametrize("mime", HEADS)
@pytest.mark.parametrize("declared", ["application/octet-stream", "audio/x-own"])
def test_a_sound_is_played_under_its_true_type(mime: str, declared: str) -> None:
    bundle = audio_bundle(AudioItem(data_url(declared, HEADS[mime])))
    assert f'src="data:{mime};base64,' in bundle.data["text/html"]
    assert bundle.data[mime] == b64encode(HEADS[mime]).decode()
    assert bundle.data["text/plain"].startswith(f"[{mime}")


def test_a_sound_of_unknown_kind_keeps_the_type_it_was_given() -> None:
    for data in (b"", b"\xff", b"\xff\xe8\0", b"hello"):
        bundle = audio_bundle(AudioItem(data_url("audio/x-own", data)))
        assert bundle.data["text/plain"].startswith("[audio/x-own")


def test_a_media_type_cannot_leave_the_player_attribute() -> None:
    url = 'data:audio/x"><script>alert(1)</script>;base64,aGk='
    assert "<script>" not in audio_bundle(AudioItem(url)).data["text/html"]


@pytest.mark.parametrize("made_up", ["audio/", "audio/x y", 'audio/x"><b>', "audio/x\n", "audio/é"])
def test_a_media_type_that_is_made_up_is_no_type_of_an_output(made_up: str) -> None:
    bundle = audio_bundle(AudioItem(data_url(made_up, b"hi")))
    assert sorted(bundle.data) == ["text/html", "text/plain"]


@pytest.mark.parametrize("text", ['{"a":1}', "[1,2]", '[{"a":[null]}]', '{"é":"\\n"}'])
def test_a_json_object_or_array_is_a_tree(text: str) -> None:
    bundle = tree_bundle(text)
    assert bundle is not None
    assert set(bundle.data) == {"application/json", "text/plain"}


@pytest.mark.parametrize(
    "text",
    [
        "hi",
        "1",
        '"a"',
        "{}",
        "[]",
        "{a: 1}",
        "[INFO] ready]",
        '{\n  "a": 1\n}',
        "[NaN]",
        "[1e999]",
        "[" * 100_000 + "]" * 100_000,
        f'["{"x" * TREE_LIMIT}"]',
    ],
)
def test_any_other_text_stays_text(text: str) -> None:
    assert tree_bundle(text) is None


def test_a_tree_has_a_greatest_depth() -> None:
    assert tree_bundle("[" * TREE_DEPTH + "1" + "]" * TREE_DEPTH) is not None
    assert tree_bundle("[" * (TREE_DEPTH + 1) + "1" + "]" * (TREE_DEPTH + 1)) is None


def test_the_plain_fallback_of_a_large_tree_is_cut() -> None:
    bundle = tree_bundle(f'["{"x" * 20_000}"]')
    assert bundle is not None
    assert bundle.data["text/plain"].endswith("more characters")


def test_a_long_notification_is_cut() -> None:
    bundle = notification_bundle("x" * 1_000_000)
    assert all(len(text) < 20_000 for text in bundle.data.values())
    assert bundle.data["text/plain"].endswith("983,616 more characters")


def test_a_notification_is_escaped() -> None:
    bundle = notification_bundle("<b>done</b>")
    assert "&lt;b&gt;done" in bundle.data["text/html"]
    assert bundle.data["text/plain"] == "Notification: <b>done</b>"
    assert "<b>done" not in bundle.data["text/html"]
    of_a_cell = notification_bundle("done", "g2:1")
    assert of_a_cell.data["text/plain"] == "Notification from cell g2:1: done"
