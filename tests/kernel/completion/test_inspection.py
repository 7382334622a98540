"""What Shift-Tab shows."""

import pytest
from codemode_kernel.completion.inspection import inspect_reply

from tests.kernel.completion.surroundings import SURROUNDINGS


def inspect(source: str) -> dict[str, str]:
    """The bundle at the caret in `source`; empty when nothing is found."""
    before, caret, after = source.partition("‸")
    assert caret
    reply = inspect_reply(before + after, len(before), SURROUNDINGS)
    assert reply["status"] == "ok"
    assert reply["found"] == bool(reply["data"])
    data: dict[str, str] = reply["data"]
    return data


def test_a_tool_is_shown_with_declaration_and_description() -> None:
    data = inspect("await tools.search_d‸ocs({})")
    assert data["text/markdown"].startswith("```ts\ntools.search_docs(args: {\n")
    assert "  // Words to look for.\n  query: string;" in data["text/markdown"]
    assert data["text/markdown"].endswith("\n```\n\nFinds pages.")
    assert data["text/plain"].startswith("tools.search_docs(args: {")


@pytest.mark.parametrize(
    "source, first_line",
    [
        ("te‸xt(1)", "function text(value: unknown): void"),
        ("‸text(1)", "function text(value: unknown): void"),
        ("text(‸", "function text(value: unknown): void"),
        ("text(unknown_name‸)", "function text(value: unknown): void"),
        ("load('gre‸eting')", '"greeting"'),
        ("tools.search_docs({mode: 'fa‸st'})", '"fast"\n\nHow hard to look.'),
        ("load('no‸thing')", "function load(key: string): unknown"),
        ("to‸ols", "const tools: Record<string, (args: unknown) => Promise<unknown>>"),
        ("tools.search_docs({que‸ry: 'a'})", "query: string"),
        ("tools.search_docs({query: 'a', ‸})", "tools.search_docs(args: {"),
        ("tools.search_docs({where: {un‸it: 'km'}})", 'unit?: "km" | "mi"'),
        ("const r‸ = await tools.exec_command({cmd: 'a'})", "r: {"),
        ("const r = tools.search_docs({query: ''}); text(r‸)", "r: Promise<{ hits?: "),
        ("const n = 1 + 1; text(n‸)", "const n = 1 + 1"),
        ("async function go‸(a, b) { text(a) }", "async function go(a, b)"),
        ("const go = async (a) => { text(a) }; go‸", "const go = async (a) =>"),
        ("ALL_TOOLS.map(t => t.na‸me)", "name: "),
        ("%wai‸t 3", "%wait [CELL | --all]"),
        ("%store ‸", "%store [KEY]"),
    ],
)
def test_shows_the_declaration_of(source: str, first_line: str) -> None:
    assert inspect(source)["text/plain"].startswith(first_line)


@pytest.mark.parametrize(
    "source",
    ["‸", "// text‸", "const te‸xt = 'a", "unknown.thing‸", "%%python\nprint‸", "1‸", "%no‸"],
)
def test_says_nothing_where_nothing_is_known(source: str) -> None:
    shown = inspect(source)
    assert "function" not in shown.get("text/plain", "")


def test_a_stored_value_is_shown() -> None:
    assert inspect("load('greet‸ing')")["text/plain"] == '"greeting"\n\n"hello"'
