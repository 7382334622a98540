"""Token estimate and cutting."""

from base64 import b64encode

import pytest
from codemode_rules.budget import (
    TextEnds,
    audio_tokens,
    cut,
    tokens,
    truncate,
)
from hypothesis import given
from hypothesis import strategies as st


@pytest.mark.parametrize("size, estimate", [(0, 0), (1, 1), (4, 1), (5, 2), (40_001, 10_001)])
def test_a_token_is_four_bytes_rounded_up(size: int, estimate: int) -> None:
    assert tokens(size) == estimate


@pytest.mark.parametrize(
    "text, max_tokens, shown",
    [
        ("abcd", 1, "abcd"),
        ("abcde", 1, "ab…1 tokens truncated…de"),
        ("abcde", 0, "…2 tokens truncated…"),
        ("", 0, ""),
        ("aéé", 1, "a…1 tokens truncated…é"),
        ("😀😀", 1, "…1 tokens truncated…"),
        ("😀" * 5, 3, "😀…2 tokens truncated…😀"),
    ],
)
def test_cut_keeps_whole_characters_of_both_ends(text: str, max_tokens: int, shown: str) -> None:
    assert cut(text, max_tokens) == shown


@given(st.text(), st.integers(0, 20))
def test_cut_keeps_nothing_but_ends_within_the_budget(text: str, max_tokens: int) -> None:
    shown = cut(text, max_tokens)
    if len(text.encode()) <= 4 * max_tokens:
        assert shown == text
        return
    head, _, rest = shown.partition("…")
    tail = rest.rpartition("…")[2]
    if "…" not in text:
        assert text.startswith(head)
        assert text.endswith(tail)
        assert max(len(head.encode()), len(tail.encode())) <= 2 * max_tokens


@pytest.mark.parametrize(
    "text, lines",
    [("a\nbcdef", 2), ("a\nbcdef\n", 2), ("\n\n\n\n\n", 5), ("a\rbcdef", 1), ("abcd\n\n", 2)],
)
def test_a_trailing_newline_opens_no_line_and_a_carriage_return_ends_none(
    text: str, lines: int
) -> None:
    assert truncate(text, 1).splitlines()[:2] == [
        f"Warning: truncated output (original token count: {tokens(len(text))})",
        f"Total output lines: {lines}",
    ]


def test_a_text_that_fits_is_not_touched() -> None:
    assert truncate("abcd", 1) == "abcd"
    assert truncate("x" * 100, 2**53 - 1) == "x" * 100


@given(st.lists(st.text(max_size=9)), st.integers(0, 9), st.integers(0, 9))
def test_ends_know_enough_for_every_smaller_cut(texts: list[str], kept: int, less: int) -> None:
    ends = TextEnds(kept)
    for text in texts:
        ends.add(text.encode())
    whole, max_tokens = "".join(texts), max(0, kept - less)
    assert ends.size == len(whole.encode())
    assert ends.fits(max_tokens) == (cut(whole, max_tokens) == whole)
    if not ends.fits(max_tokens):
        assert ends.cut(max_tokens) == cut(whole, max_tokens)


def test_audio_costs_ten_tokens_a_second_and_unreadable_audio_its_url() -> None:
    header = b"RIFF\0\0\0\0WAVEfmt \x10\0\0\0\1\0\1\0\x40\x1f\0\0\x40\x1f\0\0\1\0\x08\0data"
    length = (8_001).to_bytes(4, "little")
    clip = b64encode(header + length + b"\0" * 8_001).decode()
    assert audio_tokens(f"data:audio/wav;base64,{clip}") == 11
    assert audio_tokens("data:audio/ogg;base64,AAAA") == tokens(26)
