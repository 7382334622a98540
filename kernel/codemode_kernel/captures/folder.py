"""A folder for the files of one kernel: private, made when it is needed, swept if it is orphaned."""

from __future__ import annotations

import logging
import os
import stat
from contextlib import suppress
from pathlib import Path

try:
    import fcntl
except ImportError:  # Windows: a folder that a killed kernel left stays
    fcntl = None  # type: ignore[assignment]

log = logging.getLogger(__name__)

OWNER = ".owner"
"""The file in a folder that its kernel keeps locked for as long as it lives."""


class CaptureFolder:
    """Makes, reads, removes files below `root`. What changes them runs in the writer's thread."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._path: Path | None = None
        self._owner = -1
        self._files: dict[str, int] = {}
        """Name to inode of every file that was made."""
        self._lost: set[str] = set()
        """Names of those that went with a folder: what follows them is of no use."""
        self.fault: OSError | None = None
        """Why the newest piece could not be written; None when it was."""

    def append(self, name: str, data: bytes) -> Path:
        """Add `data` to the end of a file, which is made if there is none; raises `OSError`.

        A file that somebody else has put in the place of ours is left alone. A folder that somebody
        has removed costs the files that were in it; new ones go to another folder.
        """
        try:
            path = self._append(name, data)
        except OSError as error:
            self.fault = error
            raise
        self.fault = None
        return path

    def _append(self, name: str, data: bytes) -> Path:
        if self._path is not None and not self._path.is_dir():
            lost = self._lost.union(self._files)
            self.remove()
            self._lost = lost
        if name in self._lost:
            raise FileNotFoundError(f"{name} was removed with its folder")
        path = self._folder() / name
        flags = os.O_WRONLY | os.O_APPEND | getattr(os, "O_NOFOLLOW", 0)
        if name not in self._files:
            flags |= os.O_CREAT | os.O_EXCL
        descriptor = os.open(path, flags, 0o600)
        with os.fdopen(descriptor, "ab", buffering=0) as file:
            inode = os.fstat(descriptor).st_ino
            if self._files.setdefault(name, inode) != inode:
                raise FileNotFoundError(f"{path} is not the file that was written")
            view = memoryview(data)
            while view:
                view = view[file.write(view) :]
        return path

    def read(self, path: Path, offset: int, limit: int) -> bytes:
        """Up to `limit` bytes of a file from `offset`.

        Raises `OSError`, also where it is not ours.
        """
        with path.open("rb") as file:
            if os.fstat(file.fileno()).st_ino != self._files.get(path.name):
                raise FileNotFoundError(f"{path} is not the file that was written")
            file.seek(offset)
            return file.read(limit)

    def _folder(self) -> Path:
        if self._path is None:
            self._root.mkdir(mode=0o700, parents=True, exist_ok=True)
            # The lock is there before the folder is, so no sweep can take it for an orphan.
            owner, lock = _new_lock(self._root)
            path = _folder_of(lock)
            path.mkdir(mode=0o700)
            lock.rename(path / OWNER)
            self._path, self._owner = path, owner
        return self._path

    def remove(self) -> None:
        """Remove every file that was made, and the folder."""
        path, self._path = self._path, None
        files, self._files = self._files, {}
        self._lost = set()
        self.fault = None
        if path is None:
            return
        for name, inode in files.items():
            with suppress(OSError):
                if (path / name).lstat().st_ino == inode:
                    (path / name).unlink()
        with suppress(OSError):
            (path / OWNER).unlink()
            path.rmdir()
        os.close(self._owner)


def sweep(root: Path) -> None:
    """Remove the folders below `root` whose kernels are gone."""
    if fcntl is None:
        return
    for path in list(root.iterdir()) if root.is_dir() else ():
        is_lock = path.name.startswith(OWNER)
        with suppress(OSError):
            owner = os.open(path if is_lock else path / OWNER, os.O_RDWR | os.O_NOFOLLOW)
            try:
                if _lock(owner):
                    _remove_beginning(path) if is_lock else _remove_orphan(path)
            finally:
                os.close(owner)


def _remove_beginning(lock: Path) -> None:
    """A kernel was killed before its lock was in its folder, which may not be there yet."""
    with suppress(OSError):
        _folder_of(lock).rmdir()
    lock.unlink()


def _remove_orphan(folder: Path) -> None:
    for path in folder.iterdir():
        if stat.S_ISREG(path.lstat().st_mode):
            path.unlink()
    folder.rmdir()
    log.info("Removed the captures that a kernel that is gone had left")


def _new_lock(root: Path) -> tuple[int, Path]:
    """A locked file below `root`, which `_folder_of` will be marked with."""
    import tempfile

    while True:
        owner, path = tempfile.mkstemp(prefix=OWNER, dir=root)
        # A sweep may have come between, and have taken it for one that was left.
        if _lock(owner) and os.fstat(owner).st_nlink:
            return owner, Path(path)
        os.close(owner)


def _folder_of(lock: Path) -> Path:
    return lock.with_name(lock.name.removeprefix(OWNER))


def _lock(descriptor: int) -> bool:
    """Lock a file for this process; False when another one has it."""
    if fcntl is None:
        return True
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True
