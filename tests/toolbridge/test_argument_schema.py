"""Arguments against a JSON Schema: refused exactly when the schema says so, with the place."""

from contextlib import nullcontext
from functools import reduce
from typing import Any

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st
from toolbridge.argument_schema import check_arguments, schema_faults
from toolbridge.errors import ArgumentsRefusedError, ToolUnavailableError
from toolbridge.tools import Tool

BOOK = {
    "type": "object",
    "properties": {
        "room": {"type": "string", "maxLength": 3},
        "hours": {"type": "integer", "minimum": 1},
        "guests": {
            "type": "array",
            "items": {"type": "object", "properties": {"name": {"type": "string"}}},
        },
    },
    "required": ["room"],
    "additionalProperties": False,
}
VALUES = (
    st.none()
    | st.integers(-1, 2)
    | st.text("ab", max_size=4)
    | st.lists(st.dictionaries(st.just("name"), st.integers() | st.text("x")), max_size=2)
)


def check(schema: Any, arguments: Any) -> None:
    check_arguments(Tool("book", "s", input_schema=schema), arguments)


@given(st.dictionaries(st.sampled_from(["room", "hours", "guests", "other"]), VALUES))
def test_the_schema_decides(arguments: dict[str, Any]) -> None:
    valid = jsonschema.Draft202012Validator(BOOK).is_valid(arguments)
    expected = nullcontext() if valid else pytest.raises(ArgumentsRefusedError)
    with expected:
        check(BOOK, arguments)


@pytest.mark.parametrize(
    "schema, arguments, fault",
    [
        (BOOK, {"room": "x", "hours": "two"}, "hours: 'two' is not of type 'integer'"),
        (BOOK, {}, "'room' is a required property"),
        (BOOK, {"room": "x", "guests": [{}, {"name": 5}]}, "guests[1].name: 5 is not of type"),
        (BOOK, {"room": 1, "hours": 0}, "room: 1 is not of type 'string'; hours: 0 is less than"),
        (
            {"anyOf": [{"properties": {"a": {"items": {"type": "null"}}}}, {"type": "null"}]},
            {"a": [None, 1]},
            "a[1]: 1 is not of type 'null'",
        ),
        ({"$ref": "#/$defs/A", "$defs": {"A": {"required": ["x"]}}}, {}, "'x' is a required"),
        (False, {}, "False schema does not allow {}"),
    ],
)
def test_the_fault_is_placed(schema: Any, arguments: Any, fault: str) -> None:
    with pytest.raises(ArgumentsRefusedError) as refused:
        check(schema, arguments)
    assert str(refused.value).startswith(f"invalid arguments for tool `book`: {fault}")


def test_a_long_value_is_not_repeated_whole() -> None:
    with pytest.raises(ArgumentsRefusedError) as refused:
        check(BOOK, {"room": "x" * 100_000})
    assert len(str(refused.value)) < 300


def test_a_tool_without_a_schema_takes_anything() -> None:
    check(None, {"a": object})


@pytest.mark.parametrize(
    "schema", [{"type": "objct"}, {"$ref": "#/nowhere"}, {"$ref": "https://example.com/schema"}]
)
def test_a_broken_schema_is_named_and_nothing_is_fetched(schema: Any) -> None:
    with pytest.raises(ToolUnavailableError, match="the input schema of tool `book` is broken: "):
        check(schema, {})


def nested(levels: int) -> dict[str, Any]:
    """A value, or the schema of one, in which so many objects lie in each other as `properties`."""
    return reduce(lambda inner, _: {"properties": {"a": inner}}, range(levels), {})


TREE = {"properties": {"properties": {"$ref": "#"}, "a": {"$ref": "#"}}}


@pytest.mark.parametrize(
    "schema, value, why",
    [
        ({"$ref": "#"}, {}, "nested too deeply or endlessly"),
        (nested(300), {}, "nested too deeply or endlessly"),
        (TREE, nested(300), "nested too deeply or endlessly"),
        ({"properties": {"a": {"multipleOf": 0.1}}}, {"a": 10**400}, "(OverflowError)"),
        ({"$schema": []}, {}, "(TypeError)"),
    ],
)
def test_a_schema_that_cannot_be_compared_with_a_value_is_a_fault(
    schema: Any, value: Any, why: str
) -> None:
    assert schema_faults(schema, value).startswith("the schema cannot be compared with the value")
    assert why in schema_faults(schema, value)
    with pytest.raises(ToolUnavailableError, match="the input schema of tool `book` cannot be"):
        check(schema, value)
