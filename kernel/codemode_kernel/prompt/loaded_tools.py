"""What `ToolSearch` has loaded, kept for each notebook, so that a restart does not lose it.

One small file a notebook and principal, which only its owner can read. It holds raw names of tools.
A kernel that does not know its notebook keeps nothing.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from contextlib import suppress
from hashlib import sha256
from pathlib import Path, PurePath, PurePosixPath

from codemode_kernel.private_file import write_private_file

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
        self._folder = folder
        self._notebook = notebook or None
        self._principal = principal

    def follow(self, path: str) -> tuple[str, ...]:
        """A page says that the notebook is at `path` now.

        What was kept moves along with a new name. Where nobody said so far which notebook it is,
        this gives what was kept for it.
        """
        if self._notebook is None:
            self._notebook = path
            return self.read()
        name = PurePosixPath(path).name
        renamed = str(PurePath(self._notebook).with_name(name)) if name else self._notebook
        if renamed != self._notebook:
            old, self._notebook = self._file, renamed
            with suppress(OSError):
                if old is not None and self._file is not None:
                    old.replace(self._file)
        return ()

    @property
    def _file(self) -> Path | None:
        if self._notebook is None:
            return None
        key = sha256(json.dumps([self._notebook, self._principal]).encode()).hexdigest()
        return self._folder / f"{key}.json"

    def read(self) -> tuple[str, ...]:
        """The names that were kept last. A file that cannot be read is like none."""
        file = self._file
        if file is None:
            return ()
        try:
            if file.stat().st_size > MAX_BYTES:
                return ()
            names = json.loads(file.read_text(encoding="utf-8"))
        except (OSError, ValueError, RecursionError):
            return ()
        listed = names if isinstance(names, list) else []
        return tuple(name for name in listed if isinstance(name, str))[-MAX_NAMES:]

    def write(self, names: Sequence[str]) -> None:
        """Keep `names`; none at all removes the file. A disk that refuses is no one's fault here:
        what was loaded still holds for this session."""
        file = self._file
        if file is None:
            return
        with suppress(OSError):
            if names:
                write_private_file(file, json.dumps(list(names[-MAX_NAMES:])))
                self._forget_oldest()
            else:
                file.unlink(missing_ok=True)

    def _forget_oldest(self) -> None:
        files = sorted(self._folder.glob("*.json"), key=lambda file: file.stat().st_mtime)
        for file in files[:-MAX_FILES]:
            file.unlink(missing_ok=True)
