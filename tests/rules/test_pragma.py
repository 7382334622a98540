"""The pragma line, beyond the recorded vectors."""

import json

import pytest
from codemode_rules.errors import PragmaError
from codemode_rules.pragma import PREFIX, SAFE_INTEGER_MAX, ExecSource, parse_exec_source
from codemode_rules.white_space import WHITE_SPACE
from hypothesis import given
from hypothesis import strategies as st

FIELDS = "`yield_time_ms` and `max_output_tokens`"
NOT_A_SAFE_INTEGER = f"exec pragma fields {FIELDS} must be non-negative safe integers: "


def refusal(text: str) -> str:
    with pytest.raises(PragmaError) as refused:
        parse_exec_source(text)
    return str(refused.value)


@pytest.mark.parametrize(
    "value, detail",
    [
        ("-1", "invalid number"),
        ("10.0", "invalid number"),
        ("1e300", "invalid number"),
        ("18446744073709551616", "invalid number"),
        ('"10"', 'invalid type: string "10", expected u64'),
        ("true", "invalid type: boolean `true`, expected u64"),
        ("[1]", "invalid type: sequence, expected u64"),
        ("{}", "invalid type: map, expected u64"),
    ],
)
def test_a_value_that_is_no_unsigned_integer_is_refused_with_the_reason(
    value: str, detail: str
) -> None:
    text = f'// @exec: {{"yield_time_ms": {value}}}\ntext(1)'
    assert refusal(text) == NOT_A_SAFE_INTEGER + detail


def test_the_first_wrong_field_in_source_order_is_the_one_that_is_named() -> None:
    unknown = '// @exec: {"yield_time_ms": 1, "b": 1, "a": 2}\ntext(1)'
    assert refusal(unknown) == f"exec pragma only supports {FIELDS}; got `b`"
    wrong = '// @exec: {"max_output_tokens": true, "yield_time_ms": -1}\ntext(1)'
    assert refusal(wrong).endswith("boolean `true`, expected u64")
    unsafe = f'// @exec: {{"max_output_tokens": {2**53}, "yield_time_ms": {2**53}}}\ntext(1)'
    assert refusal(unsafe) == (
        "exec pragma field `yield_time_ms` must be a non-negative safe integer"
    )


@pytest.mark.parametrize("space", list(WHITE_SPACE.replace("\n", "")))
def test_any_unicode_white_space_is_trimmed(space: str) -> None:
    text = f'{space}// @exec:{space}{{"yield_time_ms": 5}}{space}\n{space}text(1)'
    assert parse_exec_source(text) == ExecSource(f"{space}text(1)", yield_time_ms=5)
    assert refusal(space).startswith("exec expects raw JavaScript source text")


@pytest.mark.parametrize("lead", ["\ufeff", "\x1c", "\x1f", "\u200b"])
def test_what_is_no_white_space_makes_the_line_a_comment(lead: str) -> None:
    text = f'{lead}// @exec: {{"yield_time_ms": 5}}\ntext(1)'
    assert parse_exec_source(text) == ExecSource(text)


def test_a_carriage_return_alone_does_not_end_the_line() -> None:
    assert "must be followed by" in refusal("// @exec: {}\rtext(1)")


safe_integers = st.none() | st.integers(0, SAFE_INTEGER_MAX)


@given(safe_integers, safe_integers, st.text().filter(lambda code: code.strip(WHITE_SPACE)))
def test_every_pragma_comes_back_as_it_was_written(
    yield_time_ms: int | None, max_output_tokens: int | None, code: str
) -> None:
    fields = {"yield_time_ms": yield_time_ms, "max_output_tokens": max_output_tokens}
    source = parse_exec_source(f"// @exec: {json.dumps(fields)}\n{code}")
    assert source == ExecSource(code, yield_time_ms, max_output_tokens)


@given(st.text())
def test_what_is_not_refused_ends_in_its_code(text: str) -> None:
    try:
        source = parse_exec_source(text)
    except PragmaError:
        assert not text.strip(WHITE_SPACE) or text.lstrip(WHITE_SPACE).startswith(PREFIX)
    else:
        assert text.endswith(source.code)
        assert source.code.strip(WHITE_SPACE)
