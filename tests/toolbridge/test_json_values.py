"""Strict JSON: exactly what the wire can carry."""

import json
import math
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from toolbridge.json_values import MAX_DEPTH, NotJsonError, path_text, strict_json

LEAVES = (
    st.none()
    | st.booleans()
    | st.integers(-(2**63), 2**64 - 1)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text()
)
JSON = st.recursive(
    LEAVES, lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner), max_leaves=20
)
FAULTS = st.sampled_from([math.nan, -math.inf, 2**64, "\ud800", (1,), {1: 2}, b"", object()])


@given(JSON)
def test_what_is_accepted_crosses_the_wire_unchanged(value: Any) -> None:
    assert strict_json(value) is value
    assert msgspec.json.decode(msgspec.json.encode(value)) == value
    assert json.loads(json.dumps(value, allow_nan=False)) == value


@given(FAULTS, st.lists(st.integers(0, 3) | st.sampled_from(["a", "b c"]), max_size=8))
def test_a_fault_is_found_and_placed_wherever_it_is(fault: Any, path: list[int | str]) -> None:
    value = fault
    for part in reversed(path):
        value = {part: value} if isinstance(part, str) else [None] * part + [value]
    with pytest.raises(NotJsonError) as refused:
        strict_json(value)
    assert str(refused.value).startswith(path_text(path))


def nested(depth: int) -> Any:
    value: Any = 1
    for _ in range(depth):
        value = [value]
    return value


def test_depth_is_bounded() -> None:
    assert strict_json(nested(MAX_DEPTH))
    with pytest.raises(NotJsonError, match="nested deeper than 120 levels, or holding itself"):
        strict_json(nested(MAX_DEPTH + 1))


@pytest.mark.parametrize(
    "path, text",
    [([], ""), (["a", 0, "b"], "a[0].b"), ([1, "a b"], '[1]["a b"]'), (["a b"], '["a b"]')],
)
def test_paths_are_written_as_scripts_write_them(path: list[int | str], text: str) -> None:
    assert path_text(path) == text
