"""A script's error, as a person reads it."""

import re

import pytest
from codemode_kernel.outputs.traceback import script_error

PRAGMA_CELL = '// @exec: {"yield_time_ms": 5}\nfunction f() {\n  throw new Error("boom");\n}\nf();'


def plain(lines: list[str]) -> str:
    return re.sub(r"\x1b\[[0-9;]*m", "", "\n".join(lines))


@pytest.mark.parametrize(
    "error_text, name, message",
    [
        ("Error: boom\n    at exec_main.mjs:1:7", "Error", "boom"),
        (
            "TypeError: x is not a function\n    at f (exec_main.mjs:1:7)",
            "TypeError",
            "x is not a function",
        ),
        ("RangeError\n    at exec_main.mjs:1:7", "RangeError", ""),
        ("Error: two\nlines\n    at exec_main.mjs:1:7", "Error", "two\nlines"),
        ("plain", "ScriptError", "plain"),
        ("exec_command failed: no", "ScriptError", "exec_command failed: no"),
        ("[object Object]", "ScriptError", "[object Object]"),
        ("", "ScriptError", ""),
    ],
)
def test_name_and_message_come_from_the_error_text(
    error_text: str, name: str, message: str
) -> None:
    view = script_error(error_text, "text(1)", 1)
    assert (view.name, view.message) == (name, message)


def test_positions_are_those_of_the_notebook_cell() -> None:
    text = "Error: boom\n    at f (exec_main.mjs:2:9)\n    at exec_main.mjs:4:1"
    assert plain(script_error(text, PRAGMA_CELL, 2).traceback) == (
        "Error: boom\n"
        "    at f (cell:3:9)\n"
        "    at cell:5:1\n"
        "\n"
        '  1 // @exec: {"yield_time_ms": 5}\n'
        "  2 function f() {\n"
        '→ 3   throw new Error("boom");\n'
        "            ^\n"
        "  4 }"
    )


def test_a_position_in_a_message_is_left_alone() -> None:
    view = script_error("Error: see exec_main.mjs:1:1", "text(1)", 2)
    assert view.message == "see exec_main.mjs:1:1"


@pytest.mark.parametrize(
    "error_text, cell, marked",
    [
        (
            "SyntaxError: missing ) after argument list",
            "text(1)\ntext('a'\ntext(2)",
            "→ 2 text('a'",
        ),
        ("SyntaxError: Illegal return statement", "text(1);\nreturn 5;", "→ 2 return 5;"),
        ("Unsupported import in exec: fs", "text(1)\nimport 'fs'\n", "→ 2 import 'fs'"),
    ],
)
def test_errors_without_a_position_are_located_by_the_grammar(
    error_text: str, cell: str, marked: str
) -> None:
    assert marked in plain(script_error(error_text, cell, 1).traceback)


def test_an_error_that_the_grammar_cannot_see_has_no_excerpt() -> None:
    text = "SyntaxError: Identifier 'a' has already been declared"
    assert plain(script_error(text, "let a; let a;", 1).traceback) == text


def test_a_long_line_is_shown_around_the_column() -> None:
    cell = "x" * 5000 + "HERE" + "y" * 5000
    traceback = plain(script_error("Error: a\n    at exec_main.mjs:1:5001", cell, 1).traceback)
    line, caret = traceback.split("\n")[-2:]
    assert len(line) < 200
    assert line[caret.index("^") :].startswith("HERE")


@pytest.mark.parametrize(
    "before, blanks",
    [("'é'; ", 5), ("'😀'; ", 6), ("'漢字'; ", 8), ("\t", None)],
    ids=["one unit", "two units, two wide", "one unit, two wide", "a tab"],
)
def test_the_caret_is_under_what_failed(before: str, blanks: int | None) -> None:
    column = len(before.encode("utf-16-le")) // 2 + 1
    cell = f"{before}nope"
    traceback = plain(script_error(f"Error: a\n    at exec_main.mjs:1:{column}", cell, 1).traceback)
    under = "\t" if blanks is None else " " * blanks
    assert traceback.endswith(f"→ 1 {before}nope\n    {under}^")


@pytest.mark.parametrize("end, line", [("\n", 3), ("\n  \n", 4)])
def test_an_unexpected_end_is_shown_after_the_last_character(end: str, line: int) -> None:
    error_text = f"SyntaxError: unexpected end\n    at exec_main.mjs:{line}:1"
    traceback = plain(script_error(error_text, "text(1)\nfoo(" + end, 1).traceback)
    assert traceback.endswith("\n\n  1 text(1)\n→ 2 foo(\n        ^")


def test_a_position_outside_the_cell_shows_no_excerpt() -> None:
    view = script_error("Error: a\n    at exec_main.mjs:99:1", "text(1)", 1)
    assert len(view.traceback) == 2


def test_an_endless_message_is_cut() -> None:
    view = script_error("x" * 1_000_000, "text(1)", 1)
    assert len(view.message) < 21_000
    assert view.message.endswith("more characters)")
