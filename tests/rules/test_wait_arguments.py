"""The arguments of a wait, beyond the recorded vectors."""

import pytest
from codemode_rules.errors import WaitArgumentsError
from codemode_rules.wait_arguments import WaitArguments, parse_wait_arguments
from hypothesis import given
from hypothesis import strategies as st

REFUSED = [
    ("", "EOF while parsing a value at line 1 column 0"),
    ("{}", "missing field `cell_id` at line 1 column 2"),
    ('{"cell_id": 4}', "invalid type: integer `4`, expected a string at line 1 column 13"),
    ('{"cell_id": null}', "invalid type: null, expected a string at line 1 column 16"),
    (
        '{"cell_id": "1", "yield_time_ms": -5}',
        "invalid value: integer `-5`, expected u64 at line 1 column 36",
    ),
    (
        '{"cell_id": "1", "yield_time_ms": 5.0}',
        "invalid type: floating point `5.0`, expected u64 at line 1 column 37",
    ),
    (
        '{"cell_id": "1", "yield_time_ms": -0}',
        "invalid type: floating point `-0.0`, expected u64 at line 1 column 36",
    ),
    (
        '{"cell_id": "1", "yield_time_ms": 18446744073709551616}',
        "invalid type: floating point `18446744073709552000.0`, expected u64 at line 1 column 54",
    ),
    (
        '{"cell_id": "1", "yield_time_ms": null}',
        "invalid type: null, expected u64 at line 1 column 38",
    ),
    (
        '{"cell_id": "1", "max_tokens": "5"}',
        'invalid type: string "5", expected usize at line 1 column 34',
    ),
    (
        '{"cell_id": "1", "terminate": null}',
        "invalid type: null, expected a boolean at line 1 column 34",
    ),
    (
        '{"cell_id": "1", "terminate": 1}',
        "invalid type: integer `1`, expected a boolean at line 1 column 31",
    ),
    ('{"cell_id": "1"} x', "trailing characters at line 1 column 18"),
]


@pytest.mark.parametrize("text, message", REFUSED)
def test_what_does_not_decode_is_refused_in_the_words_the_model_knows(
    text: str, message: str
) -> None:
    with pytest.raises(WaitArgumentsError) as refused:
        parse_wait_arguments(text)
    assert str(refused.value) == f"failed to parse function arguments: {message}"


def test_a_field_may_come_once() -> None:
    with pytest.raises(WaitArgumentsError, match="duplicate field `cell_id`"):
        parse_wait_arguments('{"cell_id": "1", "cell_id": "2"}')


def test_unknown_keys_are_ignored_and_null_tokens_mean_the_default() -> None:
    text = '{"later": [{"cell_id": 1}], "max_tokens": null, "cell_id": "7", "terminate": true}'
    assert parse_wait_arguments(text) == WaitArguments("7", terminate=True)


@given(st.text())
def test_arguments_decode_or_are_refused(text: str) -> None:
    with pytest.raises(WaitArgumentsError, match=r"^failed to parse function arguments: "):
        parse_wait_arguments(text)
