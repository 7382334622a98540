"""A folder and patches for it, applied in this thread on a disk that can be made to fail."""

import errno
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

from toolbridge.patch.application import apply_patch
from toolbridge.patch.files import FileOperations
from toolbridge.patch.reading import read_patch
from toolbridge.patch.stopping import Stop

from tests.apply_patch.trees import Tree, grown, plant


def patch_of(*lines: str) -> str:
    """The patch with these lines between its markers."""
    return "\n".join(["*** Begin Patch", *lines, "*** End Patch"])


class Workbench:
    """A folder with some files."""

    def __init__(self, folder: Path, tree: Tree) -> None:
        self.folder = folder.resolve()
        plant(self.folder, tree)

    @property
    def tree(self) -> Tree:
        """Every file there is now."""
        return grown(self.folder)

    def apply(self, *lines: str, files: FileOperations | None = None) -> None:
        """Apply the patch with these lines between its markers."""
        patch = read_patch(patch_of(*lines))
        apply_patch(patch, self.folder, files or FileOperations(), Stop())


Operation = Callable[..., Any]


class WatchedFiles(FileOperations):
    """The real disk, where each operation first goes through `around`."""

    def around(self, name: str, path: Path, operation: Operation) -> Any:
        """Do `operation` on `path`, or something else."""
        return operation()

    def look(self, path: Path) -> os.stat_result | None:
        return self.around("look", path, lambda: super(WatchedFiles, self).look(path))

    def read(self, path: Path) -> tuple[bytes, os.stat_result]:
        return self.around("read", path, lambda: super(WatchedFiles, self).read(path))

    def write_new(self, path: Path, data: bytes, like: os.stat_result | None) -> None:
        self.around("write", path, lambda: super(WatchedFiles, self).write_new(path, data, like))

    def make_folder(self, path: Path) -> None:
        self.around("make", path, lambda: super(WatchedFiles, self).make_folder(path))

    def rename(self, source: Path, target: Path) -> None:
        self.around("rename", target, lambda: super(WatchedFiles, self).rename(source, target))

    def remove(self, path: Path) -> None:
        self.around("remove", path, lambda: super(WatchedFiles, self).remove(path))


def full_disk(path: Path) -> OSError:
    """What the system says when nothing more fits."""
    return OSError(errno.ENOSPC, "No space left on device", str(path))


CHANGES = {"write", "make", "rename", "remove"}


class FailingFiles(WatchedFiles):
    """A disk on which the change number `fails_at`, from 0, goes wrong.

    It `happens` all the same or not. A `blind` disk cannot be looked at any more after it.
    """

    def __init__(self, fails_at: int, *, happens: bool = False, blind: bool = False) -> None:
        self._left = fails_at
        self._happens = happens
        self._blind = blind
        self.has_failed = False

    def around(self, name: str, path: Path, operation: Operation) -> Any:
        if self.has_failed and self._blind and name == "look":
            raise OSError(errno.EIO, "Input/output error", str(path))
        if name in CHANGES and not self.has_failed:
            self._left -= 1
            if self._left < 0:
                self.has_failed = True
                if self._happens:
                    operation()
                raise full_disk(path)
        return operation()
