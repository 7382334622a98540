"""The texts of a prompt that a model's configuration may replace."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


class MessagesError(ValueError):
    """A configured text cannot be read; the message names it."""


@dataclass(frozen=True, slots=True)
class Messages:
    """Replacements. None leaves ours; an empty text takes the section out."""

    exec_description: str | None = None
    wait_description: str | None = None
    wait_parameters: str | None = None
    """A JSON Schema as JSON text."""
    deferred_guidance: str | None = None
    mcp_types: str | None = None
    """TypeScript, without its fence."""


_FIELDS = {
    ("exec", "description"): "exec_description",
    ("wait", "description"): "wait_description",
    ("wait", "parameters"): "wait_parameters",
    ("deferred_nested_tools_guidance",): "deferred_guidance",
    ("mcp_typescript_preamble",): "mcp_types",
}
_RETIRED = {("exec", "parameters")}
"""Exec's parameters are fixed; settings of old that hold some are read all the same."""


def parse_messages(config: Mapping[str, Any]) -> Messages:
    """Read the spelling of model catalogs: `{"exec": {"description": ...}, "wait": {...}, ...}`.

    Raises `MessagesError` for an unknown name, and for a value that is no string.
    """
    found: dict[str, str] = {}
    for path, value in _leaves(config):
        name = ".".join(path)
        if path in _RETIRED or value is None:
            continue
        if path not in _FIELDS:
            raise MessagesError(f"messages: `{name}` is unknown")
        if not isinstance(value, str):
            raise MessagesError(f"messages: `{name}` has to be a string")
        found[_FIELDS[path]] = value
    return Messages(**found)


def _leaves(config: Mapping[str, Any]) -> list[tuple[tuple[str, ...], Any]]:
    leaves: list[tuple[tuple[str, ...], Any]] = []
    for name, value in config.items():
        if name in {"exec", "wait"} and isinstance(value, Mapping):
            leaves += [((name, below), text) for below, text in value.items()]
        else:
            leaves.append(((name,), value))
    return leaves
