"""Patches nobody would write: never a crash, never a trace of one that was refused."""

import difflib
import tempfile
from itertools import chain
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st
from toolbridge.patch.application import apply_patch
from toolbridge.patch.errors import PatchRefusedError
from toolbridge.patch.files import FileOperations
from toolbridge.patch.presentation import present
from toolbridge.patch.reading import read_patch
from toolbridge.patch.stopping import Stop
from toolbridge.patch.text_file import TextFile, decode

from tests.apply_patch.trees import Tree, grown, plant
from tests.toolbridge.patch.workbench import Workbench, patch_of

TREE: Tree = {
    "a": "one\ntwo\none\n",
    "b": "one\r\n\r\n two\r\n",
    "c": "\ufeffone\ntwo",
    "sub/d": "",
    "raw": {"b64": "/w=="},
    "link": {"symlink": "a"},
}
PATHS = st.sampled_from([*TREE, "new", "sub/new", "sub", "a/x", "../x", "./a", "/etc/x", "", "é"])
TEXTS = st.sampled_from(["one", "two", "", " two", "x", "one\r", "\0", "\ud800", "*** End of File"])
HEADERS = st.sampled_from(["*** Add File: ", "*** Delete File: ", "*** Update File: "])
LINES = st.one_of(
    st.builds("{}{}".format, st.sampled_from([" ", "+", "-", "@@ ", ""]), TEXTS),
    st.sampled_from(["@@", "*** End of File", "*** End Patch", "*** Begin Patch", "***", "\\"]),
    st.builds("*** Move to: {}".format, PATHS),
    st.text(max_size=5),
)
SECTIONS = st.builds(
    lambda header, path, lines: [header + path, *lines], HEADERS, PATHS, st.lists(LINES, max_size=6)
)
PATCHES = st.lists(SECTIONS, max_size=4).map(lambda parts: patch_of(*chain(*parts)))


@st.composite
def mutated(draw: st.DrawFn) -> str:
    """A patch with some of its characters cut out, doubled or put elsewhere."""
    text = draw(PATCHES)
    for _ in range(draw(st.integers(1, 3))):
        start, end = sorted(draw(st.tuples(*[st.integers(0, len(text))] * 2)))
        piece = draw(st.sampled_from(["", text[start:end] * 2, "\n", "\r\n", "+", " ", "@@"]))
        text = text[:start] + piece + text[end:]
    return text


@settings(max_examples=150, deadline=None)
@given(st.one_of(PATCHES, mutated(), st.text()))
def test_a_patch_is_applied_or_leaves_no_trace(text: str) -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name).resolve() / "work"
        plant(folder, TREE)
        try:
            patch = read_patch(text)
            present(patch, folder)
            apply_patch(patch, folder, FileOperations(), Stop())
        except PatchRefusedError:
            assert grown(folder) == TREE
        assert not [path for path in grown(folder) if path.endswith(".tmp")]
        assert [path.name for path in folder.parent.iterdir()] == ["work"]


FILE_LINES = st.lists(st.sampled_from(["a", "b", " a", "", "é", "\f"]), max_size=8)


@settings(max_examples=80, deadline=None)
@given(
    old=FILE_LINES,
    new=FILE_LINES,
    newline=st.sampled_from(["\n", "\r\n"]),
    is_terminated=st.booleans(),
    has_bom=st.booleans(),
)
def test_a_hunk_of_the_whole_file_turns_it_into_the_other(
    old: list[str], new: list[str], newline: str, is_terminated: bool, has_bom: bool
) -> None:
    before = decode(TextFile(tuple(old), newline, is_terminated, has_bom).encode(), "f")
    hunk = [line[0] + line[2:] for line in difflib.ndiff(before.lines, new) if line[0] != "?"]
    with tempfile.TemporaryDirectory() as name:
        bench = Workbench(Path(name), {})
        (bench.folder / "f").write_bytes(before.encode())
        if hunk:
            bench.apply("*** Update File: f", "@@", *hunk, "*** End of File")
        assert (bench.folder / "f").read_bytes() == before.with_lines(new).encode()
