"""Keeps the paths of a patch below one folder."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path, PurePath

from toolbridge.patch.document import Operation, Patch, UpdateFile
from toolbridge.patch.errors import Fault, PatchRefusedError

_WINDOWS_ROOT = re.compile(r"[A-Za-z]:[\\/]|\\\\")


def confined(root: Path, written: str) -> PurePath:
    """The path that a patch means, relative to the absolute folder `root`.

    `.` and `..` are taken out of the text, before anything is looked at. An absolute path has to
    begin with `root`. Raises `PatchRefusedError`.
    """
    path = Path(os.path.normpath(root / written))
    foreign = os.name != "nt" and _WINDOWS_ROOT.match(written)
    if foreign or not path.is_relative_to(root):
        what = f"{written} is outside of {root}; a patch changes files below it only"
        raise PatchRefusedError(Fault.CONTAINMENT, what)
    if path == root or written.endswith(("/", os.sep)):
        raise PatchRefusedError(Fault.FILE_TYPE, f"{written} names a folder; a patch changes files")
    return path.relative_to(root)


def check_paths(root: Path, patch: Patch) -> None:
    """Refuse a patch that leads out of `root`, without a look at the disk."""
    for operation in patch.operations:
        for written in written_paths(operation):
            confined(root, written)


def written_paths(operation: Operation) -> Iterator[str]:
    """The paths that an operation names."""
    yield operation.path
    if isinstance(operation, UpdateFile) and operation.move_to is not None:
        yield operation.move_to
