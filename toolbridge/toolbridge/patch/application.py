"""Applies a patch: preflight, staging, commit."""

from __future__ import annotations

from pathlib import Path

from toolbridge.patch.commit import commit, steps_of
from toolbridge.patch.document import Patch
from toolbridge.patch.errors import CommitReport, Fault, PatchIncompleteError, PatchRefusedError
from toolbridge.patch.files import FileOperations, reason
from toolbridge.patch.planning import Planner
from toolbridge.patch.staging import Stage
from toolbridge.patch.stopping import Stop


def apply_patch(patch: Patch, root: Path, files: FileOperations, stop: Stop) -> None:
    """Change the files below `root`, an absolute path without links, as `patch` says.

    Raises `PatchRefusedError` or `PatchStoppedError` when nothing was changed, and
    `PatchIncompleteError` when a part was.
    """
    stop.begin()
    stage = Stage(root, files)
    try:
        planner = Planner(root, files, stop)
        changes = planner.plan(patch)
        staged = stage.put_all(changes, stop)
        planner.check_unchanged()
        steps = steps_of(staged, root, files)
        stop.begin_commit()
        report = commit(steps, files)
    except OSError as error:
        place = f"{error.filename}: " if error.filename else ""
        raise _refused(f"{place}{reason(error)}", stage.clear()) from None
    except BaseException:
        stage.clear()
        raise
    if report is not None:
        raise _told(report, stage.clear())


def _told(report: CommitReport, left_behind: str) -> PatchRefusedError | PatchIncompleteError:
    if report.done or report.unknown:
        return PatchIncompleteError(report, left_behind)
    return _refused(f"{report.cause}; nothing was changed", left_behind)


def _refused(what: str, left_behind: str) -> PatchRefusedError:
    return PatchRefusedError(Fault.FILE_SYSTEM, what + left_behind)
