"""Whatever happens in or to one worker, its cell ends clearly and the next cell works."""

import asyncio
import os
import signal
from collections.abc import AsyncIterator

import pytest
import pytest_asyncio
from codemode_host.engine.forked import ForkLauncher
from codemode_host.engine.workers import Workers

from tests.host.engine.stage import Engine
from tests.patience import PATIENCE_S

pytestmark = pytest.mark.slow

OUT_OF_MEMORY = "InternalError: out of memory: a cell's JavaScript heap is limited to 256 MiB"


@pytest_asyncio.fixture(loop_scope="module")
async def forked(launcher: ForkLauncher) -> AsyncIterator[Engine]:
    workers = Workers(launcher)
    await workers.start()
    yield Engine(workers)
    await workers.close()


async def assert_next_cell_works(engine: Engine) -> None:
    assert (await engine.run("text('next')")).texts == ["next"]


ENDLESS = {
    "loop": "while (true) {}",
    "microtasks": "const again = () => Promise.resolve().then(again); again(); await 0;"
    "await new Promise(() => {})",
    "async recursion": "const again = async () => { await null; return again() }; await again()",
    "catching everything": "for (;;) try { throw 1 } catch {}",
    "backtracking": f"/^(a+)+$/.test('{'a' * 40}b')",
    "timers": "const again = () => setTimeout(again, 0); again(); await new Promise(() => {})",
    "output": "for (;;) text('x')",
    "an await": "await new Promise(() => {})",
}


@pytest.mark.parametrize("source", ENDLESS.values(), ids=ENDLESS.keys())
async def test_an_endless_cell_ends_when_it_is_killed(
    engine_in_each_mode: Engine, source: str
) -> None:
    engine = engine_in_each_mode
    cell = await engine.start(f"text('begun'); {source}")
    await cell.until(lambda run: "begun" in run.texts)
    cell.worker.kill()
    run = await cell.end()
    assert run.ended == "killed by signal 9"
    await assert_next_cell_works(engine)


MEMORY = {
    "an array": "const all = []; for (;;) all.push(new Array(1000).fill(all.length))",
    "a string": "let all = 'x'; for (;;) all += all + '!'",
    "a buffer": "const all = []; for (;;) all.push(new Uint8Array(1 << 24))",
    "objects": "let all = null; for (;;) all = {all, more: [1, 2, 3]}",
    "promises": "const all = []; for (;;) all.push(Promise.resolve().then(() => all))",
    "links between awaits": """
        let all = new Uint8Array(250 << 20);
        const grow = async () => { for (;;) { all = {all}; await 0 } };
        await grow()
    """,
}


@pytest.mark.parametrize("source", MEMORY.values(), ids=MEMORY.keys())
async def test_a_full_heap_fails_the_cell_alone(engine: Engine, source: str) -> None:
    other = await engine.start("await tools.echo(1); text(await tools.echo('unharmed'))")
    run = await engine.run(f"text('begun'); {source}")
    assert run.texts == ["begun"]
    assert run.error is not None
    assert run.error.startswith((OUT_OF_MEMORY, "RangeError: "))
    assert (await other.end()).texts == ["unharmed"]


@pytest.mark.parametrize("heap_bytes, words", [(16 * 2**20, "16 MiB"), (1, "1 bytes")])
async def test_a_heap_can_be_smaller(engine: Engine, heap_bytes: int, words: str) -> None:
    run = await engine.run(MEMORY["objects"], heap_bytes=heap_bytes)
    assert run.error is not None
    assert run.error.startswith(OUT_OF_MEMORY.replace("256 MiB", words))
    assert (await engine.run("text('roomy')", heap_bytes=16 * 2**20)).texts == ["roomy"]


async def test_a_heap_of_no_bytes_is_not_one_without_bounds(engine: Engine) -> None:
    run = await engine.run("text('x')", heap_bytes=0)
    assert run.error is not None
    assert run.error.startswith(OUT_OF_MEMORY.replace("256 MiB", "0 bytes"))


async def test_a_full_heap_can_be_caught(engine: Engine) -> None:
    run = await engine.run("""
        try { const all = []; for (;;) all.push(new Uint8Array(1 << 20)) }
        catch (error) { text(String(error)) }
        text('on')
    """)
    assert run.texts == ["InternalError: out of memory", "on"]


