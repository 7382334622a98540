"""Answers the vectors of prepared media: what becomes of an image after its helper."""

import asyncio
import json
from base64 import b64encode
from collections.abc import Mapping
from typing import Any

from codemode_kernel.session.model_calls import exec_text
from codemode_kernel.session.observation import ModelOutput
from codemode_rules.image_size import ImageLimits, fitted_size, patches
from toolbridge.media import media_rules
from toolbridge.media.admission import Admission, MediaRefusedError
from toolbridge.media.provider_seam import AnnotatedResult, ProviderSeamError, project
from toolbridge.prompt.model_facts import ModelFacts

from tests.case_session import case_session

JsonObject = dict[str, Any]


def answer(given: Mapping[str, Any]) -> JsonObject:
    """Answer a vector that is not about a cell's own helper."""
    if "resize" in given:
        return _resize(given["resize"])
    if "limits" in given:
        return {"accepted": _accepted(given["limits"])}
    return {"item": _prepared_item(given)}


def _resize(wanted: Mapping[str, Any]) -> JsonObject:
    size = wanted["width"], wanted["height"]
    limits = ImageLimits(wanted["maxDimension"], wanted["maxPatches"])
    rules = media_rules("seed", ModelFacts(supports_image_detail_original=True))
    assert rules.limits_for(wanted["detail"]) == limits
    width, height = fitted_size(*size, limits)
    resized = (width, height) != size
    return {
        "width": width,
        "height": height,
        "patches": patches(width, height),
        "resized": resized,
    }


def _accepted(limits: Mapping[str, Any]) -> bool | list[bool]:
    admission = Admission(media_rules("seed"))
    if "observation" in limits:
        return [_is_admitted(admission, _url(size)) for size in limits["observation"]]
    if "headerChars" in limits:
        name = "data:image/png;{};base64".format("x" * (limits["headerChars"] - 22))
        return _is_admitted(admission, f"{name},AAAA")
    return _is_admitted(admission, _url(limits["decodedBytes"]))


def _url(size: int) -> str:
    return f"data:image/png;base64,{b64encode(bytes(size)).decode()}"


def _is_admitted(admission: Admission, url: str) -> bool:
    try:
        admission.admit(url)
    except MediaRefusedError:
        return False
    return True


def _prepared_item(given: Mapping[str, Any]) -> JsonObject:
    async def run() -> list[ModelOutput]:
        rules = media_rules(
            "seed", ModelFacts(supports_image_detail_original=given["supportsOriginal"])
        )
        async with case_session(media=rules) as session:
            return await exec_text(session, f"{given['helper']}(...{json.dumps(given['args'])})")

    (output,) = asyncio.run(run())
    assert isinstance(output, list)
    _, item = output
    return {"type": "image", "imageUrl": item["image_url"], "detail": item["detail"]}


def answer_provider_seam(given: Mapping[str, Any]) -> JsonObject:
    """Answer a vector of the seam to providers."""
    occurrence = given.get("occurrence", 0)
    results = [
        AnnotatedResult(
            result["toolCallId"],
            result["content"],
            result.get("details", {}).get("providerMedia"),
            occurrence,
        )
        for result in given["results"]
    ]
    items = given.get("input", [])
    try:
        projected = project(given["api"], items, results)
    except ProviderSeamError as error:
        return {"error": str(error)}
    outputs = [item for item in projected if "output" in item]
    changed = [at for at, item in enumerate(outputs) if isinstance(item["output"], list)]
    return {
        "input": projected,
        "projectedOccurrence": changed[0],
        "firstOutput": outputs[0]["output"],
    }
