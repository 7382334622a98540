"""Finds the place of each hunk in a file, and edits its lines.

Lines are compared exactly; if that finds nothing, without the white space at their end; if that
finds nothing either, without the white space around them. The first of these tiers that finds
anything has to find one place only (seed 004, 5.4). Context lines keep the text of the file.

A search is one `str.find` in the joined lines: linear, whatever file and hunk look like.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate

from toolbridge.patch.document import Hunk, Sign
from toolbridge.patch.errors import Fault, PatchRefusedError


def apply_hunks(lines: Sequence[str], hunks: Sequence[Hunk], path: str) -> list[str]:
    """The lines of a file after `hunks`, which are in its order; `path` is for messages.

    Raises `PatchRefusedError` (`CONTEXT`, `AMBIGUOUS`).
    """
    finder = _Finder(lines, path)
    edited: list[str] = []
    cursor = 0
    for hunk in hunks:
        place = finder.place(hunk, cursor)
        edited += lines[cursor : place.start]
        cursor = place.start
        for line in place.hunk.lines:
            if line.sign is Sign.ADDED:
                edited.append(line.text)
                continue
            if line.sign is Sign.CONTEXT:
                edited.append(lines[cursor])
            cursor += 1
    return edited + list(lines[cursor:])


@dataclass(frozen=True, slots=True)
class _Place:
    """Where a hunk is."""

    start: int
    """Index of its first old line."""
    hunk: Hunk
    """The hunk in the form that fits there."""


class _Finder:
    """Searches the lines of one file. Places are indices of lines, from 0."""

    def __init__(self, lines: Sequence[str], path: str) -> None:
        self._path = path
        self._count = len(lines)
        self._tiers = [_Tier(lines, fold) for fold in (_as_it_is, str.rstrip, str.strip)]

    def place(self, hunk: Hunk, cursor: int) -> _Place:
        """Where `hunk` is, at `cursor` or behind it."""
        for locator in hunk.locators:
            found = self._find([locator], cursor, at_end=False)
            if found is None:
                what = f"Failed to find context '{locator}' in {self._path}"
                raise PatchRefusedError(Fault.CONTEXT, what)
            cursor = found + 1
        if not hunk.old:
            return _Place(self._place_of_addition(hunk, cursor), hunk)
        for form in (hunk, hunk.without_last_blank()):
            if form is not None:
                found = self._find(form.old, cursor, form.at_end)
                if found is not None:
                    return _Place(found, form)
        what = f"Failed to find expected lines in {self._path}:\n{_joined(hunk.old)}"
        raise PatchRefusedError(Fault.CONTEXT, what)

    def _place_of_addition(self, hunk: Hunk, cursor: int) -> int:
        if hunk.at_end or not self._count:
            return self._count
        if hunk.locators:
            return cursor
        what = (
            f"a hunk of {self._path} (line {hunk.line} of the patch) only adds lines, and nothing "
            f"says where: give a line before them as context or after `@@ `, or end the hunk with "
            f"`*** End of File`"
        )
        raise PatchRefusedError(Fault.AMBIGUOUS, what)

    def _find(self, wanted: Sequence[str], start: int, at_end: bool) -> int | None:
        if at_end:
            start = max(start, self._count - len(wanted))
        if start + len(wanted) > self._count:
            return None
        for tier in self._tiers:
            found = tier.find(wanted, start)
            if len(found) > 1:
                raise self._ambiguous(wanted, found)
            if found:
                return found[0]
        return None

    def _ambiguous(self, wanted: Sequence[str], found: Sequence[int]) -> PatchRefusedError:
        what = (
            f"Found expected lines more than once in {self._path}, at lines {found[0] + 1} and "
            f"{found[1] + 1}; more context or a line after `@@ ` tells which:\n{_joined(wanted)}"
        )
        return PatchRefusedError(Fault.AMBIGUOUS, what)


class _Tier:
    """The lines of a file as one way of comparing sees them."""

    def __init__(self, lines: Sequence[str], fold: Callable[[str], str]) -> None:
        self._lines = lines
        self._fold = fold

    def find(self, wanted: Sequence[str], start: int) -> list[int]:
        """The first two places of `wanted`, as far as there are any."""
        needle = self._framed(wanted)
        places: list[int] = []
        at = self._offsets[start]
        while len(places) < 2 and (at := self._text.find(needle, at)) >= 0:
            places.append(bisect_left(self._offsets, at))
            at += 1
        return places

    def _framed(self, lines: Sequence[str]) -> str:
        return "\n".join(["", *map(self._fold, lines), ""])

    @cached_property
    def _text(self) -> str:
        return self._framed(self._lines)

    @cached_property
    def _offsets(self) -> list[int]:
        """Where the newline before each line is in the text."""
        return list(accumulate((len(self._fold(line)) + 1 for line in self._lines), initial=0))


def _as_it_is(line: str) -> str:
    return line


def _joined(lines: Sequence[str]) -> str:
    return "\n".join(lines)
