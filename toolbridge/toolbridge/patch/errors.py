"""What a call of `apply_patch` rejects with."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from toolbridge.errors import Outcome, ToolError


class Fault(StrEnum):
    """Why a patch was refused."""

    SYNTAX = "syntax"
    """The text is no patch."""
    EMPTY = "empty"
    """It names no file."""
    CONTEXT = "context"
    """The lines that a hunk expects are not in the file."""
    AMBIGUOUS = "ambiguous"
    """They are there more than once."""
    MISSING = "missing"
    """The file is not there."""
    FILE_TYPE = "file-type"
    """It is no regular file, or a file stands where a folder has to be."""
    ENCODING = "encoding"
    """It is not UTF-8 text."""
    NEWLINE_STYLE = "newline-style"
    """Its lines do not all end in LF, or all in CRLF."""
    SYMLINK = "symlink"
    """The path leads through a symbolic link."""
    CONTAINMENT = "containment"
    """The path leads out of the folder."""
    PATH_CONFLICT = "path-conflict"
    """Two parts of the patch, or a part and what is there, want the same path."""
    CHANGED = "changed"
    """Somebody else changed a file while the patch was prepared."""
    FILE_SYSTEM = "file-system"
    """The operating system said no: permissions, a full disk."""


class PatchRefusedError(ToolError):
    """Nothing was changed. The message is the reference's where that is known (model view 9)."""

    outcome = Outcome.REFUSED

    def __init__(self, fault: Fault, message: str) -> None:
        super().__init__(f"apply_patch verification failed: {message}")
        self.fault = fault


class PatchStoppedError(ToolError):
    """The caller stopped before the first rename. Nothing was changed."""

    outcome = Outcome.REFUSED


@dataclass(frozen=True, slots=True)
class CommitReport:
    """How far a commit came. Steps read like `update a.txt`."""

    cause: str
    """What failed, and why."""
    done: tuple[str, ...]
    unknown: tuple[str, ...]
    """Steps that may or may not have happened."""
    not_done: tuple[str, ...]


class PatchIncompleteError(ToolError):
    """A commit stopped half-way; the message says what is known about each step."""

    def __init__(self, report: CommitReport, left_behind: str = "") -> None:
        lines = [f"apply_patch stopped half-way: {report.cause}"]
        lines += _listed("done", report.done)
        lines += _listed("unknown, read again before you go on", report.unknown)
        lines += _listed("not done", report.not_done)
        super().__init__("\n".join(lines) + left_behind)
        self.report = report
        self.outcome = Outcome.UNKNOWN if report.unknown else Outcome.FAILED


def invalid_patch(line: int, what: str) -> PatchRefusedError:
    """The refusal of a text whose line number `line`, from 1, is no part of a patch."""
    return PatchRefusedError(Fault.SYNTAX, f"invalid patch: line {line}: {what}")


def _listed(heading: str, steps: tuple[str, ...]) -> list[str]:
    return [f"{heading}: {'; '.join(steps)}"] if steps else []
