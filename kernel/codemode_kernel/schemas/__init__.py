"""JSON Schemas (draft 2020-12) of what the kernel gives to others, made from its msgspec structs.

`python -m codemode_kernel.schemas` writes them. The front end's types are made from the files; a
test compares them with the structs.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec

from codemode_kernel.control.messages import ControlMessages
from codemode_kernel.record import Record

DRAFT = "https://json-schema.org/draft/2020-12/schema"

SCHEMAS: Mapping[str, Any] = {"control.v1": ControlMessages, "record.v1": Record}
"""Name of a schema to the struct, or the union of structs, that it is made from."""


def path_of(name: str) -> Path:
    """The file of a schema."""
    return Path(__file__).with_name(f"{name}.schema.json")


def schema_text(name: str) -> str:
    """What that file has to hold: one named type in `$defs` for each struct and enum."""
    (top,), types = msgspec.json.schema_components([SCHEMAS[name]], ref_template="#/$defs/{name}")
    schema = {"$schema": DRAFT, **top, "$defs": dict(sorted(types.items()))}
    return json.dumps(schema, indent=2, ensure_ascii=False) + "\n"
