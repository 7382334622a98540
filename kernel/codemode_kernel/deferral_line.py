"""What a `%deferral` line chooses. Sans-I/O."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from typing import Any

from codemode_kernel.errors import MagicError

USAGE = (
    "%deferral [--profile codex|seed] [--route code_mode|local] [--loader ToolSearch|find_tools] "
    "[--threshold NUMBER|none] [--defer SOURCE] [--declare SOURCE], %deferral block"
)

BLOCK = "block"
"""The word that asks for the block of deferred tools, rather than for a choice."""

TRAITS = {"profile": "profile", "route": "tool_route", "loader": "tool_loader"}
"""Options whose text is the value of a trait."""

MODES = {"defer": "deferred", "declare": "immediate"}


def read_deferral_line(line: str) -> dict[str, Any]:
    """Traits of `PromptOptions` with their values; none for an empty line.

    Raises `MagicError`; whether a trait takes its value is seen later.
    """
    traits: dict[str, Any] = {}
    sources: dict[str, str] = {}
    for name, value in _options(line):
        if name in TRAITS:
            traits[TRAITS[name]] = value
        elif name == "threshold":
            traits["deferral_threshold"] = _threshold(value)
        elif name in MODES:
            sources[value] = MODES[name]
        else:
            raise MagicError(f"Unknown option --{name}. Usage: {USAGE}")
    return traits | ({"deferral_sources": sources} if sources else {})


def _options(line: str) -> Iterator[tuple[str, str]]:
    try:
        parts = iter(shlex.split(line))
    except ValueError as error:
        raise MagicError(f"This cannot be read: {error}. Usage: {USAGE}") from None
    for part in parts:
        name, equals, value = part.partition("=")
        if not name.startswith("--"):
            raise MagicError(f"{part} is no option. Usage: {USAGE}")
        if not equals:
            value = next(parts, "")
        if not value:
            raise MagicError(f"{name} takes a value. Usage: {USAGE}")
        yield name[2:], value


def _threshold(value: str) -> int | None:
    if value == "none":
        return None
    if not value.isdecimal():
        raise MagicError(f"--threshold takes a number or none. Usage: {USAGE}")
    return int(value)
