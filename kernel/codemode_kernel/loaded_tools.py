"""What `ToolSearch` has loaded, kept for each notebook, so that a restart does not lose it.

One small file a notebook and principal, which only its owner can read. It holds raw names of tools.
A kernel that does not know its notebook keeps nothing.
"""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from contextlib import suppress
from hashlib import sha256
from pathlib import Path

MAX_FILES = 256
"""Notebooks that are remembered; the ones unused for longest are forgotten first."""

MAX_NAMES = 1_000
"""Names kept for one notebook: the last ones."""

MAX_BYTES = 512 * 1024
"""A file that is longer was not written here."""


class LoadedTools:
    """The file of one notebook and principal."""

    def __init__(self, folder: Path, notebook: str | None, principal: str | None) -> None:
        """`notebook` is what the server calls the notebook; None: nobody says, nothing is kept."""
        self._file: Path | None = None
        if notebook:
            key = sha256(json.dumps([notebook, principal]).encode()).hexdigest()
            self._file = folder / f"{key}.json"

    def read(self) -> tuple[str, ...]:
        """The names that were kept last. A file that cannot be read is like none."""
        if self._file is None:
            return ()
        try:
            if self._file.stat().st_size > MAX_BYTES:
                return ()
            names = json.loads(self._file.read_text(encoding="utf-8"))
        except (OSError, ValueError, RecursionError):
            return ()
        listed = names if isinstance(names, list) else []
        return tuple(name for name in listed if isinstance(name, str))[-MAX_NAMES:]

    def write(self, names: Sequence[str]) -> None:
        """Keep `names`; none at all removes the file. A disk that refuses is no one's fault here:
        what was loaded still holds for this session."""
        if self._file is None:
            return
        with suppress(OSError):
            if names:
                self._replace(json.dumps(list(names[-MAX_NAMES:])))
                self._forget_oldest()
            else:
                self._file.unlink(missing_ok=True)

    def _replace(self, text: str) -> None:
        assert self._file is not None, "write() looks"
        self._file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        draft = self._file.with_suffix(f".{os.getpid()}")
        descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(descriptor, "w", encoding="utf-8") as file:
            file.write(text)
        draft.replace(self._file)

    def _forget_oldest(self) -> None:
        assert self._file is not None, "write() looks"
        files = sorted(self._file.parent.glob("*.json"), key=lambda file: file.stat().st_mtime)
        for file in files[:-MAX_FILES]:
            file.unlink(missing_ok=True)
