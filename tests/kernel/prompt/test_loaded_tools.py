"""The file in which a notebook's loaded tools are kept."""

import os
from pathlib import Path

import pytest
from codemode_kernel.prompt import loaded_tools
from codemode_kernel.prompt.loaded_tools import MAX_NAMES, LoadedTools

ONE = "/notebooks/one.ipynb"


def test_what_is_written_is_read_by_the_next_kernel_of_the_notebook(tmp_path: Path) -> None:
    LoadedTools(tmp_path, ONE, None).write(["b", "a"])
    assert LoadedTools(tmp_path, ONE, None).read() == ("b", "a")
    assert LoadedTools(tmp_path, "/notebooks/two.ipynb", None).read() == ()
    assert LoadedTools(tmp_path, ONE, "jupyter:amy").read() == ()


def test_only_its_owner_can_read_it(tmp_path: Path) -> None:
    LoadedTools(tmp_path / "new", ONE, None).write(["a"])
    (file,) = (tmp_path / "new").iterdir()
    assert file.stat().st_mode & 0o777 == 0o600
    assert file.parent.stat().st_mode & 0o777 == 0o700
    assert "one.ipynb" not in file.name


def test_nothing_loaded_leaves_no_file(tmp_path: Path) -> None:
    kept = LoadedTools(tmp_path, ONE, None)
    kept.write(["a"])
    kept.write([])
    assert list(tmp_path.iterdir()) == []


def test_without_a_notebook_nothing_is_kept(tmp_path: Path) -> None:
    kept = LoadedTools(tmp_path, None, None)
    kept.write(["a"])
    assert kept.read() == ()
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("content", ["", "{}", "[[", '{"a": 1}', "[1, null]", "[" * 100_000])
def test_what_is_no_list_of_names_is_like_nothing(tmp_path: Path, content: str) -> None:
    kept = LoadedTools(tmp_path, ONE, None)
    kept.write(["a"])
    (file,) = tmp_path.iterdir()
    file.write_text(content)
    assert kept.read() == ()


def test_names_and_notebooks_are_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(loaded_tools, "MAX_FILES", 3)
    for number in range(5):
        kept = LoadedTools(tmp_path, f"/n{number}.ipynb", None)
        kept.write([f"t{n}" for n in range(MAX_NAMES + 5)])
        newest = max(tmp_path.glob("*.json"), key=lambda file: file.stat().st_mtime_ns)
        os.utime(newest, (number, number))
    assert len(list(tmp_path.iterdir())) == 3
    assert LoadedTools(tmp_path, "/n0.ipynb", None).read() == ()
    assert LoadedTools(tmp_path, "/n4.ipynb", None).read()[0] == "t5"


def test_a_disk_that_refuses_loses_nothing_else(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    LoadedTools(tmp_path / "file", ONE, None).write(["a"])


def test_what_was_kept_moves_with_a_new_name_of_the_notebook(tmp_path: Path) -> None:
    kept = LoadedTools(tmp_path, ONE, None)
    kept.write(["a"])
    assert kept.follow("notebooks/other.ipynb") == ()
    assert LoadedTools(tmp_path, ONE, None).read() == ()
    assert LoadedTools(tmp_path, "/notebooks/other.ipynb", None).read() == ("a",)
    kept.follow("other.ipynb")
    assert kept.read() == ("a",)


@pytest.mark.parametrize("path", ["notebooks/one.ipynb", "one.ipynb", "/", ""])
def test_a_page_that_names_the_same_notebook_changes_nothing(tmp_path: Path, path: str) -> None:
    kept = LoadedTools(tmp_path, ONE, None)
    kept.write(["a"])
    kept.follow(path)
    assert LoadedTools(tmp_path, ONE, None).read() == ("a",)


def test_a_page_says_which_notebook_it_is_where_nobody_else_does(tmp_path: Path) -> None:
    LoadedTools(tmp_path, "one.ipynb", None).write(["a"])
    kept = LoadedTools(tmp_path, None, None)
    assert kept.follow("one.ipynb") == ("a",)
    kept.write(["b"])
    assert LoadedTools(tmp_path, "one.ipynb", None).read() == ("b",)
