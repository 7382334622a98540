"""Strict JSON: what is refused, and in which words."""

import json
import math
from typing import Any

import pytest
from codemode_rules.errors import JsonTextError
from codemode_rules.json_text import MAX_DEPTH, JsonReader, JsonValue, Number
from hypothesis import example, given
from hypothesis import strategies as st

REFUSED = [
    ("", "EOF while parsing a value at line 1 column 0"),
    ("  ", "EOF while parsing a value at line 1 column 2"),
    ("nope", "expected ident at line 1 column 2"),
    ("nul", "EOF while parsing a value at line 1 column 3"),
    ("'a'", "expected value at line 1 column 1"),
    ("{a: 1}", "key must be a string at line 1 column 2"),
    ('{"a" 1}', "expected `:` at line 1 column 6"),
    ('{"a": 1', "EOF while parsing an object at line 1 column 7"),
    ('{"a": 1,}', "trailing comma at line 1 column 9"),
    ('{"a": 1 "b": 2}', "expected `,` or `}` at line 1 column 9"),
    ("[1", "EOF while parsing a list at line 1 column 2"),
    ("[1 2]", "expected `,` or `]` at line 1 column 4"),
    ("[1,]", "trailing comma at line 1 column 4"),
    ("{} {}", "trailing characters at line 1 column 4"),
    ("{\n  x", "key must be a string at line 2 column 3"),
    ('"é"x', "trailing characters at line 1 column 5"),
    ('"a', "EOF while parsing a string at line 1 column 2"),
    (
        '"\t"',
        "control character (\\u0000-\\u001F) found while parsing a string at line 1 column 2",
    ),
    ('"\\x"', "invalid escape at line 1 column 3"),
    ('"\\u12"', "EOF while parsing a string at line 1 column 6"),
    ('"\\u12x4"', "invalid escape at line 1 column 7"),
    ('"\\udc00"', "lone leading surrogate in hex escape at line 1 column 7"),
    ('"\\ud800x"', "unexpected end of hex escape at line 1 column 8"),
    ("-", "EOF while parsing a value at line 1 column 1"),
    ("-a", "invalid number at line 1 column 2"),
    ("01", "invalid number at line 1 column 2"),
    ("1.", "EOF while parsing a value at line 1 column 2"),
    ("1.x", "invalid number at line 1 column 3"),
    ("1e+", "EOF while parsing a value at line 1 column 3"),
    ("1ex", "invalid number at line 1 column 3"),
    ("1e400", "number out of range at line 1 column 5"),
    ("NaN", "expected value at line 1 column 1"),
    ("[" * (MAX_DEPTH + 1), f"recursion limit exceeded at line 1 column {MAX_DEPTH + 1}"),
]


def read(text: str) -> JsonValue:
    reader = JsonReader(text)
    value = reader.value()
    reader.end()
    return value


@pytest.mark.parametrize("text, message", REFUSED)
def test_what_is_no_json_is_refused_with_reason_and_position(text: str, message: str) -> None:
    with pytest.raises(JsonTextError) as refused:
        read(text)
    assert str(refused.value) == message


def test_containers_may_be_nested_up_to_the_limit() -> None:
    assert read("[" * MAX_DEPTH + "]" * MAX_DEPTH)


@pytest.mark.parametrize(
    "text, value",
    [
        ("0", 0),
        ("18446744073709551615", 2**64 - 1),
        ("18446744073709551616", None),
        ("-1", None),
        ("-0", None),
        ("1.0", None),
        ("1e2", None),
        ("9" * 300, None),
    ],
)
def test_a_u64_is_written_as_a_plain_integer(text: str, value: int | None) -> None:
    number = read(text)
    assert isinstance(number, Number)
    assert number.u64 == value


def plain(value: JsonValue) -> Any:
    if isinstance(value, Number):
        return float(value.text)
    if isinstance(value, list):
        return [plain(item) for item in value]
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items()}
    return value


JSON = st.recursive(
    st.none() | st.booleans() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda children: st.lists(children) | st.dictionaries(st.text(), children),
)


@given(JSON, st.booleans())
def test_whatever_is_json_is_read_as_it_was_meant(value: Any, ascii_only: bool) -> None:
    text = json.dumps(value, ensure_ascii=ascii_only)
    assert plain(read(text)) == value


@given(st.text(alphabet='{}[]":,\\u0dD8e+-.1 \ntrueflsn'))
def test_nothing_else_is_taken_for_json(text: str) -> None:
    try:
        value = read(text)
    except JsonTextError:
        return
    assert plain(value) == json.loads(text, parse_int=float)


@given(st.text(alphabet='{}[]":, \ntruefalsn0123456789'))
@example("1e310")
def test_all_that_python_takes_for_json_is_read(text: str) -> None:
    """Numbers beyond a double apart, of which Python makes infinity."""
    try:
        json.loads(text, parse_constant=_refuse, parse_float=_finite, parse_int=_finite)
    except ValueError:
        with pytest.raises(JsonTextError):
            read(text)
    else:
        read(text)


def _finite(number: str) -> float:
    if not math.isfinite(float(number)):
        raise ValueError(number)
    return float(number)


def _refuse(constant: str) -> None:
    raise ValueError(constant)
