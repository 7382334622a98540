"""The small tools that a session offers when it is told to."""

import json
from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import pytest
from codemode_kernel.session.model_calls import exec_text
from toolbridge.errors import ArgumentsRefusedError, Outcome, PolicyRefusedError
from toolbridge.session_tools import SESSION_TOOLS, session_tools
from toolbridge.sources.clock import ClockSource
from toolbridge.sources.goals import GoalsSource
from toolbridge.sources.shell import ShellSource
from toolbridge.sources.update_plan import UpdatePlanSource

from tests.case_session import case_session
from tests.toolbridge.boxes import ALLOW_ALL, Person, call
from toolbridge import Answer, CallContext, Source, Toolbox, ToolError

CREATED = 1_700_000_000


def box(source: Source) -> Toolbox:
    """With the default gate, and nobody there to be asked."""
    toolbox = Toolbox()
    toolbox.add(source)
    return toolbox


async def test_each_is_switched_on_by_its_name(tmp_path: Path) -> None:
    shell = ShellSource(tmp_path)
    sources = list(session_tools([*SESSION_TOOLS, "clock"], shell))
    assert [source.id for source in sources] == list(SESSION_TOOLS)
    with pytest.raises(ValueError, match="there is no session tool 'sleep', only update_plan, "):
        list(session_tools(["sleep"], shell))


# update_plan

PLAN = [
    {"step": "Look", "status": "completed"},
    {"step": "Build", "status": "in_progress"},
    {"step": "Test", "status": "pending"},
]


async def test_a_plan_is_kept_until_the_next_one() -> None:
    source = UpdatePlanSource()
    toolbox = box(source)
    assert await call(toolbox, "update_plan", {"plan": PLAN, "explanation": "why"}) == {}
    assert source.plan() == "[x] Look\n[>] Build\n[ ] Test"
    await call(toolbox, "update_plan", {"plan": PLAN[:1]})
    assert source.plan() == "[x] Look"
    await toolbox.reset()
    assert source.plan() == ""


async def test_each_principal_has_a_plan_of_their_own() -> None:
    source = UpdatePlanSource()
    await call(box(source), "update_plan", {"plan": PLAN}, CallContext(principal="ann"))
    assert source.plan("ann")
    assert source.plan("bob") == ""


@pytest.mark.parametrize("plan", [None, [{"step": "x"}], [{"step": "x", "status": "done"}]])
async def test_what_is_no_plan_is_refused(plan: Any) -> None:
    source = UpdatePlanSource()
    with pytest.raises(ArgumentsRefusedError):
        await call(box(source), "update_plan", {"plan": plan})
    assert source.plan() == ""


async def test_a_script_shows_what_noting_a_plan_gives() -> None:
    """As recorded scripts do."""
    source = UpdatePlanSource()
    async with case_session(box(source)) as session:
        (output,) = await exec_text(
            session, f"const p = await tools.update_plan({json.dumps({'plan': PLAN})}); text(p);"
        )
    assert isinstance(output, list)
    assert [item["text"] for item in output][1:] == ["{}"]
    assert source.plan().startswith("[x] Look")


# goals


async def test_a_goal_from_its_creation_to_its_end() -> None:
    now = float(CREATED)
    toolbox = box(GoalsSource(lambda: now))
    assert await call(toolbox, "get_goal") == {"goal": None}
    goal = {
        "objective": "Ship it",
        "status": "active",
        "token_budget": 5000,
        "created_at": CREATED,
        "time_used_seconds": 0,
    }
    created = {"objective": "Ship it", "token_budget": 5000}
    assert await call(toolbox, "create_goal", created) == {"goal": goal}
    now += 90.5
    goal["time_used_seconds"] = 90
    assert await call(toolbox, "get_goal") == {"goal": goal}
    goal["status"] = "complete"
    assert await call(toolbox, "update_goal", {"status": "complete"}) == {"goal": goal}
    assert (await call(toolbox, "create_goal", {"objective": "Next"}))["goal"]["status"] == "active"
    await toolbox.reset()
    assert await call(toolbox, "get_goal") == {"goal": None}


