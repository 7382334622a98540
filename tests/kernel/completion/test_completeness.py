"""Whether typed input is a whole cell."""

import pytest
from codemode_kernel.completion.completeness import completeness


@pytest.mark.parametrize(
    "code",
    [
        "",
        "text(1)",
        "for (const x of [1]) {\n  text(x)\n}",
        "await tools.exec_command({cmd: 'ls'})",
        "const s = `a\n${1}`",
        "return 1",
        "%wait",
        "%cells",
        "%%python\nx = 1\n",
    ],
)
def test_complete(code: str) -> None:
    assert completeness(code)["status"] == "complete"


@pytest.mark.parametrize(
    "code, indent",
    [
        ("text(", "  "),
        ("for (const x of [1]) {", "  "),
        ("for (const x of [1]) {\n  text(x)", "  "),
        ("const a = {\n  b: [", "    "),
        ("const a = 1 +", ""),
        ("const f = async () =>", "  "),
        ("const s = `a", ""),
        ("const s = `a ${b", ""),
        ("/* so far", ""),
        ("if (a)", ""),
        ("%%python", ""),
        ("%%python\nx = 1", ""),
    ],
)
def test_incomplete_with_the_indent_of_the_next_line(code: str, indent: str) -> None:
    assert completeness(code) == {"status": "incomplete", "indent": indent}


@pytest.mark.parametrize("code", ["text(1))", "}", "let = ;", "text('a' 'b')", "'abc", "a b c"])
def test_invalid(code: str) -> None:
    assert completeness(code)["status"] == "invalid"
