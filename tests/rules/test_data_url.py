"""Data URLs."""

from base64 import b64encode

import pytest
from codemode_rules.data_url import DataUrl, parse_data_url
from codemode_rules.errors import DataUrlError
from hypothesis import given
from hypothesis import strategies as st


@pytest.mark.parametrize(
    "url, parts",
    [
        ("data:image/png;base64,AAAA", DataUrl("image/png", True, "AAAA")),
        ("DATA:image/png;x=1;BASE64,AAAA", DataUrl("image/png", True, "AAAA")),
        ("data:;base64;x=1,", DataUrl("", True, "")),
        ("data:base64,AAAA", DataUrl("base64", False, "AAAA")),
        ("data:text/plain; base64,a,b", DataUrl("text/plain", False, "a,b")),
    ],
)
def test_a_data_url_is_split_at_its_first_comma(url: str, parts: DataUrl) -> None:
    assert parse_data_url(url) == parts


@pytest.mark.parametrize("url", ["", "data:", "data:image/png;base64", "file:///a,b", " data:,a"])
def test_other_urls_are_refused(url: str) -> None:
    with pytest.raises(DataUrlError):
        parse_data_url(url)


@given(st.binary(max_size=50))
def test_padding_is_whole_or_absent(data: bytes) -> None:
    encoded = b64encode(data).decode()
    assert DataUrl("", True, encoded).base64_bytes() == data
    assert DataUrl("", True, encoded.rstrip("=")).base64_bytes() == data


@pytest.mark.parametrize(
    "payload", ["AA=", "AAAA=", "A", "AA AA", "AAA\n", "AA%3D%3D", "-_-_", "AB==", "é", "===="]
)
def test_base64_that_is_not_strict_is_refused(payload: str) -> None:
    with pytest.raises(DataUrlError):
        DataUrl("", True, payload).base64_bytes()


def test_a_payload_that_is_not_base64_has_no_bytes() -> None:
    with pytest.raises(DataUrlError):
        parse_data_url("data:text/plain,hello").base64_bytes()