async def test_a_string_of_a_gigabyte_is_refused(engine: Engine) -> None:
    run = await engine.run("""
        for (const length of [2 ** 30 - 1, 2 ** 30, 2 ** 31])
          try { text('x'.repeat(length).length) } catch (error) { text('refused') }
    """)
    assert run.texts == ["refused"] * 3


async def test_a_text_of_64_mib_goes_through(engine: Engine) -> None:
    run = await engine.run(f"text('x'.repeat({64 * 2**20}))")
    assert [len(text) for text in run.texts] == [64 * 2**20]


async def test_pieces_of_a_long_text_keep_its_characters(engine: Engine) -> None:
    source = "text('a' + '😀'.repeat(2 ** 20) + '\\ud800\\0\"')"
    assert (await engine.run(source)).texts == ["a" + "😀" * 2**20 + '\ufffd\0"']


async def test_recursion_is_as_deep_as_in_the_reference(engine_in_each_mode: Engine) -> None:
    run = await engine_in_each_mode.run("""
        const down = (n) => n === 0 ? 0 : 1 + down(n - 1);
        text(down(9000));
        try { down(Infinity) } catch (error) {
          text(error instanceof RangeError); text(error.stack.split('\\n')[0]);
        }
        try { JSON.parse('['.repeat(1e6)) } catch { text('refused') }
    """)
    assert run.texts == [
        "9000",
        "true",
        "RangeError: Maximum call stack size exceeded",
        "refused",
    ]


async def test_helpers_work_at_the_end_of_the_stack(engine: Engine) -> None:
    run = await engine.run("""
        let depth = 0;
        const down = () => { try { down() } catch { if (depth++ === 0) text('deep') } };
        down(); text('up'); text(await tools.echo('on'));
    """)
    assert run.texts[-2:] == ["up", "on"]


async def test_a_worker_that_dies_at_rest_is_replaced(forked: Engine) -> None:
    await assert_next_cell_works(forked)
    for _ in range(3):
        spare = await forked.workers.take()
        os.kill(spare.pid, signal.SIGKILL)
        await spare.gone
    await assert_next_cell_works(forked)


async def test_a_worker_that_is_killed_in_a_cell_says_so(engine_in_each_mode: Engine) -> None:
    engine = engine_in_each_mode
    cell = await engine.start("text('begun'); await tools.echo(1); await new Promise(() => {})")
    await cell.until(lambda run: run.calls == [1])
    os.kill(cell.worker.pid, signal.SIGSEGV)
    assert (await cell.end()).ended == "killed by signal 11"
    await assert_next_cell_works(engine)


async def test_a_zygote_that_dies_takes_its_cells_along_and_is_replaced(
    launcher: ForkLauncher, forked: Engine
) -> None:
    cell = await forked.start("text('begun'); for (;;);")
    await cell.until(lambda run: run.texts == ["begun"])
    first = launcher.zygote_pid
    assert first is not None
    os.kill(first, signal.SIGKILL)
    assert (await cell.end()).ended in ("its zygote ended", "killed by signal 9")
    await assert_next_cell_works(forked)
    assert launcher.zygote_pid != first


async def test_workers_on_their_way_survive_the_zygotes_death(
    launcher: ForkLauncher, forked: Engine
) -> None:
    await assert_next_cell_works(forked)
    takers = [asyncio.create_task(forked.run("text(1)")) for _ in range(30)]
    await asyncio.sleep(0)  # the requests are out, the answers are not in
    assert launcher.zygote_pid is not None
    os.kill(launcher.zygote_pid, signal.SIGKILL)
    async with asyncio.timeout(PATIENCE_S):
        runs = await asyncio.gather(*takers)
    assert all(run.texts == ["1"] or run.ended is not None for run in runs)
    assert sum(run.texts == ["1"] for run in runs) >= 20


async def test_many_cells_run_side_by_side(engine: Engine) -> None:
    runs = await asyncio.gather(*(engine.run(f"text(await tools.echo({n}))") for n in range(60)))
    assert [run.texts for run in runs] == [[str(n)] for n in range(60)]