async def test_there_is_one_goal_at_a_time() -> None:
    toolbox = box(GoalsSource())
    await call(toolbox, "create_goal", {"objective": "One"})
    with pytest.raises(ToolError) as refused:
        await call(toolbox, "create_goal", {"objective": "Two"})
    assert str(refused.value) == (
        "create_goal failed: there is a goal already; end it with update_goal"
    )
    assert (await call(toolbox, "get_goal"))["goal"]["objective"] == "One"


async def test_a_goal_belongs_to_a_principal() -> None:
    toolbox = box(GoalsSource())
    await call(toolbox, "create_goal", {"objective": "One"}, CallContext(principal="ann"))
    with pytest.raises(ToolError, match="update_goal failed: there is no goal"):
        await call(toolbox, "update_goal", {"status": "complete"}, CallContext(principal="bob"))


# clock


async def test_the_time_comes_with_its_zone() -> None:
    zone = timezone(timedelta(hours=2))
    source = ClockSource(lambda: datetime(2026, 1, 31, 12, 0, 1, 5, zone))
    result = await call(box(source), "clock__curr_time", {})
    assert result == {"current_time": "2026-01-31T12:00:01+02:00"}


async def test_it_is_the_kernels_time() -> None:
    before = datetime.now(UTC).replace(microsecond=0)
    result = await call(box(ClockSource()), "clock__curr_time")
    assert before <= datetime.fromisoformat(result["current_time"]) <= datetime.now(UTC)


# shell_command


@pytest.fixture
async def commands(tmp_path: Path) -> AsyncIterator[Toolbox]:
    toolbox = Toolbox(ALLOW_ALL)
    shell = ShellSource(tmp_path)
    toolbox.add(shell)
    for source in session_tools(["shell_command"], shell):
        toolbox.add(source)
    yield toolbox
    await toolbox.close()


def told(text: str) -> list[str]:
    """The lines of a result, without the time."""
    lines = text.split("\n")
    assert lines[1].startswith("Wall time: ")
    assert lines[1].endswith(" seconds")
    return [lines[0], *lines[2:]]


async def test_a_command_is_run_to_its_end(commands: Toolbox) -> None:
    result = await call(commands, "shell_command", {"command": "pwd", "workdir": "/"})
    assert told(result) == ["Exit code: 0", "Output:", "/", ""]


async def test_a_command_that_fails_rejects_with_the_same_text(commands: Toolbox) -> None:
    with pytest.raises(ToolError) as failed:
        await call(commands, "shell_command", {"command": "echo no; exit 3"})
    assert told(str(failed.value)) == ["Exit code: 3", "Output:", "no", ""]
    assert failed.value.outcome is Outcome.FAILED


async def test_a_command_that_takes_too_long_is_ended(commands: Toolbox, tmp_path: Path) -> None:
    with pytest.raises(ToolError) as failed:
        await call(
            commands,
            "shell_command",
            {"command": "echo $$ > pid; exec sleep 300", "timeout_ms": 200},
        )
    assert told(str(failed.value)) == [
        "Exit code: 124",
        "Output:",
        "command timed out after 200 milliseconds",
        "",
    ]


async def test_it_asks_as_exec_command_does(commands: Toolbox, tmp_path: Path) -> None:
    commands.gate = Toolbox().gate
    person = Person(Answer.ONCE)
    arguments = {"command": "true", "justification": "May I?"}
    await call(commands, "shell_command", arguments, CallContext(asker=person))
    assert person.questions[0].text == (
        f'$ true\nin {tmp_path}\njustification (grants nothing): "May I?"'
    )
    with pytest.raises(PolicyRefusedError):
        await call(commands, "shell_command", arguments)


async def test_what_no_process_can_be_given_is_refused(commands: Toolbox) -> None:
    with pytest.raises(ArgumentsRefusedError) as refused:
        await call(commands, "shell_command", {"command": "a\0b"})
    assert str(refused.value) == (
        "shell_command failed: `command` holds a NUL character, which no process can be given"
    )
