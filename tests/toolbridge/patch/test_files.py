"""What a patch keeps of a file, what it refuses, and where it may go."""

import os
import stat
from pathlib import Path

import pytest
from toolbridge.patch.errors import Fault, PatchRefusedError
from toolbridge.patch.files import MAX_FILE_BYTES

from tests.toolbridge.patch.workbench import Workbench

BEFORE = {"a": "a\n", "b": "b\n", "sub/c": "c\n"}


@pytest.fixture
def bench(tmp_path: Path) -> Workbench:
    return Workbench(tmp_path / "work", BEFORE)


def refusal(bench: Workbench, *lines: str) -> PatchRefusedError:
    """Why a patch is refused; it has changed nothing."""
    before = bench.tree
    with pytest.raises(PatchRefusedError) as raised:
        bench.apply(*lines)
    assert bench.tree == before
    return raised.value


@pytest.mark.parametrize("mode", [0o600, 0o640, 0o755, 0o777, 0o4755])
def test_permission_bits_are_kept(bench: Workbench, mode: int) -> None:
    (bench.folder / "a").chmod(mode)
    bench.apply("*** Update File: a", "-a", "+x")
    assert stat.S_IMODE((bench.folder / "a").stat().st_mode) == mode & 0o777


def test_an_added_file_takes_the_place_of_one_that_is_there(bench: Workbench) -> None:
    (bench.folder / "a").chmod(0o700)
    bench.apply("*** Add File: a", "+new")
    assert bench.tree["a"] == {"text": "new\n", "mode": "0700"}


def test_an_added_file_may_be_empty(bench: Workbench) -> None:
    bench.apply("*** Add File: pkg/__init__.py")
    assert bench.tree == BEFORE | {"pkg/__init__.py": ""}


def test_a_file_can_be_moved_as_it_is(bench: Workbench) -> None:
    bench.apply("*** Update File: a", "*** Move to: sub/a")
    assert bench.tree == {"b": "b\n", "sub/a": "a\n", "sub/c": "c\n"}


def test_a_file_that_is_updated_twice_gets_both_updates(bench: Workbench) -> None:
    bench.apply("*** Update File: a", "+z", "*** End of File", "*** Update File: ./a", "-a", "+A")
    assert bench.tree["a"] == "A\nz\n"


def test_a_path_may_be_absolute(bench: Workbench) -> None:
    bench.apply(f"*** Delete File: {bench.folder}/sub/../a")
    assert bench.tree == {"b": "b\n", "sub/c": "c\n"}


@pytest.mark.parametrize(
    "path",
    [
        "../x",
        "sub/../../x",
        "/etc/x",
        "//etc/x",
        "..",
        "C:\\Users\\x",
        "c:/x",
        "\\\\server\\x",
        "../work-2/x",
    ],
)
@pytest.mark.parametrize("header", ["*** Add File: {}", "*** Update File: a\n*** Move to: {}"])
def test_a_path_stays_in_the_folder(bench: Workbench, header: str, path: str) -> None:
    (bench.folder.parent / "work-2").mkdir()
    error = refusal(bench, header.format(path))
    assert error.fault is Fault.CONTAINMENT
    assert f"{path} is outside of {bench.folder}" in str(error)


@pytest.mark.parametrize(
    "lines, fault",
    [
        (["*** Add File: ."], Fault.FILE_TYPE),
        (["*** Add File: new/"], Fault.FILE_TYPE),
        (["*** Add File: sub"], Fault.FILE_TYPE),
        (["*** Delete File: sub"], Fault.FILE_TYPE),
        (["*** Update File: a/x", "-x"], Fault.FILE_TYPE),
        (["*** Delete File: nowhere/x"], Fault.MISSING),
        (["*** Update File: a", "*** Move to: b"], Fault.PATH_CONFLICT),
        (["*** Delete File: a", "*** Add File: a", "+x"], Fault.PATH_CONFLICT),
        (["*** Add File: n", "*** Update File: n", "-x"], Fault.PATH_CONFLICT),
        (["*** Add File: n", "*** Add File: n/m"], Fault.PATH_CONFLICT),
        (["*** Add File: n/m", "*** Add File: n"], Fault.PATH_CONFLICT),
        (["*** Delete File: a", "*** Add File: a/m"], Fault.PATH_CONFLICT),
        (
            ["*** Update File: a", "-a", "*** Update File: a", "*** Move to: n"],
            Fault.PATH_CONFLICT,
        ),
    ],
)
def test_what_cannot_be_done_is_refused(bench: Workbench, lines: list[str], fault: Fault) -> None:
    assert refusal(bench, *lines).fault is fault


@pytest.mark.parametrize("name", ["fifo", "link", "folder/a", "dangling"])
@pytest.mark.parametrize("header", ["*** Add File: {}", "*** Delete File: {}"])
def test_only_regular_files_are_touched(bench: Workbench, name: str, header: str) -> None:
    os.mkfifo(bench.folder / "fifo")
    (bench.folder / "link").symlink_to("a")
    (bench.folder / "folder").symlink_to("sub")
    (bench.folder / "dangling").symlink_to("nowhere")
    with pytest.raises(PatchRefusedError) as raised:
        bench.apply(header.format(name))
    assert raised.value.fault is (Fault.FILE_TYPE if name == "fifo" else Fault.SYMLINK)
    assert (bench.folder / "link").is_symlink()


def test_the_folder_itself_may_be_reached_through_a_link(tmp_path: Path) -> None:
    Workbench(tmp_path / "real", {"a": "a\n"})
    (tmp_path / "link").symlink_to("real")
    bench = Workbench(tmp_path / "link", {})
    bench.apply("*** Delete File: a")
    assert bench.tree == {}


def test_a_binary_file_is_not_replaced(bench: Workbench) -> None:
    (bench.folder / "a").write_bytes(b"\x89PNG\xff")
    assert refusal(bench, "*** Add File: a", "+x").fault is Fault.ENCODING


def test_a_huge_file_is_refused_unread(bench: Workbench) -> None:
    with (bench.folder / "a").open("wb") as file:
        file.truncate(MAX_FILE_BYTES + 1)
    with pytest.raises(PatchRefusedError, match="is not a regular file of at most 64 MiB"):
        bench.apply("*** Delete File: a")
    assert (bench.folder / "a").stat().st_size == MAX_FILE_BYTES + 1


def test_a_name_that_is_too_long_is_told_by_the_system(bench: Workbench) -> None:
    error = refusal(bench, f"*** Add File: {'x' * 300}")
    assert error.fault is Fault.FILE_SYSTEM
    assert "File name too long (os error 36)" in str(error)
