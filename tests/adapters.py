"""The bridge between the recorded data and the product.

Everything is driven through the product itself: rules by their functions, cells through a real
session on a real host. An area that the product does not have yet raises `NotImplementedError`.
"""

from __future__ import annotations

import asyncio
import json
import re
import struct
import sys
import tempfile
from base64 import b64encode
from collections.abc import Callable, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

# The adapters are also loaded by their path, from outside the suite.
sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import msgspec
from codemode_host.wire import AudioItem, ContentItem, ImageItem, TextItem
from codemode_kernel.model_view.model_view import ModelView, header
from codemode_kernel.session.model_calls import exec_text, wait_json
from codemode_kernel.session.observation import Observation, Status
from codemode_rules.errors import PragmaError, WaitArgumentsError
from codemode_rules.identifiers import normalise
from codemode_rules.pragma import parse_exec_source
from codemode_rules.wait_arguments import parse_wait_arguments
from toolbridge.declarations import declared_description, heading
from toolbridge.schema_types import DEFAULT_MAX_BYTES, typescript_type
from toolbridge.sources.shell import ShellSource

from tests import deferral_vectors, media_vectors
from tests.apply_patch.patch_session import patch_session
from tests.case_session import HOST, case_session
from tests.field_cases.run import BUILT_IN, OPERATIONS, FieldCaseRun, Shown
from tests.mcp_servers import demo_server
from tests.recorded import judge
from toolbridge import Gate, Kind, Tool, Toolbox, parse_rules

JsonObject = dict[str, Any]


def run_vector(area: str, given: Mapping[str, Any]) -> Any:
    """Answer one vector; a refused input is `{"error": message}`."""
    if area not in _VECTORS:
        raise NotImplementedError(f"vectors of the area {area}")
    return _VECTORS[area](given)


def run_model_view(case: Any) -> list[list[Any]]:
    """Make the calls of one recorded case in one session: the outputs of each call."""
    checked = judge("model-view").Case(case)
    with tempfile.TemporaryDirectory(prefix="model-view-") as folder:
        toolbox = Toolbox(Gate(parse_rules([{"decision": "allow"}])))
        toolbox.add(ShellSource(folder))
        if checked.mcp:
            toolbox.add(demo_server(folder))
        return asyncio.run(_run_calls(checked, toolbox))


def run_field_case(case: JsonObject) -> JsonObject:
    """Run one case from the field in an empty folder and give the observations."""
    unsupported = unsupported_in(case)
    if unsupported:
        raise NotImplementedError(f"field cases with {unsupported}")
    with tempfile.TemporaryDirectory(prefix="field-case-") as name:
        folder = Path(name)
        for path, text in case["setup"].get("files", {}).items():
            target = folder / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(text)
        got = asyncio.run(FieldCaseRun(case, folder).run())
        return got | {"files": _files(folder)}


def run_apply_patch(case: JsonObject) -> JsonObject:
    """Apply one patch from a cell, in a folder of its own."""

    async def run() -> JsonObject:
        async with patch_session() as session:
            return await session.run(case)

    return asyncio.run(run())


def unsupported_in(case: JsonObject) -> str | None:
    """What a field case needs that the product does not have yet."""
    setup = case["setup"]
    wanted = {
        "other built-in tools": not BUILT_IN.issuperset(setup.get("builtin", [])),
    }
    operations = {step["op"] for step in case.get("steps", [])}
    wanted |= dict.fromkeys(sorted(operations - OPERATIONS.keys()), True)
    return next((name for name, needed in wanted.items() if needed), None)


async def _run_calls(case: Any, toolbox: Toolbox) -> list[list[Any]]:
    outputs = []
    async with case_session(toolbox) as session:
        for call in case.calls:
            run = exec_text if call["tool"] == "exec" else wait_json
            outputs.append(await run(session, case.fill(call)))
            # Binds the cell ids that later calls name; whether it is equal is the caller's question.
            case.same(call, outputs[-1])
    return outputs


