"""What a person has agreed to, for good: digests of contents, in a file that only they can read."""

from __future__ import annotations

import json
import logging
from pathlib import Path

from codemode_kernel.fault_log import fault_of
from codemode_kernel.private_file import write_private_file

log = logging.getLogger(__name__)


class Agreements:
    """One list of digests, shared by all kernels of a person. It is looked at anew each time."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self._said_here: set[str] = set()

    def __contains__(self, digest: str) -> bool:
        return digest in self._said_here or digest in self._read()

    def add(self, digest: str) -> None:
        """Remember a yes to the content with this digest.

        Where the file cannot be written it holds for the life of this kernel.
        """
        self._said_here.add(digest)
        try:
            write_private_file(self._file, json.dumps(sorted(self._read() | {digest})))
        except OSError as error:
            log.warning("An agreement cannot be kept: %s", fault_of(error))

    def _read(self) -> set[str]:
        try:
            return set(json.loads(self._file.read_text()))
        except (OSError, ValueError, TypeError):
            return set()
