"""Columns of stacks, as V8 counts them. Where there are several frames, the innermost is first."""

import re

import pytest
from codemode_host.engine.quickjs.source_words import SourceWords
from hypothesis import given
from hypothesis import strategies as st

from tests.host.engine.stage import Engine

RECORDED = {
    "throw new Error('boom')": [7],
    "throw Error('no new')": [7],
    "throw Object.freeze(new Error('frozen'))": [21],
    "class E extends Error { constructor(m) { super(m) } } throw new E('named')": [61],
    "text('one'); text('two'); throw new Error('after output')": [33],
    "new Array(-1)": [1],
    "JSON.parse('{bad')": [6],
    "new Date(NaN).toISOString()": [15],
    "JSON.parse('[1]',()=>{ throw new Error('reviver') })": [30, 6],
    "['a'].forEach(()=>{ throw new Error('cb') })": [27, 7],
    "text({toJSON(){throw new RangeError('from toJSON')}})": [22, 1],
    "text(typeof tools.nope); await tools.nope({})": [38],
    "throw new AggregateError([new Error('one'),new Error('two')],'many')": [7],
    "content({[Symbol.iterator](){ throw new Error('iter err') }})": [37, 1],
    "new nope()": [5],
    "eval('throw new Error(1)')": [1],
}
"""Columns that the reference gives."""

WITH_LOOKUPS_IN_ARGUMENTS = {
    "const a = {b: 1};\nthrow new Error(`bad ${a.b}`)": (2, 7),
    "const a = {b: 1};\nthrow new Error(\n  String(a.b) + a.b)": (2, 7),
    "const a = {b: 1};\nthrow Error('bad ' + a.b)": (2, 7),
    "const ns = {E: class E extends Error {}}, a = {b: 1};\nthrow new ns.E([a.b])": (2, 7),
    "const a = {b: 1};\n[1].map((x) => { throw new Error(`${a.b}`) })": (2, 24),
    "const a = {b: 1};\nthrow new TypeError(a.b())": (2, 23),
    "const a = {};\nnew Error(a.b.c)": (2, 11),
}
"""Where the innermost frame is; the engine places most of them in the arguments."""

WIDE = {
    "'é'; nope": 6,
    "'€€'; nope": 7,
    "'😀'; nope": 7,
    "'😀é€'; throw new Error('x')": 15,
    "'😀'; tools.nope()": 13,
    "/* 😀 */ nope": 10,
}
"""Columns behind characters of two, three and four bytes; the last are two units of UTF-16."""


@pytest.mark.parametrize("source, columns", RECORDED.items(), ids=RECORDED.keys())
async def test_columns_are_those_of_the_reference(
    engine: Engine, source: str, columns: list[int]
) -> None:
    assert await columns_of(engine, source, 1) == columns


@pytest.mark.parametrize("source, columns", RECORDED.items(), ids=RECORDED.keys())
async def test_every_line_counts_alike(engine: Engine, source: str, columns: list[int]) -> None:
    assert await columns_of(engine, f"'😀';\n\n{source}", 3) == columns


@pytest.mark.parametrize(
    "source, place", WITH_LOOKUPS_IN_ARGUMENTS.items(), ids=WITH_LOOKUPS_IN_ARGUMENTS.keys()
)
async def test_a_call_is_placed_at_its_name(
    engine: Engine, source: str, place: tuple[int, int]
) -> None:
    error = (await engine.run(source)).error or ""
    found = re.search(r"exec_main\.mjs:(\d+):(\d+)", error)
    assert found is not None
    assert (int(found[1]), int(found[2])) == place


@pytest.mark.parametrize("source, column", WIDE.items(), ids=WIDE.keys())
async def test_a_column_counts_units_of_utf_16(engine: Engine, source: str, column: int) -> None:
    assert await columns_of(engine, source, 1) == [column]
    assert await columns_of(engine, f"// é\n{source}", 2) == [column]


async def test_the_frame_that_sets_up_a_class_has_no_place(engine: Engine) -> None:
    run = await engine.run("class C { static { throw new Error('static block') } }")
    assert run.error == ("Error: static block\n    at exec_main.mjs:1:26\n    at exec_main.mjs:1:1")


async def test_a_hook_of_the_cell_sees_the_same_columns(engine: Engine) -> None:
    run = await engine.run(
        "Error.prepareStackTrace = (error, sites) => sites[0].getColumnNumber();\n"
        "text('😀'); text(new Error().stack)"
    )
    assert run.texts == ["😀", "18"]


PIECES = st.sampled_from(
    [*"()[]{};.,`$'/\n\r\\ é😀", "new ", "E", "a.E(", "${", "=>", "function", "//", "/*", "\u2028"]
)


@given(
    st.lists(PIECES).map("".join),
    st.integers(1, 5),
    st.integers(1, 40),
    st.sampled_from(["", "E", "("]),
    st.booleans(),
)
def test_there_is_a_place_for_whatever_the_engine_says(
    source: str, line: int, column: int, callee: str, constructs: bool
) -> None:
    place = SourceWords(source).place(line, column, callee, constructs)
    assert all(number >= 1 for number in place) or line > source.count("\n") + 1


async def columns_of(engine: Engine, source: str, line: int) -> list[int]:
    error = (await engine.run(source)).error or ""
    found = re.findall(r"exec_main\.mjs:(\d+):(\d+)", error)
    assert {int(number) for number, _ in found} <= {line}
    return [int(column) for _, column in found]
