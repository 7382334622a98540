"""Reads a file that lies beside a notebook. Whoever wrote the notebook may have put anything there."""

from __future__ import annotations

import os
import stat
from pathlib import Path

MAX_BYTES = 1 << 20
"""A configuration that is larger is none that a person could read and agree to."""


def read_folder_file(path: Path) -> bytes:
    """The content of a regular file; waits for nothing, as opening a named pipe would.

    Raises `OSError`, whose text is for the person; `FileNotFoundError` when there is none.
    """
    with open(os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC), "rb") as file:
        if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
            raise OSError("it is not a regular file")
        content = file.read(MAX_BYTES + 1)
    if len(content) > MAX_BYTES:
        raise OSError(f"it is larger than {MAX_BYTES >> 20} MiB")
    return content
