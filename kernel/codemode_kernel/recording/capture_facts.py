"""What a record says of the file that holds a cell's whole output."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from jupyter_core.paths import jupyter_runtime_dir
from msgspec import UNSET, UnsetType

from codemode_kernel.record import Capture

if TYPE_CHECKING:
    from codemode_kernel.session.cells import Cell


def captured(cell: Cell | None) -> Capture | UnsetType:
    """What is known of the cell's capture; nothing while there was no need for a file."""
    if cell is None or cell.capture is None or not cell.capture.is_published:
        return UNSET
    now = cell.capture.snapshot()
    return Capture(now.state, now.bytes, now.captured_bytes, _relative(now.path))


def _relative(path: Path | None) -> str:
    """The path without what is this machine's own: a notebook travels."""
    runtime = Path(jupyter_runtime_dir())
    if path is None or not path.is_relative_to(runtime):
        return ""
    return path.relative_to(runtime).as_posix()
