"""Puts prepared media into the tool outputs of a provider's request (deferral document, 10).

A history keeps the result of a call as text and image blocks, and beside it, in
`details.providerMedia`, what was prepared for the wire. Where a request is made of it, the output of
that call becomes a list of texts, images and sounds in their order. Pure: values in, values out.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

VERSION = 1
"""Of the descriptor."""

HEARING_APIS = frozenset({"codex-responses", "openai-responses"})
"""APIs whose tool outputs can hold sounds."""

OUTPUTS = frozenset({"function_call_output", "custom_tool_call_output"})
"""Items of a request that hold the output of a call."""

Item = Mapping[str, Any]


class ProviderSeamError(ValueError):
    """A result that cannot be put into a request; the text says why."""


@dataclass(frozen=True)
class AnnotatedResult:
    """A call's result as a history keeps it."""

    call_id: str
    content: Sequence[Item]
    """Text and image blocks."""
    descriptor: Any
    """`details.providerMedia`; None: it has none, and stays as it is."""
    occurrence: int = 0
    """Which of the outputs of its call it is: notifications share the call's id."""


def project(
    api: str, request_input: Sequence[Item], results: Sequence[AnnotatedResult]
) -> list[Item]:
    """The input of a request to `api` with the media of `results` in it.

    Raises `ProviderSeamError` for a descriptor of another version or with anything but data URLs,
    for sounds where the API takes none, and for a result whose output is not in the request.
    """
    projected = list(request_input)
    for result in results:
        if result.descriptor is None:
            continue
        parts = _parts(result)
        if api not in HEARING_APIS and any(part["type"] == "input_audio" for part in parts):
            raise ProviderSeamError("audio unsupported")
        at = _position(projected, result)
        if not _is_cleared(result):
            projected[at] = {**projected[at], "output": parts}
    return projected


def _position(items: Sequence[Item], result: AnnotatedResult) -> int:
    found = [
        at
        for at, item in enumerate(items)
        if item.get("type") in OUTPUTS and item.get("call_id") == result.call_id
    ]
    if result.occurrence >= len(found):
        raise ProviderSeamError("missing annotated result")
    return found[result.occurrence]


def _is_cleared(result: AnnotatedResult) -> bool:
    """Whether the history has given up its images: they are never brought back."""
    described: int = sum(entry["type"] == "image" for entry in result.descriptor["entries"])
    kept: int = sum(block.get("type") == "image" for block in result.content)
    return kept < described


def _parts(result: AnnotatedResult) -> list[dict[str, Any]]:
    descriptor = result.descriptor
    if not isinstance(descriptor, Mapping) or descriptor.get("version") != VERSION:
        raise ProviderSeamError("invalid descriptor")
    entries = descriptor.get("entries")
    if not isinstance(entries, list):
        raise ProviderSeamError("invalid descriptor")
    texts = [block["text"] for block in result.content if block.get("type") == "text"]
    return [_part(entry, texts) for entry in entries]


def _part(entry: Any, texts: Sequence[str]) -> dict[str, Any]:
    match entry:
        case {"type": "text", "index": int(index)} if 0 <= index < len(texts):
            return {"type": "input_text", "text": texts[index]}
        case {"type": "image", "url": str(url), **rest} if _is_data_url(url):
            detail = {"detail": rest["detail"]} if "detail" in rest else {}
            return {"type": "input_image", "image_url": url, **detail}
        case {"type": "audio", "url": str(url)} if _is_data_url(url):
            return {"type": "input_audio", "audio_url": url}
    raise ProviderSeamError("invalid descriptor")


def _is_data_url(url: str) -> bool:
    return url[:5].lower() == "data:"
