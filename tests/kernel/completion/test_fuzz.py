"""No source and no cursor makes completion or inspection fail."""

import json
import random

import pytest
from codemode_kernel.completion.inspection import inspect_reply
from codemode_kernel.completion.reply import complete_reply
from codemode_kernel.completion.surroundings import Surroundings
from hypothesis import given
from hypothesis import strategies as st
from toolbridge.tools import Tool

from tests.kernel.completion.surroundings import SURROUNDINGS
from tests.kernel.completion.test_offers import CASES
from tests.recorded import shared
from toolbridge import Catalog

PIECES = [
    *"()[]{}.,;:'\"`/\\|&?=<>+-*%!\n\t 0123aZ_$é𝒳😀\ud800",
    *("${", "=>", "...", "//", "/*", "*/", "?.", "await ", "const ", "function ", "for (const "),
    *(
        "tools",
        ".search_docs",
        "({",
        "mode: ",
        "text",
        "load(",
        "ALL_TOOLS",
        ".map(t => t.",
        " of ",
    ),
    *("%wait ", "%%python\n", "// @exec: {", "class A {", "case ", "import ", "__cursor__", "#x"),
    *("function f() {}", "() => ", "(await x())", "Promise.all(", "catch {", "...rest", "return;"),
]
sources = st.lists(st.sampled_from(PIECES), max_size=40).map("".join) | st.text(max_size=60)


def answer(code: str, cursor: int, surroundings: Surroundings = SURROUNDINGS) -> None:
    """Ask both questions; what comes back can be sent."""
    reply = complete_reply(code, cursor, surroundings)
    assert 0 <= reply["cursor_start"] <= reply["cursor_end"] <= len(code)
    json.dumps(reply)
    json.dumps(inspect_reply(code, cursor, surroundings)).encode()


@given(sources, st.integers(min_value=-2, max_value=200))
def test_any_source_is_answered(code: str, cursor: int) -> None:
    answer(code, cursor)


@given(st.sampled_from(CASES), st.randoms(use_true_random=False))
def test_damaged_sources_are_answered(case: dict[str, str], chance: random.Random) -> None:
    code = list(case["source"].replace("‸", ""))
    for _ in range(chance.randint(0, 4)):
        if code:
            code[chance.randrange(len(code))] = chance.choice(PIECES)
    answer("".join(code), chance.randint(0, len(code)))


keywords = st.sampled_from(
    ["type", "properties", "items", "enum", "const", "anyOf", "allOf", "$ref", "required", "a", "b"]
) | st.just("additionalProperties")
json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(keywords, inner, max_size=4),
    max_leaves=20,
)


@given(json_values)
def test_any_schema_is_answered(schema: object) -> None:
    tool = Tool(name="t", source="x", input_schema=schema, output_schema=schema)  # type: ignore[arg-type]
    surroundings = Surroundings(Catalog((tool,)))
    for code in (
        "tools.t({",
        "tools.t({a: ",
        "tools.t({a: [{b: '",
        "const r = await tools.t(); r.",
    ):
        answer(code, len(code), surroundings)


@pytest.mark.parametrize(
    "piece", ["(", "{", "[", "a.", "a(", "`${", "!", "a => ", "{a: ", "if (a) "]
)
def test_deep_nesting_is_answered(piece: str) -> None:
    code = piece * 3000
    answer(code, len(code))


def test_a_schema_that_contains_itself_is_answered() -> None:
    schema = {"properties": {"next": {"$ref": "#"}}, "anyOf": [{"$ref": "#"}]}
    surroundings = Surroundings(Catalog((Tool(name="t", source="x", input_schema=schema),)))
    code = "tools.t({next: {next: {"
    assert complete_reply(code, len(code), surroundings)["matches"] == ["next"]


def test_scripts_that_models_wrote_are_answered_at_any_place() -> None:
    chance = random.Random(3)
    for path in sorted(shared("scripts").glob("*.js")):
        code = path.read_text(encoding="utf-8")
        for _ in range(3):
            cursor = chance.randint(0, len(code))
            assert complete_reply(code, cursor, SURROUNDINGS)["status"] == "ok"


def test_every_declaration_of_a_long_script_is_offered() -> None:
    lines = [f"const a{number} = await tools.search_docs({{query: 'x'}});" for number in range(140)]
    code = "\n".join([*lines, "a"])
    reply = complete_reply(code, len(code), SURROUNDINGS)
    assert {f"a{number}" for number in range(140)} <= set(reply["matches"])
