"""Everything that a patch does to the disk, in one place."""

from __future__ import annotations

import os
import stat
from contextlib import suppress
from pathlib import Path

from toolbridge.patch.errors import Fault, PatchRefusedError

MAX_FILE_BYTES = 64 * 1024 * 1024
"""Larger files are refused: a patch holds all of its files in memory."""


class FileOperations:
    """The disk itself. All paths are absolute; raises `OSError`.

    Tests put another in its place whose operations fail.
    """

    def look(self, path: Path) -> os.stat_result | None:
        """What is at `path`, a link itself rather than its target; None: nothing."""
        try:
            return path.lstat()
        except (FileNotFoundError, NotADirectoryError):
            return None

    def may_write(self, path: Path) -> bool:
        """Whether the permissions let us change `path`."""
        return os.access(path, os.W_OK)

    def read(self, path: Path) -> tuple[bytes, os.stat_result]:
        """A regular file and what it was when it was read."""
        flags = os.O_RDONLY | os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK
        with open(os.open(path, flags), "rb") as file:
            status = os.fstat(file.fileno())
            if not stat.S_ISREG(status.st_mode) or status.st_size > MAX_FILE_BYTES:
                limit = f"a regular file of at most {MAX_FILE_BYTES >> 20} MiB"
                raise PatchRefusedError(Fault.FILE_TYPE, f"{path} is not {limit}")
            return file.read(), status

    def write_new(self, path: Path, data: bytes, like: os.stat_result | None) -> None:
        """Write a file that is not there yet, down to the disk.

        It has the owner, as far as that is allowed, and the permission bits of `like`, otherwise
        those of any new file. At no time can more people read it than could read `like`.
        """
        mode = 0o666 if like is None else stat.S_IMODE(like.st_mode) & 0o777
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC | os.O_NOFOLLOW
        descriptor = os.open(path, flags, mode)
        with open(descriptor, "wb") as file:
            if like is not None:
                with suppress(OSError):  # most people may not give files away
                    os.fchown(descriptor, like.st_uid, like.st_gid)
                os.fchmod(descriptor, mode)
            file.write(data)
            file.flush()
            os.fsync(descriptor)

    def make_folder(self, path: Path) -> None:
        """Make one folder in a folder that is there."""
        path.mkdir()

    def rename(self, source: Path, target: Path) -> None:
        """Put `source` in the place of `target`, at once."""
        source.replace(target)

    def remove(self, path: Path) -> None:
        """Remove one file."""
        path.unlink()


def reason(error: BaseException) -> str:
    """An error in the words a script reads: the operating system's own, with the number."""
    if isinstance(error, OSError) and error.errno:
        return f"{os.strerror(error.errno)} (os error {error.errno})"
    return f"{type(error).__name__}: {error}"
