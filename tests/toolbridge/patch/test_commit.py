"""What is said, and true, when a step of a commit goes wrong."""

import errno
from pathlib import Path
from typing import Any

import pytest
from toolbridge.errors import Outcome
from toolbridge.patch.errors import Fault, PatchIncompleteError, PatchRefusedError
from toolbridge.patch.files import FileOperations

from tests.apply_patch.trees import Tree, plant
from tests.toolbridge.patch.workbench import FailingFiles, Operation, WatchedFiles, Workbench

BEFORE = {"b": "b\n", "c": "c\n", "d": "d\n"}
PATCH = (
    *("*** Add File: new/dir/a", "+a"),
    *("*** Update File: b", "-b", "+B"),
    *("*** Update File: c", "*** Move to: moved/c", "-c", "+C"),
    "*** Delete File: d",
)
STAGED = 3
"""Temporary files that are written before the commit."""

STEPS: list[tuple[str, Tree, str | None]] = [
    ("make folder new", {}, None),
    ("make folder new/dir", {}, None),
    ("add new/dir/a", {"new/dir/a": "a\n"}, None),
    ("update b", {"b": "B\n"}, None),
    ("make folder moved", {}, None),
    ("write moved/c", {"moved/c": "C\n"}, None),
    ("remove c (moved to moved/c)", {}, "c"),
    ("delete d", {}, "d"),
]
"""Each step of the commit: its name, the files it brings, the file that goes."""

NAMES = tuple(name for name, _, _ in STEPS)


def after(count: int) -> Tree:
    """The files when the first `count` steps were done."""
    tree = dict(BEFORE)
    for _, brings, goes in STEPS[:count]:
        tree |= brings
        tree.pop(goes or "", None)
    return tree


@pytest.fixture
def bench(tmp_path: Path) -> Workbench:
    return Workbench(tmp_path, BEFORE)


def test_every_step_is_done(bench: Workbench) -> None:
    bench.apply(*PATCH)
    assert bench.tree == after(len(STEPS)) == {"new/dir/a": "a\n", "b": "B\n", "moved/c": "C\n"}


@pytest.mark.parametrize("step", range(1, len(STEPS)))
def test_a_step_that_fails_is_not_done_and_those_after_it_are_left(
    bench: Workbench, step: int
) -> None:
    with pytest.raises(PatchIncompleteError) as raised:
        bench.apply(*PATCH, files=FailingFiles(STAGED + step))
    report = raised.value.report
    assert (report.done, report.unknown, report.not_done) == (NAMES[:step], (), NAMES[step:])
    assert report.cause == f"{NAMES[step]}: No space left on device (os error 28)"
    assert raised.value.outcome is Outcome.FAILED
    assert bench.tree == after(step)


@pytest.mark.parametrize("step", range(len(STEPS)))
def test_a_step_that_failed_but_has_happened_counts_as_done(bench: Workbench, step: int) -> None:
    files = FailingFiles(STAGED + step, happens=True)
    bench.apply(*PATCH, files=files)
    assert files.has_failed
    assert bench.tree == after(len(STEPS))


@pytest.mark.parametrize("happens", [False, True])
@pytest.mark.parametrize("step", range(len(STEPS)))
def test_a_step_that_cannot_be_looked_into_is_unknown(
    bench: Workbench, step: int, happens: bool
) -> None:
    with pytest.raises(PatchIncompleteError) as raised:
        bench.apply(*PATCH, files=FailingFiles(STAGED + step, happens=happens, blind=True))
    report = raised.value.report
    assert report.done == NAMES[:step]
    assert report.unknown == (NAMES[step],)
    assert report.not_done == NAMES[step + 1 :]
    assert raised.value.outcome is Outcome.UNKNOWN
    files = {path: text for path, text in bench.tree.items() if not path.endswith(".tmp")}
    assert files == after(step + happens)


def test_a_first_step_that_fails_leaves_everything_as_it_was(bench: Workbench) -> None:
    with pytest.raises(PatchRefusedError) as raised:
        bench.apply(*PATCH, files=FailingFiles(STAGED))
    assert raised.value.fault is Fault.FILE_SYSTEM
    assert str(raised.value) == (
        "apply_patch verification failed: "
        "make folder new: No space left on device (os error 28); nothing was changed"
    )
    assert bench.tree == BEFORE


@pytest.mark.parametrize("happens", [False, True])
@pytest.mark.parametrize("write", range(STAGED))
def test_a_full_disk_while_staging_changes_nothing(
    bench: Workbench, write: int, happens: bool
) -> None:
    with pytest.raises(PatchRefusedError, match="No space left on device") as raised:
        bench.apply(*PATCH, files=FailingFiles(write, happens=happens))
    assert raised.value.fault is Fault.FILE_SYSTEM
    assert bench.tree == BEFORE


def test_the_report_reads_well(bench: Workbench) -> None:
    with pytest.raises(PatchIncompleteError) as raised:
        bench.apply(*PATCH, files=FailingFiles(STAGED + 5))
    assert str(raised.value) == (
        "apply_patch stopped half-way: write moved/c: No space left on device (os error 28)\n"
        "done: make folder new; make folder new/dir; add new/dir/a; update b; make folder moved\n"
        "not done: write moved/c; remove c (moved to moved/c); delete d"
    )


