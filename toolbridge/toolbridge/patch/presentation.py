"""A patch in words for the person who is asked about it. Nothing is looked at on the disk."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from toolbridge.patch.document import AddFile, DeleteFile, Hunk, Operation, Patch, Sign, UpdateFile
from toolbridge.patch.paths import confined

SHOWN_LINES = 40
"""Lines of one file that are shown; that there are more is said."""


def present(patch: Patch, root: Path) -> str:
    """What happens to which file below `root`, then the lines of each."""
    lines = [f"in {root}"]
    lines += [_summary(operation, root) for operation in patch.operations]
    for operation in patch.operations:
        path = confined(root, operation.path)
        body = list(_body(operation))
        if body:
            lines += ["", f"{path}:", *body[:SHOWN_LINES]]
        if len(body) > SHOWN_LINES:
            lines.append(f"(( {len(body) - SHOWN_LINES:,} more lines of {path} ))")
    return "\n".join(lines)


def _summary(operation: Operation, root: Path) -> str:
    path = confined(root, operation.path)
    if isinstance(operation, DeleteFile):
        return f"delete {path}"
    if isinstance(operation, AddFile):
        count = len(operation.lines)
        size = f"{count:,} line{'' if count == 1 else 's'}"
        return f"add {path} ({size}, in place of a file that may be there)"
    signs = [line.sign for hunk in operation.hunks for line in hunk.lines]
    size = f"+{signs.count(Sign.ADDED):,} -{signs.count(Sign.REMOVED):,}"
    if operation.move_to is not None:
        return f"move {path} to {confined(root, operation.move_to)} ({size})"
    return f"update {path} ({size})"


def _body(operation: Operation) -> Iterator[str]:
    if isinstance(operation, AddFile):
        for line in operation.lines:
            yield f"+{line}"
    elif isinstance(operation, UpdateFile):
        for hunk in operation.hunks:
            yield from _hunk(hunk)


def _hunk(hunk: Hunk) -> Iterator[str]:
    yield " ".join(["@@", *hunk.locators])
    for line in hunk.lines:
        yield f"{line.sign}{line.text}"
    if hunk.at_end:
        yield "(( end of the file ))"
