"""The patch format, line by line."""

import pytest
from toolbridge.patch.document import AddFile, DeleteFile, Hunk, HunkLine, Sign, UpdateFile
from toolbridge.patch.errors import Fault, PatchRefusedError
from toolbridge.patch.reading import read_patch

from tests.toolbridge.patch.workbench import patch_of


def hunk(line: int, *lines: str, locators: tuple[str, ...] = (), at_end: bool = False) -> Hunk:
    signed = tuple(HunkLine(Sign(text[0]), text[1:]) for text in lines)
    return Hunk(line, locators, signed, at_end)


def test_every_operation_is_read() -> None:
    patch = read_patch(
        patch_of(
            "*** Add File: a b.txt",
            "+one",
            "+",
            "*** Delete File: old.txt",
            "*** Update File: c.py",
            "*** Move to: d.py",
            "@@ class C:",
            "@@     def f(self):",
            " keep",
            "",
            "-go",
            "+come",
            "*** End of File",
        )
    )
    last = hunk(8, " keep", " ", "-go", "+come", locators=("class C:", "    def f(self):"))
    assert patch.operations == (
        AddFile(2, "a b.txt", ("one", "")),
        DeleteFile(5, "old.txt"),
        UpdateFile(6, "c.py", "d.py", (Hunk(8, last.locators, last.lines, at_end=True),)),
    )


@pytest.mark.parametrize(
    "text",
    [
        "\n\n  *** Begin Patch\t\n*** Delete File: a\n *** End Patch\n\n",
        "*** Begin Patch\r\n *** Delete File: a \r\n*** End Patch\r\n",
    ],
)
def test_space_around_markers_is_borne(text: str) -> None:
    (operation,) = read_patch(text).operations
    assert isinstance(operation, DeleteFile)
    assert operation.path == "a"


@pytest.mark.parametrize(
    "lines, hunks",
    [
        (["-a", "+b"], [hunk(3, "-a", "+b")]),
        (["", "@@", "-a"], [hunk(4, "-a")]),
        (["@@ ", "-a"], [hunk(3, "-a")]),
        (["@@", "-a", "@@ l", "+b"], [hunk(3, "-a"), hunk(5, "+b", locators=("l",))]),
        (
            ["@@", "-a", "*** End of File ", "@@", "-b"],
            [hunk(3, "-a", at_end=True), hunk(6, "-b")],
        ),
        (["--- a", "+++ b"], [hunk(3, "--- a", "+++ b")]),
    ],
)
def test_hunks(lines: list[str], hunks: list[Hunk]) -> None:
    (operation,) = read_patch(patch_of("*** Update File: f", *lines)).operations
    assert operation == UpdateFile(2, "f", None, tuple(hunks))


@pytest.mark.parametrize(
    "lines, message",
    [
        (["nonsense"], "line 2: `nonsense` starts no operation"),
        (["*** Add File:"], "line 2: `*** Add File:` names no file"),
        (["*** Delete File: a\0b"], "line 2: the path holds a NUL character"),
        (["*** Add File: a", "+1", "2"], "line 4: in Add File: a, `2` lacks the `+`"),
        (["*** Delete File: a", ""], "line 3: `` starts no operation"),
        (["*** Update File: a"], "line 2: Update File: a has no hunk"),
        (["*** Update File: a", "@@", "@@", "-x"], "line 3: in Update File: a, a hunk without"),
        (["*** Update File: a", "@@ x", "@@", "-x"], "line 3: in Update File: a, a hunk without"),
        (["*** Update File: a", "@@ x"], "line 3: in Update File: a, a hunk without lines"),
        (["*** Update File: a", "*** End of File"], "line 3: in Update File: a, a hunk without"),
        (["*** Update File: a", "-x", "stray"], "line 4: in Update File: a, `stray` starts with"),
        (["*** Update File: a", "@@x", "-x"], "line 3: in Update File: a, `@@x` starts with"),
        (
            ["*** Update File: a", "-x", "*** End of File", "-y"],
            "line 5: in Update File: a, `-y` follows the end of a hunk",
        ),
        (["*** Update File: a", "-x", "*** Move to: b"], "line 4: `*** Move to: b` starts no"),
        (["*** Update File: a", "-x", "x" * 99], f"`{'x' * 59}…` starts with none"),
    ],
)
def test_a_fault_is_named_with_its_line(lines: list[str], message: str) -> None:
    with pytest.raises(PatchRefusedError) as raised:
        read_patch(patch_of(*lines))
    assert raised.value.fault is Fault.SYNTAX
    assert str(raised.value).startswith("apply_patch verification failed: invalid patch: ")
    assert message in str(raised.value)


@pytest.mark.parametrize(
    "text, which, marker",
    [
        ("", "first", "*** Begin Patch"),
        ("hello", "first", "*** Begin Patch"),
        ("*** Begin Patch ***\n*** End Patch", "first", "*** Begin Patch"),
        ("*** Begin Patch", "last", "*** End Patch"),
        ("*** Begin Patch\n*** End Patch\nthanks!", "last", "*** End Patch"),
    ],
)
def test_a_missing_marker_is_told_in_the_reference_s_words(
    text: str, which: str, marker: str
) -> None:
    with pytest.raises(PatchRefusedError) as raised:
        read_patch(text)
    assert raised.value.fault is Fault.SYNTAX
    assert str(raised.value) == (
        "apply_patch verification failed: invalid patch: "
        f"The {which} line of the patch must be '{marker}'"
    )


def test_half_a_surrogate_pair_is_no_text() -> None:
    with pytest.raises(PatchRefusedError, match="line 3 of the patch holds half") as raised:
        read_patch(patch_of("*** Add File: a", "+\ud800"))
    assert raised.value.fault is Fault.ENCODING


@pytest.mark.parametrize("lines", [["*** Add File: a"], ["*** Update File: a", "-b"]])
def test_a_bare_carriage_return_cannot_be_added(lines: list[str]) -> None:
    with pytest.raises(PatchRefusedError, match="adds a bare CR") as raised:
        read_patch(patch_of(*lines, "+a\rb"))
    assert raised.value.fault is Fault.NEWLINE_STYLE
