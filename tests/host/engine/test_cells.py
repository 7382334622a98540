"""What a worker tells its host of a cell, frame by frame."""

import asyncio
import json
from itertools import pairwise

import pytest
from codemode_host.engine.frames import MAX_NOTIFY_BYTES

from tests.host.engine.stage import Engine


async def test_a_cell_sees_what_was_stored_before_it(engine: Engine) -> None:
    stored = {"a": '{"n":[1]}', "\ud83d\ude00": "null"}
    run = await engine.run(
        "text(load('a').n); text(load('😀') === null); text(load('b') === undefined);"
        "store('a', 2); text(load('a'))",
        stored=stored,
    )
    assert run.texts == ["[1]", "true", "true", "2"]
    assert run.stores == {"a": "2"}


async def test_calls_name_the_tool_by_its_place_in_the_list(engine: Engine) -> None:
    cell = await engine.start("await tools.two({x: 1}); tools.one()", tools=("one", "two"))
    run = await cell.end()
    assert run.calls == [{"x": 1}, None]


async def test_of_tools_with_one_name_the_later_is_called(engine: Engine) -> None:
    run = await engine.run(
        "text(Object.keys(tools)); text(ALL_TOOLS.map((tool) => tool.name + tool.description))",
        tools=("same", "other", "same", "__proto__"),
    )
    assert run.texts == [
        '["same","other","__proto__"]',
        '["samedoes same","otherdoes other","samedoes same","__proto__does __proto__"]',
    ]


async def test_output_is_seen_while_the_cell_is_busy(engine: Engine) -> None:
    cell = await engine.start("text('now'); for (;;);")
    await cell.until(lambda run: run.texts == ["now"])
    cell.worker.kill()
    await cell.end()


async def test_thousands_of_calls_can_be_open_at_once(engine: Engine) -> None:
    run = await engine.run(
        "const all = await Promise.all(Array.from({length: 5000}, (_, i) => tools.echo(i)));"
        "text(all.every((value, index) => value === index))"
    )
    assert run.texts == ["true"]


@pytest.mark.slow
async def test_large_results_arrive_whole(engine: Engine) -> None:
    run = await engine.run("const s = 'é'.repeat(4e6); text((await tools.echo(s)) === s)")
    assert run.texts == ["true"]


@pytest.mark.slow
async def test_a_notification_that_is_too_long_is_an_error_that_the_script_can_catch(
    engine: Engine,
) -> None:
    run = await engine.run(
        f"const longest = 'x'.repeat({MAX_NOTIFY_BYTES - 2}); notify(longest);"
        "try { notify(longest + 'x') } catch (error) { text(error) }"
    )
    (delivered,) = run.notifications
    assert len(delivered) == MAX_NOTIFY_BYTES - 2
    assert run.texts == [
        f"notify expects at most 63 MiB of text: as JSON, this is {MAX_NOTIFY_BYTES + 1} bytes"
    ]


async def test_a_source_with_many_lines_has_right_positions(engine: Engine) -> None:
    run = await engine.run("\n" * 30_000 + "throw new Error('far')")
    assert run.error == "Error: far\n    at exec_main.mjs:30001:7"


async def test_nul_characters_of_a_source_stay_in_its_strings(engine: Engine) -> None:
    assert (await engine.run("text('a\0b'); /*\0*/ text(`\0`)")).texts == ["a\0b", "\0"]
    error = (await engine.run("text(1)\0")).error
    assert error is not None
    assert error.startswith("SyntaxError: ")


async def test_a_call_that_making_an_argument_made_comes_first(engine: Engine) -> None:
    run = await engine.run("""
        const inner = [];
        const outer = await tools.echo({toJSON() { inner.push(tools.echo('inner')); return 'outer' }});
        text([outer, await inner[0]].join());
    """)
    assert (run.error, run.ended, run.calls) == (None, None, ["inner", "outer"])
    assert run.texts == ["outer,inner"]


async def test_every_cell_has_random_numbers_of_its_own(engine_in_each_mode: Engine) -> None:
    source = "text(Array.from({length: 1500}, () => Math.random()))"
    runs = await asyncio.gather(*(engine_in_each_mode.run(source) for _ in range(4)))
    sequences = [json.loads(run.texts[0]) for run in runs]
    numbers = [number for sequence in sequences for number in sequence]
    assert len(set(numbers)) == 6000
    assert all(0 <= number < 1 for number in numbers)
    # Nor is one cell's sequence another's moved on by a constant: then the steps would be the same.
    steps = [
        round((later - number) % 1, 9)
        for sequence in sequences
        for number, later in pairwise(sequence)
    ]
    assert len(steps) - len(set(steps)) < 10


async def test_random_looks_like_the_engines_own(engine: Engine) -> None:
    run = await engine.run("""
        const {name, length} = Math.random;
        text([name, length, String(Math.random).includes('[native code]'), 'prototype' in Math.random]);
        text(typeof Math.random(null, {toString() { throw 1 }}));
    """)
    assert run.texts == ['["random",0,true,false]', "number"]


async def test_nothing_of_a_cell_is_left_for_the_next(engine: Engine) -> None:
    await engine.run("globalThis.left = 1; Array.prototype.left = 1; store('left', 1)")
    run = await engine.run("text([typeof left, [].left === undefined, load('left') === undefined])")
    assert run.texts == ['["undefined",true,true]']
