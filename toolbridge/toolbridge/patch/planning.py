"""Preflight: looks at every file that a patch names and says what each will hold.

Whatever can be foreseen is refused here, before anything is written.
"""

from __future__ import annotations

import os
import stat
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path, PurePath

from toolbridge.patch.document import AddFile, DeleteFile, Operation, Patch, UpdateFile
from toolbridge.patch.errors import Fault, PatchRefusedError
from toolbridge.patch.files import FileOperations
from toolbridge.patch.matching import apply_hunks
from toolbridge.patch.paths import confined
from toolbridge.patch.stopping import Stop
from toolbridge.patch.text_file import TextFile, decode


class Verb(StrEnum):
    """What happens to a file."""

    ADD = "add"
    REPLACE = "replace"
    UPDATE = "update"
    MOVE = "move"
    DELETE = "delete"


@dataclass(frozen=True, slots=True)
class Change:
    """One file before and after."""

    verb: Verb
    path: PurePath
    """Relative to the folder, like every path here; where the file is in the end, or was."""
    before: os.stat_result | None
    """The file that is read, replaced, moved or deleted; None: there is none."""
    after: TextFile | None
    """None: the file goes away."""
    moved_from: PurePath | None = None

    @property
    def original(self) -> PurePath:
        """Where `before` is."""
        return self.moved_from or self.path


class Planner:
    """Plans one patch for the files below `root`."""

    def __init__(self, root: Path, files: FileOperations, stop: Stop) -> None:
        self._root = root
        self._files = files
        self._stop = stop
        self._changes: dict[PurePath, Change] = {}
        self._taken: set[PurePath] = set()
        self._folders: set[PurePath] = set()

    def plan(self, patch: Patch) -> list[Change]:
        """The changes in the order of the patch; raises `PatchRefusedError`."""
        for operation in patch.operations:
            self._stop.check()
            change = self._change(operation)
            self._changes[change.path] = change
        return list(self._changes.values())

    def check_unchanged(self) -> None:
        """Refuse the patch when anything is not as it was planned; links on the way, too."""
        for change in self._changes.values():
            self._check_unchanged(change.original, change.before)
            if change.moved_from:
                self._check_unchanged(change.path, None)

    def _check_unchanged(self, path: PurePath, before: os.stat_result | None) -> None:
        now = self._look(path)
        if (now and _identity(now)) != (before and _identity(before)):
            raise PatchRefusedError(Fault.CHANGED, f"{path} was changed by somebody else meanwhile")

    def _change(self, operation: Operation) -> Change:
        path = confined(self._root, operation.path)
        if isinstance(operation, UpdateFile):
            return self._update(operation, path)
        self._take(path)
        if isinstance(operation, DeleteFile):
            _, status = self._read(path)
            return Change(Verb.DELETE, path, status, None)
        return self._add(operation, path)

    def _add(self, operation: AddFile, path: PurePath) -> Change:
        after = TextFile(operation.lines)
        if self._look(path) is None:
            return Change(Verb.ADD, path, None, after)
        _, status = self._read(path)
        return Change(Verb.REPLACE, path, status, after)

    def _update(self, operation: UpdateFile, path: PurePath) -> Change:
        target = confined(self._root, operation.move_to or operation.path)
        earlier = self._changes.get(path)
        if earlier and earlier.verb is Verb.UPDATE and target == path:
            assert earlier.after is not None, "an update leaves a file"
            return replace(earlier, after=self._edited(earlier.after, operation, path))
        self._take(path)
        before, status = self._read(path)
        after = self._edited(before, operation, path)
        if target == path:
            return Change(Verb.UPDATE, path, status, after)
        self._take(target)
        if self._look(target) is not None:
            what = f"{target} is there already; {path} cannot be moved to it"
            raise PatchRefusedError(Fault.PATH_CONFLICT, what)
        return Change(Verb.MOVE, target, status, after, moved_from=path)

    def _edited(self, text: TextFile, operation: UpdateFile, path: PurePath) -> TextFile:
        return text.with_lines(apply_hunks(text.lines, operation.hunks, str(self._root / path)))

    def _take(self, path: PurePath) -> None:
        """Refuse a path that another part of the patch uses, as a file or as a folder."""
        folders = set(path.parents)
        if path in self._taken or path in self._folders or folders & self._taken:
            what = f"{path} is wanted by more than one part of the patch"
            raise PatchRefusedError(Fault.PATH_CONFLICT, what)
        self._taken.add(path)
        self._folders |= folders

    def _read(self, path: PurePath) -> tuple[TextFile, os.stat_result]:
        """A file that has to be there, and that may be changed."""
        status = self._look(path)
        if status is None:
            raise PatchRefusedError(Fault.MISSING, f"{path} is not there")
        if not stat.S_ISREG(status.st_mode):
            raise PatchRefusedError(Fault.FILE_TYPE, f"{path} is not a regular file")
        place = self._root / path
        for protected in (place, place.parent):
            if not self._files.may_write(protected):
                raise PatchRefusedError(Fault.FILE_SYSTEM, f"{protected} is write-protected")
        data, status = self._files.read(place)
        return decode(data, str(path)), status

    def _look(self, path: PurePath) -> os.stat_result | None:
        """What is at `path`. Links are refused, and files where a folder has to be."""
        for part in [*reversed(path.parents[:-1]), path]:
            status = self._files.look(self._root / part)
            if status is None:
                return None
            if stat.S_ISLNK(status.st_mode):
                what = f"{part} is a symbolic link; a patch does not follow links"
                raise PatchRefusedError(Fault.SYMLINK, what)
            if part != path and not stat.S_ISDIR(status.st_mode):
                what = f"{part} is a file; {path} would need a folder there"
                raise PatchRefusedError(Fault.FILE_TYPE, what)
        return status


def _identity(status: os.stat_result) -> tuple[int, ...]:
    """Changes when somebody writes the file, or puts another in its place."""
    return status.st_dev, status.st_ino, status.st_mode, status.st_size, status.st_mtime_ns
