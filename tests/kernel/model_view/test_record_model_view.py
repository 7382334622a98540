"""The model view in a record is what a model got of the same call from the reference."""

import hashlib
from base64 import b64decode
from typing import Any

import pytest
from codemode_kernel.record import LeftOut

from tests.kernel.conftest import StartKernel
from tests.kernel.notebook import Notebook
from tests.kernel.record_check import checked
from tests.recorded import JsonObject, judge, model_view_cases

pytestmark = pytest.mark.slow

AREAS = ("text", "errors", "pragma", "wait", "notify_store", "truncation", "truncation_more")
WAITS_LONG = {"02_errors/never_settles"}


@pytest.fixture(scope="module")
def recording(start_kernel: StartKernel) -> Notebook:
    return start_kernel(gate_rules='[{"decision": "allow"}]')


def named_by_hash(output: Any) -> Any:
    """An output with the hash of its bytes in place of each data URL."""
    if isinstance(output, str):
        return output
    return [
        {
            key: hashlib.sha256(b64decode(value.partition(",")[2])).hexdigest()
            if key in ("image_url", "audio_url")
            else value
            for key, value in item.items()
        }
        for item in output
    ]


def as_outputs(record: JsonObject) -> list[Any]:
    """What a record says a model got: the result, then the notifications."""
    view = record["model_view"]
    if not isinstance(view, str):
        view = [_item(item) for item in view]
    return [view, *(note["text"] for note in record.get("notifications", []))]


def _item(item: JsonObject) -> JsonObject:
    for kind in ("image", "audio"):
        if kind in item:
            return {"type": item["type"], f"{kind}_url": item[kind]["sha256"]}
    return item


def cases() -> list[JsonObject]:
    """Those that a notebook can make: `%wait` takes nothing but a JSON object."""
    return [
        case
        for case in model_view_cases(*AREAS)
        if case["id"] not in WAITS_LONG
        and all(call.get("arguments", "{").startswith("{") for call in case["calls"])
    ]


@pytest.mark.parametrize("case", cases(), ids=lambda case: case["id"])
def test_a_record_has_what_the_model_got(recording: Notebook, case: JsonObject) -> None:
    recording.run("%reset")
    expected = judge("model-view").Case(case)
    for call in expected.calls:
        call["outputs"] = [named_by_hash(output) for output in call["outputs"]]
        text = expected.fill(call)
        cell = recording.run(text if call["tool"] == "exec" else f"%wait {text}")
        record = cell.first_record
        left_out = checked(record).left_out
        if isinstance(left_out, LeftOut):
            continue  # more than a record holds; tests of `fitting` say how it is shortened
        assert expected.same(call, as_outputs(record)), (call, as_outputs(record))
