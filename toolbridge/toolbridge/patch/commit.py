"""Puts staged contents in their places, step by step, and tells the truth about it.

A step that fails is looked into: it may have happened all the same, as on a network file system
whose answer was lost. The steps after one that did not happen are left alone.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from toolbridge.patch.errors import CommitReport
from toolbridge.patch.files import FileOperations, reason
from toolbridge.patch.planning import Verb
from toolbridge.patch.staging import Staged


class Step(Protocol):
    """One change of the disk, which happens at once or not at all."""

    @property
    def name(self) -> str:
        """Reads like `update a.txt`."""
        ...

    def run(self, files: FileOperations) -> None:
        """Do it; raises `OSError`."""
        ...

    def has_happened(self, files: FileOperations) -> bool | None:
        """Look whether it was done; None: that cannot be told. Raises `OSError`."""
        ...


def commit(steps: Sequence[Step], files: FileOperations) -> CommitReport | None:
    """Take all steps; None when each of them was done."""
    for at, step in enumerate(steps):
        try:
            step.run(files)
        except Exception as error:  # noqa: BLE001 - whatever it is, what was done has to be told
            happened = _looked_into(step, files)
            if happened:
                continue
            names = [each.name for each in steps]
            return CommitReport(
                cause=f"{step.name}: {reason(error)}",
                done=tuple(names[:at]),
                unknown=(step.name,) if happened is None else (),
                not_done=tuple(names[at if happened is False else at + 1 :]),
            )
    return None


def steps_of(staged: Sequence[Staged], root: Path, files: FileOperations) -> list[Step]:
    """What has to be done, in the order of the patch; each folder is made before it is needed."""
    steps: list[Step] = []
    made: set[Path] = set()
    for each in staged:
        change = each.change
        target = root / change.path
        if each.temporary is not None:
            missing = list(_missing_folders(target, root, made, files))
            made.update(missing)
            steps += [
                MakeFolder(f"make folder {folder.relative_to(root)}", folder)
                for folder in reversed(missing)
            ]
            status = files.look(each.temporary)
            assert status is not None, "it was written just now"
            name = f"write {change.path}" if change.moved_from else f"{change.verb} {change.path}"
            steps.append(PutInPlace(name, each.temporary, target, _file_id(status)))
        if change.verb is Verb.DELETE:
            steps.append(Remove(f"delete {change.path}", target))
        if change.moved_from:
            name = f"remove {change.moved_from} (moved to {change.path})"
            steps.append(Remove(name, root / change.moved_from))
    return steps


def _missing_folders(
    target: Path, root: Path, made: set[Path], files: FileOperations
) -> Iterator[Path]:
    """The folders above `target` that have to be made, the innermost first."""
    for folder in target.parents:
        if folder == root or folder in made or files.look(folder) is not None:
            return
        yield folder


def _looked_into(step: Step, files: FileOperations) -> bool | None:
    try:
        return step.has_happened(files)
    except Exception:  # noqa: BLE001 - then it is not known
        return None


def _file_id(status: os.stat_result) -> tuple[int, int]:
    return status.st_dev, status.st_ino


@dataclass(frozen=True, slots=True)
class MakeFolder:
    """Makes one folder."""

    name: str
    folder: Path

    def run(self, files: FileOperations) -> None:
        files.make_folder(self.folder)

    def has_happened(self, files: FileOperations) -> bool | None:
        # A folder that is there may be somebody else's, which is as good.
        return files.look(self.folder) is not None


@dataclass(frozen=True, slots=True)
class PutInPlace:
    """Renames a temporary file to its target."""

    name: str
    temporary: Path
    target: Path
    file_id: tuple[int, int]
    """Device and inode of the temporary file."""

    def run(self, files: FileOperations) -> None:
        files.rename(self.temporary, self.target)

    def has_happened(self, files: FileOperations) -> bool | None:
        there = files.look(self.target)
        if there is not None and _file_id(there) == self.file_id:
            return True
        return False if files.look(self.temporary) is not None else None


@dataclass(frozen=True, slots=True)
class Remove:
    """Removes one file."""

    name: str
    path: Path

    def run(self, files: FileOperations) -> None:
        files.remove(self.path)

    def has_happened(self, files: FileOperations) -> bool | None:
        return files.look(self.path) is None
