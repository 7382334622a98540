"""Where a hunk goes, and what it leaves."""

from pathlib import Path

import pytest
from toolbridge.patch.errors import Fault, PatchRefusedError

from tests.toolbridge.patch.workbench import Workbench


def edited(tmp_path: Path, text: str, *lines: str) -> str:
    """`text` after these lines of an Update File."""
    bench = Workbench(tmp_path, {"f": text})
    bench.apply("*** Update File: f", *lines)
    result = bench.tree["f"]
    assert isinstance(result, str)
    return result


def fault(tmp_path: Path, text: str, *lines: str) -> Fault:
    """Why these lines of an Update File are refused."""
    bench = Workbench(tmp_path, {"f": text})
    with pytest.raises(PatchRefusedError) as raised:
        bench.apply("*** Update File: f", *lines)
    assert bench.tree == {"f": text}
    return raised.value.fault


@pytest.mark.parametrize(
    "text, lines, result",
    [
        ("a  \nb\n", [" a", "-b"], "a  \n"),  # space at the end; the file keeps its own
        ("\ta\nb\n", [" a", "-b"], "\ta\n"),  # space in front
        ("a\n  a\n", ["-  a", "+x"], "a\nx\n"),  # an exact place goes before a trimmed one
        ("a\n\nb\n", [" a", "", "-b"], "a\n\n"),  # an empty line is context
        ("a\nb", ["-a", "+x", " b"], "x\nb"),  # no final newline, still none
        ("a\nb\na\n", ["@@ b", "-a", "+x"], "a\nb\nx\n"),
        ("a\nb\na\n", [" b", "+x", " a"], "a\nb\nx\na\n"),
        ("a\nb\n", ["@@ a", "+x"], "a\nx\nb\n"),
        ("a\nb\n", ["+x", "*** End of File"], "a\nb\nx\n"),
        ("c\na\nd\nc\na\n", ["@@ d", "@@ c", "-a"], "c\na\nd\nc\n"),
        ("a\n" * 3, ["-a", "-a", "-a"], ""),
        ("a\fb\u2028c\n", ["-a\fb\u2028c", "+d"], "d\n"),  # only LF and CRLF end a line
    ],
)
def test_a_hunk_finds_its_place(tmp_path: Path, text: str, lines: list[str], result: str) -> None:
    assert edited(tmp_path, text, *lines) == result


@pytest.mark.parametrize(
    "lines, result",
    [
        (["-a", "+x", ""], "x\nb\n"),
        (["-a", "", "+x"], "\nx\nb\n"),
        (["-a", "-", "+x"], "x\nb\n"),
        (["-a", "-", "+x", "+"], "x\nb\n"),
    ],
)
def test_an_empty_last_line_that_the_file_does_not_have_is_dropped(
    tmp_path: Path, lines: list[str], result: str
) -> None:
    assert edited(tmp_path, "a\nb\n", *lines) == result


@pytest.mark.parametrize(
    "text, lines, expected",
    [
        ("a\na\n", ["-a", "+x"], Fault.AMBIGUOUS),
        ("a \na\t\n", ["-a", "+x"], Fault.AMBIGUOUS),
        ("a\nb\na\nb\n", ["@@ a", "-b"], Fault.AMBIGUOUS),  # the locator is in two places
        ("a\na\n", ["+x"], Fault.AMBIGUOUS),
        ("a\nb\n", ["@@", "-b", "@@", "-a"], Fault.CONTEXT),  # hunks go down the file
        ("a\nb\n", ["@@ b", "-a"], Fault.CONTEXT),
        ("a\nb\n", [" a", "-b", " c"], Fault.CONTEXT),
        ("a\nb\n", ["@@ -1,2 +1,2 @@", "-b"], Fault.CONTEXT),  # line numbers are no locator
        ("a\n", ["-a", "-a"], Fault.CONTEXT),
        ("", ["-a"], Fault.CONTEXT),
    ],
)
def test_a_hunk_without_one_place_is_refused(
    tmp_path: Path, text: str, lines: list[str], expected: Fault
) -> None:
    assert fault(tmp_path, text, *lines) is expected


@pytest.mark.parametrize(
    "lines, message",
    [
        (["@@", " a", "-c"], "Failed to find expected lines in {path}:\na\nc"),
        (["@@ z", "-a"], "Failed to find context 'z' in {path}"),
    ],
)
def test_lines_that_are_not_there_are_told_in_the_reference_s_words(
    tmp_path: Path, lines: list[str], message: str
) -> None:
    bench = Workbench(tmp_path, {"f": "a\nb\n"})
    with pytest.raises(PatchRefusedError) as raised:
        bench.apply("*** Update File: f", *lines)
    told = message.format(path=bench.folder / "f")
    assert str(raised.value) == f"apply_patch verification failed: {told}"


def test_an_ambiguous_hunk_is_told_with_two_of_its_places(tmp_path: Path) -> None:
    bench = Workbench(tmp_path, {"f": "b\na\nb\na\n"})
    with pytest.raises(PatchRefusedError) as raised:
        bench.apply("*** Update File: f", "-a")
    told = f"Found expected lines more than once in {bench.folder / 'f'}, at lines 2 and 4;"
    assert told in str(raised.value)


def test_a_file_of_equal_lines_is_searched_in_no_time(tmp_path: Path) -> None:
    text = "a\n" * 20_000
    hunk = ["-a"] * 10_000
    assert fault(tmp_path, text, *hunk, "-b") is Fault.CONTEXT
