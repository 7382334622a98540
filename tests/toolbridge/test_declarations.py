"""Schemas become the TypeScript that the reference writes (contract 10.1 to 10.5)."""

import json
from pathlib import Path
from typing import Any

import pytest
from toolbridge.declarations import declared_description, heading
from toolbridge.json_literals import json_literal
from toolbridge.schema_types import typescript_type
from toolbridge.tools import Kind, Tool

VECTORS = Path(__file__).parents[1] / "data" / "vectors"


def cases(area: str) -> list[Any]:
    loaded = json.loads((VECTORS / f"{area}.json").read_text(encoding="utf-8"))["cases"]
    return [pytest.param(case["input"], case["expected"], id=case["id"]) for case in loaded]


def tool_of(written: dict[str, Any], generated: str | None) -> Tool:
    schema = written.get("inputSchema")
    if generated:  # 300 described properties, as the sentence in the vector says
        properties = {
            f"field_{number:04}": {"type": "string", "description": "d" * 40}
            for number in range(300)
        }
        schema = {"type": "object", "properties": properties}
    return Tool(
        name=written["name"],
        source="test",
        description=written["description"],
        kind=Kind(written["kind"]),
        input_schema=schema,
        output_schema=written.get("outputSchema"),
    )


@pytest.mark.parametrize("given, expected", cases("declarations"))
def test_type(given: dict[str, Any], expected: dict[str, str]) -> None:
    schema = json.loads(given["schemaJson"])
    assert typescript_type(schema, given.get("budgetBytes", 0)) == expected["type"]


@pytest.mark.parametrize("given, expected", cases("tool_declarations"))
def test_tool_declaration(given: dict[str, Any], expected: dict[str, Any]) -> None:
    tool = tool_of(given["tool"], given.get("inputSchemaGenerator"))
    sample = declared_description(tool, given.get("inputSchemaMaxBytes", 0))
    assert sample == expected.get("sample", sample)
    assert heading(tool) == expected.get("heading", heading(tool))
    if "inputIsUnknown" in expected:
        assert ("(args: unknown)" in sample) is expected["inputIsUnknown"]


@pytest.mark.parametrize(
    "value, literal",
    [
        (1e15, "1000000000000000.0"),
        (1e16, "1e16"),
        (1.2345678901234568e17, "1.2345678901234568e17"),
        (0.00001, "0.00001"),
        (0.000001, "1e-6"),
        (1.5e-7, "1.5e-7"),
        (12.34, "12.34"),
        (100.0, "100.0"),
        (2**64 - 1, "18446744073709551615"),
        (2**64, "1.8446744073709552e19"),
        (-(2**63), "-9223372036854775808"),
        (0.0, "0.0"),
        (True, "true"),
        ([], "[]"),
        ({"é": None, "a": {"b": 1, "A": 2}}, '{"a":{"A":2,"b":1},"é":null}'),
    ],
)
def test_literal(value: object, literal: str) -> None:
    assert json_literal(value) == literal


def test_a_schema_that_refers_to_itself_in_many_places_stays_bounded() -> None:
    node = {"properties": {name: {"$ref": "#"} for name in "abcdefgh"}}
    assert len(typescript_type(node)) <= 16_000


def test_a_schema_nested_beyond_all_reason_is_unknown() -> None:
    schema: dict[str, Any] = {"type": "string"}
    for _ in range(100_000):
        schema = {"items": schema}
    assert typescript_type(schema) == "unknown"
