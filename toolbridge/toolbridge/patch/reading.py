"""Reads a patch.

    *** Begin Patch
    *** Add File: PATH          then the lines of the file, each after a `+`
    *** Delete File: PATH
    *** Update File: PATH
    *** Move to: PATH           optional
    @@ LINE                     starts a hunk; LINE, optional, is one before it in the file
     context                    lines of the hunk, by their first character
    -removed
    +added
    *** End of File             the hunk is the end of the file
    *** End Patch

As the reference does, it bears spaces around the lines that start with `***`, a first hunk without
`@@`, and an empty line in a hunk, which is an empty context line. Several `@@` lines in a row narrow
the place down one after the other.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from toolbridge.patch.document import (
    AddFile,
    DeleteFile,
    Hunk,
    HunkLine,
    Operation,
    Patch,
    Sign,
    UpdateFile,
)
from toolbridge.patch.errors import Fault, PatchRefusedError, invalid_patch

BEGIN = "*** Begin Patch"
END = "*** End Patch"
MOVE = "*** Move to:"
END_OF_FILE = "*** End of File"
MARKER = "***"


def read_patch(text: str) -> Patch:
    """The patch that `text` is.

    Lines end in LF or CRLF. Raises `PatchRefusedError`: it is none, it is empty, or it holds what
    UTF-8 cannot.
    """
    _check_encoding(text)
    lines = _between_markers(text)
    operations = []
    while lines.peek() is not None:
        operations.append(_operation(lines))
    if not operations:
        raise PatchRefusedError(Fault.EMPTY, "the patch is empty: it names no file")
    return Patch(tuple(operations))


@dataclass
class _Lines:
    """The lines between the markers, and how far they are read."""

    lines: Sequence[str]
    number: int
    """Of the next line."""
    _at: int = 0

    def peek(self) -> str | None:
        return self.lines[self._at] if self._at < len(self.lines) else None

    def take(self) -> str:
        self._at += 1
        self.number += 1
        return self.lines[self._at - 1]


def _check_encoding(text: str) -> None:
    try:
        text.encode()
    except UnicodeEncodeError as error:
        line = text.count("\n", 0, error.start) + 1
        what = f"line {line} of the patch holds half a surrogate pair, which is no text"
        raise PatchRefusedError(Fault.ENCODING, what) from None


def _between_markers(text: str) -> _Lines:
    lines = [line.removesuffix("\r") for line in text.split("\n")]
    first, last = 0, len(lines) - 1
    while first < last and not lines[first].strip():
        first += 1
    while last > first and not lines[last].strip():
        last -= 1
    for at, name, marker in ((first, "first", BEGIN), (last, "last", END)):
        if lines[at].strip() != marker:
            what = f"invalid patch: The {name} line of the patch must be '{marker}'"
            raise PatchRefusedError(Fault.SYNTAX, what)
    return _Lines(lines[first + 1 : last], number=first + 2)


def _operation(lines: _Lines) -> Operation:
    line = lines.number
    header = lines.take().strip()
    for prefix, read in _OPERATIONS.items():
        if header.startswith(prefix):
            return read(lines, line, _path(header, prefix, line))
    expected = ", ".join(f"`{prefix} PATH`" for prefix in _OPERATIONS)
    raise invalid_patch(line, f"{_quoted(header)} starts no operation: {expected} do")


def _path(header: str, prefix: str, line: int) -> str:
    path = header.removeprefix(prefix).strip()
    if not path:
        raise invalid_patch(line, f"`{prefix}` names no file")
    if "\0" in path:
        raise invalid_patch(line, "the path holds a NUL character")
    return path


def _add(lines: _Lines, line: int, path: str) -> AddFile:
    added = []
    while (text := lines.peek()) is not None and text.startswith(Sign.ADDED):
        added.append(_added(lines.number, lines.take()))
    if text is not None and not text.strip().startswith(MARKER):
        what = f"in Add File: {path}, {_quoted(text)} lacks the `+` that every line starts with"
        raise invalid_patch(lines.number, what)
    return AddFile(line, path, tuple(added))


def _delete(lines: _Lines, line: int, path: str) -> DeleteFile:
    return DeleteFile(line, path)


def _update(lines: _Lines, line: int, path: str) -> UpdateFile:
    move_to = None
    header = (lines.peek() or "").strip()
    if header.startswith(MOVE):
        move_to = _path(header, MOVE, lines.number)
        lines.take()
    hunks = _HunkReader(path).read(lines)
    if not hunks and move_to is None:
        raise invalid_patch(line, f"Update File: {path} has no hunk")
    return UpdateFile(line, path, move_to, hunks)


_OPERATIONS: dict[str, Callable[[_Lines, int, str], Operation]] = {
    "*** Add File:": _add,
    "*** Delete File:": _delete,
    "*** Update File:": _update,
}


@dataclass
class _Draft:
    """A hunk that is being read."""

    line: int
    locators: list[str] = field(default_factory=list)
    lines: list[HunkLine] = field(default_factory=list)


class _HunkReader:
    """Reads the hunks of one file."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._hunks: list[Hunk] = []
        self._draft: _Draft | None = None

    def read(self, lines: _Lines) -> tuple[Hunk, ...]:
        """All hunks up to the next operation."""
        while (text := lines.peek()) is not None:
            if text.startswith(MARKER) and text.rstrip() != END_OF_FILE:
                break
            number = lines.number
            lines.take()
            if text.rstrip() == END_OF_FILE:
                self._close(number, at_end=True)
            elif text.rstrip() == "@@" or text.startswith("@@ "):
                self._open(number, text[3:])
            else:
                self._line(number, text)
        if self._draft is not None:
            self._close(lines.number, at_end=False)
        return tuple(self._hunks)

    def _open(self, number: int, locator: str) -> None:
        draft = self._draft
        narrows = draft is not None and draft.locators and not draft.lines
        if draft is None or not (narrows and locator.strip()):
            if draft is not None:
                self._close(number, at_end=False)
            self._draft = draft = _Draft(number)
        if locator.strip():
            draft.locators.append(locator)

    def _close(self, number: int, *, at_end: bool) -> None:
        draft, self._draft = self._draft, None
        if draft is None or not draft.lines:
            line = number if draft is None else draft.line
            raise invalid_patch(line, f"in Update File: {self._path}, a hunk without lines")
        self._hunks.append(Hunk(draft.line, tuple(draft.locators), tuple(draft.lines), at_end))

    def _line(self, number: int, text: str) -> None:
        if text and text[0] not in tuple(Sign):
            raise self._stray(number, text, "starts with none of ` `, `-`, `+` and `@@`")
        if self._draft is None:
            if self._hunks:
                raise self._stray(number, text, "follows the end of a hunk; `@@` starts another")
            if not text:
                return  # space before the first hunk
            self._draft = _Draft(number)
        sign = Sign(text[0]) if text else Sign.CONTEXT
        said = _added(number, text) if sign is Sign.ADDED else text[1:]
        self._draft.lines.append(HunkLine(sign, said))

    def _stray(self, number: int, text: str, what: str) -> PatchRefusedError:
        return invalid_patch(number, f"in Update File: {self._path}, {_quoted(text)} {what}")


def _added(number: int, text: str) -> str:
    """What a `+` line adds: never what a later patch would refuse to touch."""
    if "\r" in text:
        what = f"line {number} of the patch adds a bare CR (carriage return)"
        raise PatchRefusedError(Fault.NEWLINE_STYLE, what)
    return text[1:]


def _quoted(text: str) -> str:
    return f"`{text if len(text) <= 60 else text[:59] + '…'}`"
