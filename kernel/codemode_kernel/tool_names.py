"""Tools by the names that a person may write: the callable one or the raw one."""

from __future__ import annotations

from difflib import get_close_matches

from codemode_kernel.errors import MagicError
from toolbridge import Catalog, Tool


def tool_named(catalog: Catalog, name: str) -> Tool:
    """The tool that scripts call `name` or, failing that, whose raw name it is.

    Raises `MagicError` with the nearest name when there is none.
    """
    by_identifier = {tool.identifier: tool for tool in catalog.registered}
    by_raw_name = {tool.raw_name: tool for tool in catalog.registered}
    tool = by_identifier.get(name) or by_raw_name.get(name)
    if tool is None:
        similar = get_close_matches(name, by_identifier, 1)
        hint = f" Is {similar[0]} meant?" if similar else " %tools lists them."
        raise MagicError(f"There is no tool {name}.{hint}")
    return tool
