"""What the rules know of a cell that has ended."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property

from codemode_kernel.hints.call_log import CallLog
from codemode_kernel.hints.earlier_cells import Declaration
from codemode_kernel.hints.script import Script
from toolbridge import Catalog

_MISSING_NAME = re.compile(r"ReferenceError: (\S+) is not defined")


@dataclass(frozen=True)
class Facts:
    """One ended cell. Only a cell that completed or failed is worth a hint."""

    code: str
    """The whole notebook cell: lines are counted as the person sees them."""
    error_text: str | None = None
    """Why the script failed; None when it completed."""
    silent: bool = False
    """It showed nothing at all and notified of nothing."""
    calls: CallLog = field(default_factory=CallLog)
    catalog: Catalog = field(default_factory=lambda: Catalog(()))
    """The tools it was started with."""
    declared_earlier: Callable[[str], Declaration | None] = lambda name: None
    """Finds the declaration of a name in the cells that ran before."""

    @cached_property
    def script(self) -> Script:
        """The source as a syntax tree, made when the first rule asks for it."""
        return Script(self.code)

    @property
    def error(self) -> str:
        """The error text; empty for a cell that completed."""
        return self.error_text or ""

    @property
    def is_syntax_error(self) -> bool:
        """Whether the engine refused the source, so that nothing of it ran.

        `JSON.parse` throws errors of that name, too, but from a place in the script.
        """
        return self.error.startswith("SyntaxError") and "\n    at " not in self.error

    @property
    def missing_name(self) -> str | None:
        """The name that was not defined, if that is what ended the cell."""
        found = _MISSING_NAME.match(self.error)
        return found[1] if found else None

    @cached_property
    def lines(self) -> tuple[str, ...]:
        """The lines of code that are neither blank nor a comment of JavaScript's."""
        lines = (line.strip() for line in self.code.split("\n"))
        return tuple(line for line in lines if line and not line.startswith("//"))

    @property
    def first_line(self) -> str:
        """The first of `lines`; empty when there is none."""
        return self.lines[0] if self.lines else ""
