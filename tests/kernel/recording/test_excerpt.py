"""How much of a value a record keeps."""

from typing import Any

from codemode_kernel.recording.excerpt import (
    DEEPEST,
    MARK_BYTES,
    Excerpt,
    cut_text,
    json_bytes,
)
from hypothesis import given, settings
from hypothesis import strategies as st
from toolbridge.masking import SECRET
from toolbridge.secret_fields import SchemaSecrets

JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.text(max_size=20),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=4)
    ),
    max_leaves=10,
)
OVERSHOOT = 100 * DEEPEST
"""Bytes that the marks of nested values may take beyond a limit."""


def kept(value: Any, limit: int = 1000, schema: Any = None) -> tuple[Any, Excerpt]:
    excerpt = Excerpt(limit)
    return excerpt.of(value, SchemaSecrets(schema), "arguments"), excerpt


def test_a_text_that_fits_stays_as_it_is() -> None:
    assert cut_text("žluť", 40) == ("žluť", 0)


def test_a_longer_one_says_how_much_it_lacks() -> None:
    assert cut_text("x" * 12_345, 50) == ("x" * 8 + "… (12,337 more characters)", 12_337)


@given(st.text(), st.integers(MARK_BYTES, 200))
def test_a_text_takes_no_more_than_its_limit(text: str, limit: int) -> None:
    short, left_out = cut_text(text * 20, limit)
    assert json_bytes(short) <= limit
    assert left_out or short == text * 20


def test_lone_surrogates_are_replaced() -> None:
    assert cut_text("a\ud800b", 100) == ("a\ufffdb", 0)


@settings(max_examples=50)
@given(JSON)
def test_a_value_that_fits_stays_as_it_is(value: Any) -> None:
    same, excerpt = kept(value, limit=10**9)
    assert same == value or excerpt.secret_fields or excerpt.is_cut


@settings(max_examples=50)
@given(JSON, st.integers(0, 300))
def test_a_value_takes_about_its_limit_at_most(value: Any, limit: int) -> None:
    value = [value] * 50
    short, excerpt = kept(value, limit)
    assert json_bytes(short) <= limit + OVERSHOOT
    assert excerpt.is_cut or excerpt.secret_fields or short == value


def test_what_is_left_out_of_a_list_or_an_object_is_counted() -> None:
    numbers, excerpt = kept(list(range(1000)), limit=100)
    assert numbers[-1] == f"… ({1000 - len(numbers) + 1} more elements)"
    assert excerpt.is_cut
    fields, _ = kept({f"k{i}": i for i in range(1000)}, limit=100)
    assert fields["…"] == f"… ({1000 - len(fields) + 1} more fields)"


def test_nesting_ends_somewhere() -> None:
    value: Any = 1
    for _ in range(500):
        value = [value]
    short, excerpt = kept(value)
    assert excerpt.is_cut
    assert "nested deeper" in str(short)


def test_what_the_schema_calls_a_secret_is_not_there() -> None:
    schema = {
        "type": "object",
        "properties": {
            "user": {"type": "string"},
            "pin": {"type": "string", "writeOnly": True},
            "accounts": {"type": "array", "items": {"$ref": "#/$defs/Account"}},
        },
        "$defs": {"Account": {"properties": {"code": {"type": "string", "format": "password"}}}},
    }
    value = {"user": "ada", "pin": "1234", "accounts": [{"code": "x", "name": "a/b"}]}
    short, excerpt = kept(value, schema=schema)
    assert short == {"user": "ada", "accounts": [{"name": "a/b"}]}
    assert excerpt.secret_fields == ["/arguments/pin", "/arguments/accounts/0/code"]
    assert not excerpt.is_cut


def test_a_whole_value_can_be_the_secret() -> None:
    short, excerpt = kept("hunter-22", schema={"type": "string", "writeOnly": True})
    assert short == "(secret left out)"
    assert excerpt.secret_fields == ["/arguments"]


def test_what_is_named_like_a_secret_is_replaced() -> None:
    value = {"headers": {"Authorization": "Bearer x", "Accept": "*/*"}, "a/b_token": "t"}
    short, excerpt = kept(value)
    assert short == {"headers": {"Authorization": SECRET, "Accept": "*/*"}, "a/b_token": SECRET}
    assert excerpt.secret_fields == ["/arguments/headers/Authorization", "/arguments/a~1b_token"]
