"""What single nodes of a script's tree say."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tree_sitter import Node

MARKER = "__cursor__"
"""Stands where something will be typed; an identifier, so that a parser expects no more."""

MAX_CLIMB = 200
"""Nodes that a look outwards goes through at most: no script is nested deeper on purpose."""

_ESCAPE = re.compile(r"\\(.)", re.DOTALL)


def text_of(node: Node) -> str:
    """Its source, without the marker."""
    return (node.text or b"").decode("utf-8", "replace").replace(MARKER, "")


def name_of(node: Node | None) -> str | None:
    """The name that a key or an index gives: of an identifier, or of a plain string."""
    if node is None:
        return None
    if node.type == "string":
        return _ESCAPE.sub(r"\1", text_of(node)[1:-1])
    is_name = node.type in (
        "identifier",
        "property_identifier",
        "shorthand_property_identifier",
        "shorthand_property_identifier_pattern",
    )
    return text_of(node) if is_name else None


def first_in(node: Node | None) -> Node | None:
    """Its first part that is more than punctuation."""
    return next(iter(node.named_children), None) if node is not None else None


def is_marked(node: Node) -> bool:
    """Whether the cursor is in it."""
    return MARKER.encode() in (node.text or b"")


def outwards(node: Node) -> Iterator[tuple[Node, Node]]:
    """Each node around `node` with the one it was reached from, the innermost first."""
    return islice(_climb(node), MAX_CLIMB)


def _climb(node: Node) -> Iterator[tuple[Node, Node]]:
    while (parent := node.parent) is not None:
        yield parent, node
        node = parent
