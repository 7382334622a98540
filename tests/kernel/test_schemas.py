"""The JSON Schemas that others read."""

import json

import pytest
from codemode_kernel.schemas import DRAFT, SCHEMAS, path_of, schema_text
from jsonschema import Draft202012Validator


@pytest.mark.parametrize("name", SCHEMAS)
def test_the_file_says_what_the_structs_say(name: str) -> None:
    """`make schemas` writes it anew."""
    assert path_of(name).read_text(encoding="utf-8") == schema_text(name)


@pytest.mark.parametrize("name", SCHEMAS)
def test_it_is_a_schema(name: str) -> None:
    schema = json.loads(schema_text(name))
    assert schema["$schema"] == DRAFT
    Draft202012Validator.check_schema(schema)
