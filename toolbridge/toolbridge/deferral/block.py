"""The block of a system prompt that names what can be loaded (deferral document, 2.1)."""

from __future__ import annotations

import re
from collections.abc import Iterable

from toolbridge.deferral.preview import preview
from toolbridge.tools import Tool

OPEN = "<available_tools_deferred>"
CLOSE = "</available_tools_deferred>"

_CONTROLS = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f]")
_ESCAPES = {"&": "&amp;", "<": "&lt;", ">": "&gt;"}


def deferred_block(deferred: Iterable[Tool], *, personal: bool = False) -> str | None:
    """One line for each deferred tool in the given order; None: there is none.

    Tools with owners are named only when `personal`, in a prompt that one person alone gets.
    """
    lines = [deferred_line(tool) for tool in deferred if personal or tool.owners is None]
    return "\n".join([OPEN, *lines, CLOSE]) if lines else None


def deferred_line(tool: Tool) -> str:
    """The line of one tool, escaped so that it cannot end the block."""
    text = preview(tool.description)
    return _escaped(f"- {_one_line(tool.raw_name)}{f': {text}' if text else ''}")


def _one_line(name: str) -> str:
    return name.replace("\n", " ").replace("\r", " ")


def _escaped(text: str) -> str:
    escaped = "".join(_ESCAPES.get(character, character) for character in text)
    return _CONTROLS.sub("\ufffd", escaped)
