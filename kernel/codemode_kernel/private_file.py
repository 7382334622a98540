"""Writes small files that are their owner's alone and are never seen half written."""

from __future__ import annotations

import os
from pathlib import Path


def write_private_file(file: Path, text: str) -> None:
    """Put `text` in the place of what `file` holds; folders are made. Raises `OSError`."""
    file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    draft = file.with_suffix(f".{os.getpid()}.new")
    draft.unlink(missing_ok=True)  # of a process that had this number and was killed
    descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "w", encoding="utf-8") as stream:
        stream.write(text)
    draft.replace(file)
