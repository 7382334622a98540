"""The recorded cases and their judges.

What the tests need most is copied to `tests/data` (`make data`). Other collections lie beside the
checkout, in `../shared`; where that is absent, the tests that need them say so in one line.
"""

import importlib.util
import json
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

DATA = Path(__file__).parent / "data"
SHARED = Path(__file__).parents[2] / "shared"

JsonObject = dict[str, Any]


@cache
def judge(collection: str) -> ModuleType:
    """The module `match.py` of a collection: it knows which answers count as equal."""
    path = DATA / collection / "match.py"
    spec = importlib.util.spec_from_file_location(f"match_{collection.replace('-', '_')}", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def vectors(area: str) -> list[JsonObject]:
    """The vectors of one area: `id`, `input`, `expected`."""
    return list(_vector_file(area)["cases"])


def vector_fixtures(area: str) -> JsonObject:
    """What the vectors of one area refer to by name."""
    return dict(_vector_file(area)["fixtures"])


def _vector_file(area: str) -> JsonObject:
    loaded: JsonObject = json.loads((DATA / "vectors" / f"{area}.json").read_text())
    return loaded


def model_view_cases(*areas: str) -> list[JsonObject]:
    """The recorded calls of some areas."""
    lines = (DATA / "model-view" / "cases.jsonl").read_text().splitlines()
    return [case for case in map(json.loads, lines) if case["area"] in areas]


def field_cases() -> list[JsonObject]:
    """All cases from the field, by name."""
    return [json.loads(path.read_text()) for path in sorted((DATA / "field-cases").glob("*.json"))]


def shared(collection: str) -> Path:
    """A collection that is not copied; the test is skipped where it is absent."""
    path = SHARED / collection
    if not path.is_dir():
        pytest.skip(f"no {collection} here: it lies in ../shared, beside the checkout")
    return path
