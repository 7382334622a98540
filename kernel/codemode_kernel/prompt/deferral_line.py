"""What a `%deferral` line chooses. Sans-I/O."""

from __future__ import annotations

from typing import Any

from codemode_kernel.errors import MagicError
from codemode_kernel.text_options import Option, read_words

USAGE = (
    "%deferral [--profile codex|seed] [--route code_mode|local] [--loader ToolSearch|find_tools] "
    "[--threshold NUMBER|none] [--defer SOURCE] [--declare SOURCE], %deferral block"
)

BLOCK = "block"
"""The word that asks for the block of deferred tools, rather than for a choice."""

TRAITS = {"profile": "profile", "route": "tool_route", "loader": "tool_loader"}
"""Options whose text is the value of a trait."""

MODES = {"defer": "deferred", "declare": "immediate"}
"""Options whose text is a source."""

TEXTS = (*TRAITS, "threshold", *MODES)


def read_deferral_line(line: str) -> dict[str, Any]:
    """Traits of `PromptOptions` with their values; none for an empty line.

    Raises `MagicError`; whether a trait takes its value is seen later.
    """
    traits: dict[str, Any] = {}
    sources: dict[str, str] = {}
    for word in read_words(line, USAGE, TEXTS):
        match word:
            case Option("threshold", value):
                traits["deferral_threshold"] = _threshold(value)
            case Option(name, value) if name in MODES:
                sources[value] = MODES[name]
            case Option(name, value):
                traits[TRAITS[name]] = value
            case _:
                raise MagicError(f"{word} is no option. Usage: {USAGE}")
    return traits | ({"deferral_sources": sources} if sources else {})


def _threshold(value: str) -> int | None:
    if value == "none":
        return None
    if not value.isdecimal():
        raise MagicError(f"--threshold takes a number or none. Usage: {USAGE}")
    return int(value)
