"""Nested calls: through the toolbox, told of, and of the cell that makes them."""

import asyncio

import pytest
from codemode_kernel.session.calls import CallOutcome
from codemode_kernel.session.events import CallEnded, CallStarted
from codemode_kernel.session.observation import Status

from tests.kernel.session.stage import MakeStage, Stage
from tests.patience import PATIENCE_S
from toolbridge import Gate, ToolError, parse_rules


async def test_a_call_resolves_with_what_the_tool_gives(any_stage: Stage) -> None:
    _, texts = await any_stage.run('text(await tools.echo({value: {a: [1, "ü", null]}}))')
    assert texts == ['{"a":[1,"ü",null]}']
    (event,) = any_stage.events.of(CallEnded)
    assert (event.call.id, event.call.tool) == ("tool-1", "echo")
    assert event.call.outcome is CallOutcome.OK
    assert event.call.arguments == {"value": {"a": [1, "ü", None]}}
    assert event.call.result == {"a": [1, "ü", None]}


async def fail() -> None:
    """Refuse."""
    raise ToolError("out of paper")


async def test_a_tool_error_rejects_with_its_text(make_stage: MakeStage) -> None:
    stage = await make_stage(tools=[fail])
    stage.toolbox.gate = Gate(parse_rules([{"decision": "allow", "tool": "fail"}]))
    code = "try { await tools.fail() } catch (e) { text(typeof e); text(e) }"
    _, texts = await stage.run(code)
    assert texts == ["string", "out of paper"]
    (event,) = stage.events.of(CallEnded)
    assert (event.call.outcome, event.call.error) == (CallOutcome.ERROR, "out of paper")


async def test_a_call_that_needs_a_person_is_refused_where_nobody_is(
    make_stage: MakeStage,
) -> None:
    stage = await make_stage(tools=[fail])
    observation, _ = await stage.run("await tools.fail()")
    assert observation.status is Status.FAILED
    assert "nobody is there to ask" in (observation.error_text or "")


async def test_a_hundred_calls_at_once(any_stage: Stage) -> None:
    code = """
      const calls = Array.from({length: 100}, (_, i) => tools.echo({value: i}));
      text((await Promise.all(calls)).reduce((a, b) => a + b))"""
    _, texts = await any_stage.run(code)
    assert texts == ["4950"]


@pytest.mark.slow
async def test_a_burst_that_breaks_the_reference_works_on_ours(stage: Stage) -> None:
    code = """
      const calls = Array.from({length: 2000}, (_, i) => tools.echo({value: i}));
      text((await Promise.all(calls)).reduce((a, b) => a + b))"""
    _, texts = await stage.run(code)
    assert texts == ["1999000"]


async def test_a_call_that_is_not_awaited_is_cancelled_at_the_end(any_stage: Stage) -> None:
    observation, _ = await any_stage.run("tools.hang(); await tools.echo()")
    assert observation.status is Status.COMPLETED
    await any_stage.events.next(CallEnded, number=2)
    outcomes = {event.call.tool: event.call.outcome for event in any_stage.events.of(CallEnded)}
    assert outcomes == {"echo": CallOutcome.OK, "hang": CallOutcome.CANCELLED}


async def test_a_running_cell_keeps_its_catalog(any_stage: Stage) -> None:
    def added() -> str:
        """Comes later."""
        return "added"

    code = "yield_control(); await tools.echo(); text(typeof tools.added)"
    cell = any_stage.session.new_cell(code)
    await any_stage.session.run(cell, None)
    any_stage.toolbox.register(added)
    assert cell.id is not None
    _, texts = await any_stage.wait(cell.id)
    assert texts == ["undefined"]
    _, texts = await any_stage.run("text(typeof tools.added)")
    assert texts == ["function"]


async def test_open_calls_are_counted_while_they_run(any_stage: Stage) -> None:
    cell = await any_stage.begin("tools.hang(); await tools.hang()")
    await any_stage.events.next(CallStarted, cell, number=2)
    assert (cell.call_count, cell.open_calls) == (2, 2)
    any_stage.session.stop(cell)
    await any_stage.events.next(CallEnded, cell, number=2)
    assert (cell.call_count, cell.open_calls) == (2, 0)


async def test_calls_of_two_cells_run_side_by_side(any_stage: Stage) -> None:
    first = await any_stage.begin("await tools.hang()")
    await any_stage.events.next(CallStarted, first)
    async with asyncio.timeout(PATIENCE_S):
        _, texts = await any_stage.run("text(await tools.echo({value: 2}))")
    assert texts == ["2"]
