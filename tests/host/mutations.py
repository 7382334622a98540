"""Random and mutated frames, for whoever reads them."""

import json
from typing import Any

from hypothesis import strategies as st

TOOL = {"name": "t", "tool_name": {"name": "t", "namespace": None}, "description": "d"}
EXECUTE = {
    "tool_call_id": "c",
    "enabled_tools": [{**TOOL, "kind": "function", "input_schema": None, "output_schema": None}],
    "source": "text(1)",
    "yield_time_ms": 5,
    "max_output_tokens": None,
}

SEEDS: list[dict[str, Any]] = [
    {
        "type": "connection/hello",
        "supportedVersions": [1],
        "requiredCapabilities": [],
        "optionalCapabilities": ["yield-observation"],
    },
    *(
        {"type": "operation/request", "id": 7, "request": {"sessionId": "s", **request}}
        for request in (
            {"method": "session/open", "cellExecutionLimits": {"maxYieldTimeMs": 5}},
            {"method": "session/execute", "request": EXECUTE},
            {"method": "session/wait", "request": {"cell_id": "1", "yield_time_ms": 5}},
            {"method": "session/terminate", "cellId": "1"},
            {"method": "session/shutdown"},
        )
    ),
    {"type": "operation/cancel", "id": 7},
    {"type": "operation/yield", "id": 7},
    *(
        {"type": "delegate/response", "id": 1, "result": result}
        for result in (
            {"status": "ok", "value": {"type": "tool/result", "result": {"a": [1, None]}}},
            {"status": "ok", "value": {"type": "notification/delivered"}},
            {"status": "error", "message": "m"},
        )
    ),
]

_json = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4)
    ),
    max_leaves=4,
)


@st.composite
def _varied(draw: st.DrawFn) -> bytes:
    """A message with other values of the right type."""
    message = json.loads(json.dumps(draw(st.sampled_from(SEEDS[1:]))))
    message["id"] = draw(st.integers(min_value=-(2**63), max_value=2**63 - 1))
    request = message.get("request", {})
    for holder in (request, request.get("request", {})):
        for key in holder.keys() & {"sessionId", "cell_id", "cellId", "source", "tool_call_id"}:
            holder[key] = draw(st.sampled_from(["s", "1", "2"]) | st.text(min_size=1, max_size=8))
        if "yield_time_ms" in holder:
            holder["yield_time_ms"] = draw(st.integers(min_value=0, max_value=2**64 - 1))
    return json.dumps(message).encode()


@st.composite
def _edited(draw: st.DrawFn) -> bytes:
    """A message with one member somewhere replaced, removed, added or moved elsewhere."""
    message = json.loads(json.dumps(draw(st.sampled_from(SEEDS))))
    target: Any = message
    while True:
        inner = [member for member in target.values() if isinstance(member, dict) and member]
        if not inner or draw(st.booleans()):
            break
        target = draw(st.sampled_from(inner))
    key = draw(st.sampled_from(sorted(target)))
    match draw(st.sampled_from(["replace", "remove", "add", "copy"])):
        case "replace":
            target[key] = draw(_json)
        case "remove":
            del target[key]
        case "add":
            target[draw(st.text(max_size=8))] = draw(_json)
        case "copy":
            target[key] = draw(st.sampled_from(SEEDS))
    return json.dumps(message).encode()


@st.composite
def _damaged(draw: st.DrawFn) -> bytes:
    """A message whose bytes were cut, doubled or overwritten."""
    data = bytearray(json.dumps(draw(st.sampled_from(SEEDS))).encode())
    for _ in range(draw(st.integers(min_value=1, max_value=3))):
        at = draw(st.integers(min_value=0, max_value=len(data)))
        length = draw(st.integers(min_value=0, max_value=8))
        data[at : at + length] = draw(st.binary(max_size=8))
    return bytes(data)


well_formed = _varied()
"""JSON texts of messages about sessions, cells and requests that are there or not."""

malformed = st.one_of(
    _edited(),
    _damaged(),
    st.binary(max_size=64),
    _json.map(lambda value: json.dumps(value).encode()),
)
"""JSON texts of messages, nearly right or quite wrong."""
