"""The sources of the cells that ran before, to say which of them had a name."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from typing import TYPE_CHECKING

from codemode_kernel.hints.script import FUNCTIONS, Script

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tree_sitter import Node

CELLS = 200
"""Sources that are kept."""

LONGEST = 50_000
"""Longest source that is kept, in characters."""

_DECLARATIONS = ("lexical_declaration", "variable_declaration")
_CALLABLES = FUNCTIONS | {"class", "class_declaration"}


@dataclass(frozen=True)
class Declaration:
    """A name that an earlier cell declared at its top level."""

    label: str
    """The notebook cell, such as `In [3]`."""
    callable: bool
    """A function or a class: `store` cannot keep it."""


class EarlierCells:
    """The newest sources; parsed only when a name is looked for."""

    def __init__(self) -> None:
        self._cells: deque[tuple[str, str]] = deque(maxlen=CELLS)

    def add(self, label: str, code: str) -> None:
        """A cell runs."""
        if len(code) <= LONGEST:
            self._cells.append((label, code))

    def declaration_of(self, name: str, *, before: str) -> Declaration | None:
        """The newest declaration of `name`, but for those of the cell labelled `before`."""
        for label, code in reversed(self._cells):
            if label == before or name not in code:
                continue
            for declared, value in _declared(Script(code)):
                if declared == name:
                    is_callable = value is not None and value.type in _CALLABLES
                    return Declaration(label, is_callable)
        return None


def _declared(script: Script) -> Iterator[tuple[str, Node | None]]:
    """Names that the top level declares, each with what it is set to where that is one thing."""
    for statement in script.statements:
        if statement.type in _CALLABLES:
            yield script.field(statement, "name"), statement
        elif statement.type in _DECLARATIONS:
            for declarator in script.nodes("variable_declarator", under=statement):
                if declarator.parent != statement:
                    continue
                pattern = declarator.child_by_field_name("name")
                whole = pattern is not None and pattern.type == "identifier"
                value = declarator.child_by_field_name("value") if whole else None
                types = ("identifier", "shorthand_property_identifier_pattern")
                for node in script.nodes(*types, under=pattern):
                    yield script.text(node), value
