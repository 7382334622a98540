"""What a notebook cell says: exec, wait or magic."""

import pytest
from codemode_kernel.errors import SourceError
from codemode_kernel.notebook.source import Exec, Magic, Wait, parse_source


@pytest.mark.parametrize(
    "text, expected",
    [
        ("text(1)", Exec("text(1)", None, None, first_line=1)),
        ("\n%wait", Exec("\n%wait", None, None, first_line=1)),
        (
            '// @exec: {"yield_time_ms": 5}\ntext(1)',
            Exec("text(1)", 5, None, first_line=2),
        ),
        (
            '// @exec: {"max_output_tokens": 0}\r\ntext(1)',
            Exec("text(1)", None, 0, first_line=2),
        ),
        ("//@exec: {}\ntext(1)", Exec("//@exec: {}\ntext(1)", None, None, first_line=1)),
    ],
)
def test_javascript_is_an_exec_cell(text: str, expected: Exec) -> None:
    assert parse_source(text) == expected


@pytest.mark.parametrize(
    "text, expected",
    [
        ("%wait", Wait()),
        ("%wait ", Wait()),
        ("%wait\n", Wait()),
        ("%wait 3", Wait(cell_id="3")),
        ("%wait g2:1 --terminate", Wait(cell_id="g2:1", terminate=True)),
        ("%wait --terminate 3", Wait(cell_id="3", terminate=True)),
        (
            "%wait 3 --terminate --max-tokens 500",
            Wait(cell_id="3", terminate=True, max_tokens=500),
        ),
        ("%wait --yield-time-ms=0", Wait(yield_time_ms=0)),
        ("%wait --all", Wait(every=True)),
        ("%wait --all --terminate", Wait(every=True, terminate=True)),
        (
            '%wait {"cell_id":"3","yield_time_ms":800}',
            Wait(cell_id="3", yield_time_ms=800, max_tokens=10_000),
        ),
        (
            '%wait {\n  "cell_id": "3",\n  "max_tokens": null, "terminate": true\n}',
            Wait(cell_id="3", yield_time_ms=10_000, max_tokens=10_000, terminate=True),
        ),
    ],
)
def test_percent_wait_is_a_wait(text: str, expected: Wait) -> None:
    assert parse_source(text) == expected


@pytest.mark.parametrize(
    "text, expected",
    [
        ("%cells", Magic("%cells", "", "")),
        ("%store  a key ", Magic("%store", "a key", "")),
        ("%reset\n\n", Magic("%reset", "", "\n")),
        ("%%python\nx = 1\n%y", Magic("%%python", "", "x = 1\n%y")),
        ("%%python -x\n", Magic("%%python", "-x", "")),
    ],
)
def test_any_other_percent_is_a_magic(text: str, expected: Magic) -> None:
    assert parse_source(text) == expected


@pytest.mark.parametrize(
    "text, message",
    [
        ("", "exec expects raw JavaScript source text (non-empty)."),
        (" \n\t", "exec expects raw JavaScript source text (non-empty)."),
        ("// @exec: {}", "exec pragma must be followed by JavaScript source on subsequent lines"),
        ("%", "A cell that starts with % is a magic; %help lists them."),
        ("% wait", "A cell that starts with % is a magic; %help lists them."),
        ("%cells\ntext(1)", "A magic is the whole cell: move what follows %cells"),
        ("%wait\ntext(1)", "A magic is the whole cell: move what follows %wait"),
        ("%wait 1\n2", "A magic is the whole cell: move what follows %wait"),
        ("%wait 1 2", "Name one cell, or --all."),
        ("%wait 1 --all", "Name one cell, or --all."),
        ("%wait --fast", "Unknown option --fast."),
        ("%wait --max-tokens", "--max-tokens takes a whole number."),
        ("%wait --max-tokens -5", "--max-tokens takes a whole number."),
        ('%wait {"cell_id":3}', "failed to parse function arguments: invalid type: integer `3`"),
    ],
)
def test_what_is_none_of_them_is_refused(text: str, message: str) -> None:
    with pytest.raises(SourceError) as refused:
        parse_source(text)
    assert str(refused.value).startswith(message)