def test_an_unknown_step_is_to_be_read_again(bench: Workbench) -> None:
    with pytest.raises(PatchIncompleteError) as raised:
        bench.apply(*PATCH, files=FailingFiles(STAGED + 7, blind=True))
    assert "\nunknown, read again before you go on: delete d" in str(raised.value)


def test_a_temporary_file_that_stays_is_named(bench: Workbench) -> None:
    class Sticky(FailingFiles):
        def remove(self, path: Path) -> None:
            raise PermissionError(errno.EPERM, "Operation not permitted", str(path))

    with pytest.raises(PatchRefusedError) as raised:
        bench.apply(*PATCH, files=Sticky(1))
    (left,) = [path for path in bench.tree if path.endswith(".tmp")]
    assert str(raised.value).endswith(f"\nleft behind: {bench.folder / left}")


@pytest.mark.parametrize("path", ["b", "moved/c", "d", "new/dir/a"])
def test_what_somebody_else_writes_while_the_patch_is_prepared_is_kept(
    bench: Workbench, path: str
) -> None:
    theirs = {path: "somebody else's\n"}

    class Racing(WatchedFiles):
        def around(self, name: str, path: Path, operation: Operation) -> Any:
            result = operation()
            if name == "write":
                plant(bench.folder, theirs)
            return result

    with pytest.raises(PatchRefusedError, match=f"{path} was changed by somebody else") as raised:
        bench.apply(*PATCH, files=Racing())
    assert raised.value.fault is Fault.CHANGED
    assert bench.tree == BEFORE | theirs


def test_write_protected_files_are_refused_before_anything_is_written(bench: Workbench) -> None:
    class Protected(FileOperations):
        def may_write(self, path: Path) -> bool:
            return path.name != "d"

    with pytest.raises(PatchRefusedError, match="d is write-protected") as raised:
        bench.apply(*PATCH, files=Protected())
    assert raised.value.fault is Fault.FILE_SYSTEM
    assert bench.tree == BEFORE


def test_a_file_that_cannot_be_read_is_refused(bench: Workbench) -> None:
    class Unreadable(FileOperations):
        def read(self, path: Path) -> None:  # type: ignore[override]
            raise PermissionError(errno.EACCES, "Permission denied", str(path))

    with pytest.raises(PatchRefusedError, match=r"b: Permission denied \(os error 13\)"):
        bench.apply(*PATCH, files=Unreadable())
    assert bench.tree == BEFORE


REPLACED = ("*** Add File: b", "+B", "*** Delete File: d")
"""Puts a file in the place of one that is there, then removes another."""


@pytest.mark.parametrize("step, name", [(0, "replace b"), (1, "delete d")])
def test_a_file_in_the_place_of_another_is_put_there_whole_or_not_at_all(
    bench: Workbench, step: int, name: str
) -> None:
    with pytest.raises((PatchIncompleteError, PatchRefusedError), match=f"{name}: No space left"):
        bench.apply(*REPLACED, files=FailingFiles(1 + step))
    assert bench.tree == BEFORE | ({"b": "B\n"} if step else {})


def test_an_error_that_nobody_expected_is_told_like_any_other(bench: Workbench) -> None:
    class Faulty(WatchedFiles):
        def around(self, name: str, path: Path, operation: Operation) -> Any:
            if (name, path.name) == ("rename", "c"):
                raise RuntimeError("not a matter of the disk")
            return operation()

    with pytest.raises(PatchIncompleteError) as raised:
        bench.apply(*PATCH, files=Faulty())
    assert raised.value.report.cause == "write moved/c: RuntimeError: not a matter of the disk"
    assert raised.value.report.done == NAMES[:5]
    assert raised.value.report.not_done == NAMES[5:]
    assert bench.tree == after(5)


@pytest.mark.parametrize("happens", [False, True])
def test_an_answer_that_was_lost_leaves_the_step_unknown_and_the_rest_undone(
    bench: Workbench, happens: bool
) -> None:
    """The target is somebody else's by the time one looks, so nothing shows what was done."""

    class Overtaken(WatchedFiles):
        def around(self, name: str, path: Path, operation: Operation) -> Any:
            if (name, path.name) != ("rename", "b"):
                return operation()
            if happens:
                operation()
            (bench.folder / "theirs").write_text("theirs\n")
            (bench.folder / "theirs").replace(bench.folder / "b")
            for temporary in bench.folder.glob(".apply_patch-*"):
                temporary.unlink()
            raise OSError(errno.EIO, "Input/output error", str(path))

    with pytest.raises(PatchIncompleteError) as raised:
        bench.apply("*** Delete File: d", "*** Update File: b", "-b", "+B", files=Overtaken())
    report = raised.value.report
    assert (report.done, report.unknown, report.not_done) == (("delete d",), ("update b",), ())
    assert raised.value.outcome is Outcome.UNKNOWN
    assert bench.tree == {"b": "theirs\n", "c": "c\n"}
