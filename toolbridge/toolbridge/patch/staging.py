"""New contents in temporary files beside their targets, ready to be renamed."""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from pathlib import Path

from toolbridge.patch.files import FileOperations
from toolbridge.patch.planning import Change
from toolbridge.patch.stopping import Stop


@dataclass(frozen=True, slots=True)
class Staged:
    """A change, and where its content waits."""

    change: Change
    temporary: Path | None
    """None: the change only removes."""


class Stage:
    """The temporary files of one patch."""

    def __init__(self, root: Path, files: FileOperations) -> None:
        self._root = root
        self._files = files
        self._temporaries: list[Path] = []

    def put(self, change: Change) -> Staged:
        """Write the content of `change`; raises `OSError`."""
        if change.after is None:
            return Staged(change, None)
        # In the same file system as the target, whose own folder may have to be made yet.
        folder = next(
            folder
            for folder in (self._root / change.path).parents
            if folder == self._root or self._files.look(folder) is not None
        )
        temporary = folder / f".apply_patch-{secrets.token_hex(8)}.tmp"
        self._temporaries.append(temporary)
        self._files.write_new(temporary, change.after.encode(), like=change.before)
        return Staged(change, temporary)

    def put_all(self, changes: list[Change], stop: Stop) -> list[Staged]:
        """Write the contents of all changes; raises `OSError` and `PatchStoppedError`."""
        staged = []
        for change in changes:
            stop.check()
            staged.append(self.put(change))
        return staged

    def clear(self) -> str:
        """Remove what is left of the temporary files; words for a message if that fails."""
        left = []
        for temporary in self._temporaries:
            try:
                if self._files.look(temporary) is not None:
                    self._files.remove(temporary)
            except OSError:
                left.append(str(temporary))
        return f"\nleft behind: {', '.join(left)}" if left else ""
