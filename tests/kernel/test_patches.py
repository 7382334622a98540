"""`apply_patch` from a notebook cell, in the folder of the notebook."""

import json
from pathlib import Path

import pytest

from tests.kernel.notebook import Notebook

PATCH = "\n".join(
    [
        "*** Begin Patch",
        "*** Add File: made/here.txt",
        "+by a cell",
        "*** Update File: there.txt",
        "-old",
        "+new",
        "*** End Patch",
    ]
)
APPLY = f"text(await tools.apply_patch({json.dumps(PATCH)}))"


@pytest.fixture
def folder(kernel_folder: Path) -> Path:
    """The kernel's folder with the file that the patch changes."""
    (kernel_folder / "there.txt").write_text("old\n")
    (kernel_folder / "made/here.txt").unlink(missing_ok=True)
    return kernel_folder


def made(folder: Path) -> tuple[str, bool]:
    """The file that is changed, and whether the other is there."""
    return (folder / "there.txt").read_text(), (folder / "made/here.txt").exists()


def test_the_person_is_asked_and_the_files_are_changed(notebook: Notebook, folder: Path) -> None:
    cell = notebook.send(APPLY)
    notebook.until(lambda: bool(notebook.questions))
    prompt = notebook.questions[0]["content"]["prompt"]
    for words in ("wants to call apply_patch", "add made/here.txt", "update there.txt", "+new"):
        assert words in prompt
    assert made(folder) == ("old\n", False)
    notebook.answer("o")
    assert cell.done().text() == "{}\n"
    assert made(folder) == ("new\n", True)
    assert sorted(path.name for path in folder.glob("**/.*")) == []


def test_stop_while_the_person_is_asked_changes_nothing(notebook: Notebook, folder: Path) -> None:
    cell = notebook.send(APPLY)
    notebook.until(lambda: bool(notebook.questions))
    notebook.stop()
    assert cell.status == "error"
    notebook.questions.clear()
    assert made(folder) == ("old\n", False)


def test_a_patch_that_does_not_fit_rejects_with_the_reference_s_words(
    notebook: Notebook, folder: Path
) -> None:
    (folder / "there.txt").write_text("something else\n")
    cell = notebook.send(f"try {{ {APPLY} }} catch (e) {{ text(e) }}")
    notebook.answer("o")
    assert cell.done().text() == (
        "apply_patch verification failed: "
        f"Failed to find expected lines in {folder.resolve() / 'there.txt'}:\nold\n"
    )
    assert made(folder) == ("something else\n", False)


def test_nobody_to_ask_means_no_change(notebook: Notebook, folder: Path) -> None:
    cell = notebook.run(APPLY, allow_stdin=False)
    assert cell.status == "error"
    assert made(folder) == ("old\n", False)