def _files(folder: Path) -> dict[str, str]:
    return {
        str(path.relative_to(folder)): path.read_text()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


# Vectors


def _pragma(given: Mapping[str, Any]) -> JsonObject:
    try:
        return asdict(parse_exec_source(given["source"]))
    except PragmaError as error:
        return {"error": str(error)}


def _wait_arguments(given: Mapping[str, Any]) -> JsonObject:
    try:
        return {"ok": True} | asdict(parse_wait_arguments(given["argumentsJson"]))
    except WaitArgumentsError as error:
        return {"ok": False, "error": str(error)}


def _identifiers(given: Mapping[str, Any]) -> JsonObject:
    return {"identifier": normalise(given["name"])}


def _catchable_exit(given: Mapping[str, Any]) -> JsonObject:
    observation, items = _run_script(given["script"], "--catchable-exit")
    texts = [item.text for item in items if isinstance(item, TextItem)]
    return {"output": texts, "status": observation.status.value, "error": observation.error_text}


def _output_budget(given: Mapping[str, Any]) -> JsonObject:
    if "status" in given:
        status = Status.RUNNING if given["status"] == "yielded" else Status(given["status"])
        return {"header": header(status, given.get("cellId", ""), given["wallTimeMs"] / 1000)}
    view = ModelView(given["maxTokens"])
    for item in given["items"]:
        view.add(_content_item(item))
    output = view.finish(Status.COMPLETED, "1", 0.0)
    return {"items": [_vector_item(item) for item in output[1:] if isinstance(item, dict)]}


def _media(given: Mapping[str, Any]) -> JsonObject:
    if given.get("stage") != "normalize":
        return media_vectors.answer(given)
    arguments = given["args"] if "args" in given else [_wav_url(given["wav"])]
    script = f"{given['helper']}(...{json.dumps(arguments)})"
    observation, items = _run_script(script)
    if observation.error_text is not None:
        return {"error": observation.error_text}
    (item,) = items
    if "wav" not in given:
        return {"item": _vector_item(msgspec.to_builtins(item))}
    notice = item.text if isinstance(item, TextItem) else None
    return {"omitted": notice is not None, "notice": notice}


def _declarations(given: Mapping[str, Any]) -> JsonObject:
    schema = json.loads(given["schemaJson"])
    return {"type": typescript_type(schema, given.get("budgetBytes", DEFAULT_MAX_BYTES))}


def _tool_declarations(given: Mapping[str, Any]) -> JsonObject:
    fields = given["tool"]
    schema = fields.get("inputSchema")
    if "inputSchemaGenerator" in given:
        schema = _generated_schema(given["inputSchemaGenerator"])
    tool = Tool(
        fields["name"],
        source="vector",
        description=fields["description"],
        kind=Kind(fields["kind"]),
        input_schema=schema,
        output_schema=fields.get("outputSchema"),
    )
    sample = declared_description(tool, fields.get("inputSchemaMaxBytes", DEFAULT_MAX_BYTES))
    return {
        "heading": heading(tool),
        "sample": sample,
        "inputIsUnknown": "(args: unknown)" in sample,
    }


def _generated_schema(words: str) -> JsonObject:
    """The large schema that a vector describes in words."""
    found = re.fullmatch(
        r"object with (\d+) string properties (\w+?)(0+)\.\.\w+, "
        r'each description (\d+) times "(.)"',
        words,
    )
    assert found is not None, words
    count, prefix, zeros, length, letter = found.groups()
    one = {"type": "string", "description": letter * int(length)}
    names = [f"{prefix}{n:0{len(zeros)}}" for n in range(int(count))]
    return {"type": "object", "properties": dict.fromkeys(names, one)}


def _run_script(script: str, *host_options: str) -> tuple[Observation, list[ContentItem]]:
    """Run one cell in a session of its own."""
    shown = Shown()

    async def run() -> Observation:
        async with case_session(host=(*HOST, *host_options)) as session:
            return await session.run(session.new_cell(script), shown)

    return asyncio.run(run()), shown.items


def _content_item(item: Mapping[str, Any]) -> ContentItem:
    if item["type"] == "text":
        return TextItem(item["text"])
    if item["type"] == "image":
        return ImageItem(item["imageUrl"], item.get("detail"))
    return AudioItem(item["audioUrl"])


def _vector_item(item: Mapping[str, Any]) -> JsonObject:
    """A content item in the spelling of the vectors."""
    names = {"image_url": "imageUrl", "audio_url": "audioUrl"}
    named = {names.get(key, key): value for key, value in item.items()}
    return named | {"type": item["type"].removeprefix("input_")}


def _wav_url(wav: Mapping[str, Any]) -> str:
    """The clip that a vector describes, as a data URL."""
    tag = {"pcm": 1, "adpcm": 2, "float": 3}[wav["encoding"]]
    align = wav["channels"] * wav["bits"] // 8
    rate = wav["sampleRate"]
    samples = b"\0" * (wav["frames"] * align)
    form = struct.pack("<HHIIHH", tag, wav["channels"], rate, rate * align, align, wav["bits"])
    body = b"WAVE" + b"fmt " + struct.pack("<I", len(form)) + form
    body += b"data" + struct.pack("<I", wav.get("declaredDataBytes", len(samples))) + samples
    clip = b"RIFF" + struct.pack("<I", len(body)) + body
    return f"data:audio/wav;base64,{b64encode(clip).decode()}"


_VECTORS: dict[str, Callable[[Mapping[str, Any]], Any]] = {
    "pragma": _pragma,
    "wait_arguments": _wait_arguments,
    "identifiers": _identifiers,
    "catchable_exit": _catchable_exit,
    "output_budget": _output_budget,
    "media": _media,
    "provider_seam": media_vectors.answer_provider_seam,
    "declarations": _declarations,
    "tool_declarations": _tool_declarations,
    **deferral_vectors.AREAS,
}
