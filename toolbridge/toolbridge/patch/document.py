"""What a patch says, as values. Line numbers count the lines of the patch, from 1."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TypeAlias


class Sign(StrEnum):
    """The first character of a line in a hunk."""

    CONTEXT = " "
    REMOVED = "-"
    ADDED = "+"


@dataclass(frozen=True, slots=True)
class HunkLine:
    """One line of a hunk, its sign taken off."""

    sign: Sign
    text: str


@dataclass(frozen=True, slots=True)
class Hunk:
    """Lines that are in the file in a row, and what becomes of them."""

    line: int
    locators: tuple[str, ...]
    """Lines of the file, one after the other, behind which the hunk is (`@@ LINE`)."""
    lines: tuple[HunkLine, ...]
    at_end: bool
    """Its old lines are the last of the file (`*** End of File`)."""

    @property
    def old(self) -> list[str]:
        """The lines as the file has them."""
        return [line.text for line in self.lines if line.sign is not Sign.ADDED]

    @property
    def new(self) -> list[str]:
        """The lines as the file will have them."""
        return [line.text for line in self.lines if line.sign is not Sign.REMOVED]

    def without_last_blank(self) -> Hunk | None:
        """The hunk without the empty line at the end of its old lines.

        Models like to end a hunk with an empty line that the file does not have. An empty last new
        line goes with it, any other is kept. None: the old lines end otherwise, or this is the
        only one, which leaves nothing that says where the hunk is (seed 004, 5.4).
        """
        old, new = self.old, self.new
        if len(old) < 2 or old[-1]:
            return None
        last_old = _last(self.lines, not_sign=Sign.ADDED)
        kept: list[HunkLine | None] = list(self.lines)
        is_new_as_well = self.lines[last_old].sign is Sign.CONTEXT
        kept[last_old] = HunkLine(Sign.ADDED, "") if is_new_as_well else None
        if new and not new[-1]:
            kept[_last(self.lines, not_sign=Sign.REMOVED)] = None
        return replace(self, lines=tuple(line for line in kept if line is not None))


@dataclass(frozen=True, slots=True)
class AddFile:
    """A file with these lines, in place of one that may be there."""

    line: int
    path: str
    """As it is written in the patch, like every path here."""
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class DeleteFile:
    """A file that goes away."""

    line: int
    path: str


@dataclass(frozen=True, slots=True)
class UpdateFile:
    """A file that is edited, moved, or both."""

    line: int
    path: str
    move_to: str | None
    hunks: tuple[Hunk, ...]
    """In the order of the file; none at all only with `move_to`."""


Operation: TypeAlias = AddFile | DeleteFile | UpdateFile


@dataclass(frozen=True, slots=True)
class Patch:
    """Operations in the order in which they are written, at least one."""

    operations: tuple[Operation, ...]


def _last(lines: tuple[HunkLine, ...], not_sign: Sign) -> int:
    return max(at for at, line in enumerate(lines) if line.sign is not not_sign)
