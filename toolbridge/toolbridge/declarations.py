"""Tool declarations in TypeScript (contract 10.1 to 10.5)."""

from __future__ import annotations

from toolbridge.tools import Tool


def declared_description(tool: Tool) -> str:
    """The description of `tool` with its declaration, as `ALL_TOOLS` shows it (contract 10.1)."""
    raise NotImplementedError
