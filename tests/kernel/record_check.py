"""What holds for every record, wherever it comes from."""

import json
from typing import Any

import msgspec
from codemode_kernel.record import LIMIT, MIME, Record
from codemode_kernel.schemas import schema_text
from jsonschema import Draft202012Validator
from nbformat import NotebookNode

SCHEMA = Draft202012Validator(json.loads(schema_text("record.v1")))


def checked(record: dict[str, Any]) -> Record:
    """The record, which fits the schema, is within the limit and has no field of another name."""
    SCHEMA.validate(record)
    typed = msgspec.convert(record, Record)
    assert json.loads(msgspec.json.encode(typed)) == record
    assert len(json.dumps(record, ensure_ascii=False, separators=(",", ":")).encode()) <= LIMIT
    return typed


def records_of(cell: NotebookNode) -> list[Record]:
    """The checked records among the outputs of a notebook's cell."""
    bundles = [output.data for output in cell.outputs if "data" in output]
    return [checked(json.loads(json.dumps(data[MIME]))) for data in bundles if MIME in data]
