"""Text to terms: what a query and a tool have to share to be a match."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache

from toolbridge.tools import Tool

STOP_WORDS = frozenset(
    "a an and are as at be by for from in is it of on or that the this to with".split()  # noqa: SIM905
)

MAX_SCHEMA_DEPTH = 32
"""Schemas inside each other that are read for their words."""

_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
# Scripts that are written without spaces give one term a character.
_UNSPACED = "\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af"
_WORD = re.compile(rf"[{_UNSPACED}]|[^\W_{_UNSPACED}]+")


def terms_of(text: str) -> list[str]:
    """The terms of `text` in order, repeats included."""
    words: list[str] = _WORD.findall(_CAMEL.sub(" ", text).lower())
    return [_singular(word) for word in words if word not in STOP_WORDS]


def tool_text(tool: Tool) -> str:
    """What `tool` can be found by. Its name stands there twice: it says most."""
    section = tool.prompt_section
    about = f"{section.name} {section.description}" if section else ""
    parameters = " ".join(_schema_words(tool.input_schema, MAX_SCHEMA_DEPTH))
    return f"{tool.raw_name} {tool.raw_name} {tool.description} {parameters} {about}"


def _schema_words(schema: object, depth: int) -> Iterator[str]:
    """Names and descriptions of the parameters, those of nested ones included."""
    if not isinstance(schema, Mapping) or not depth:
        return
    description = schema.get("description")
    if isinstance(description, str):
        yield description
    properties = schema.get("properties")
    if isinstance(properties, Mapping):
        for name, below in properties.items():
            yield str(name)
            yield from _schema_words(below, depth - 1)
    yield from _schema_words(schema.get("items"), depth - 1)
    for keyword in ("anyOf", "oneOf", "allOf"):
        branches = schema.get(keyword)
        for below in branches if isinstance(branches, list) else ():
            yield from _schema_words(below, depth - 1)


@lru_cache(maxsize=50_000)
def _singular(word: str) -> str:
    """English plurals, folded lightly: queries and texts rarely agree in number."""
    if len(word) > 4 and word.endswith("ies"):
        return f"{word[:-3]}y"
    if len(word) > 4 and word.endswith(("ches", "shes", "sses", "xes", "zes")):
        return word[:-2]
    if len(word) > 3 and word.endswith("s") and not word.endswith("ss"):
        return word[:-1]
    return word
