"""What an embedder's hooks do to every call, direct or nested."""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from toolbridge.errors import PolicyRefusedError
from toolbridge.sources.shell import ShellSource

from tests.toolbridge.boxes import ALLOW_ALL, Person, StubSource
from toolbridge import (
    Answer,
    CallContext,
    CallIdentity,
    Hooks,
    JsonValue,
    Tool,
    Toolbox,
    ToolCall,
)

SAVE = Tool("save", "notes")
NESTED = {"id": "tool-1", "cell_id": "1"}
EITHER = pytest.mark.parametrize("place", [{}, NESTED], ids=["direct", "nested"])


class Stage(Hooks):
    """Hooks that do what a test wants, and what they were asked."""

    def __init__(self, variables: Any = None, objection: Any = None) -> None:
        self.variables = variables or {}
        self.objection = objection
        self.asked: list[tuple[str, CallIdentity]] = []

    def environment(self, call: CallIdentity) -> Mapping[str, str]:
        self.asked.append(("environment", call))
        return dict(self.variables)

    def policy(self, call: CallIdentity) -> str | None:
        self.asked.append(("policy", call))
        if isinstance(self.objection, Exception):
            raise self.objection
        reason: str | None = self.objection
        return reason


async def save(hooks: Hooks, place: Any, **context: Any) -> list[Any]:
    """Call a tool behind the hooks; the calls that got through."""
    notes = StubSource("notes", [SAVE])
    toolbox = Toolbox(ALLOW_ALL, hooks)
    toolbox.add(notes)
    await toolbox.invoke(ToolCall(SAVE, {}, **place), CallContext(**context))
    return notes.calls


@EITHER
async def test_they_are_told_which_call_it_is_and_no_more(place: dict[str, str]) -> None:
    hooks = Stage()
    assert await save(hooks, place, principal="amy") == [{}]
    identity = CallIdentity(
        tool="save",
        source="notes",
        is_nested=bool(place),
        cell_id=place.get("cell_id"),
        call_id=place.get("id", ""),
        principal="amy",
    )
    assert hooks.asked == [("environment", identity), ("policy", identity)]


@EITHER
async def test_an_objection_refuses_before_any_effect(place: dict[str, str]) -> None:
    with pytest.raises(PolicyRefusedError) as refused:
        await save(Stage(objection="not on Sundays"), place)
    assert str(refused.value) == "policy refused `save`: not on Sundays"


@EITHER
async def test_a_policy_that_fails_refuses(place: dict[str, str]) -> None:
    with pytest.raises(PolicyRefusedError) as refused:
        await save(Stage(objection=KeyError("token-1234")), place)
    assert str(refused.value) == ("policy refused the call: the hook `policy` failed: KeyError")


@EITHER
@pytest.mark.parametrize("variables", [{"A": 1}, {"A=B": "x"}, {"": "x"}, {"A": "\0"}, {5: "x"}])
async def test_what_is_no_environment_refuses(place: dict[str, str], variables: Any) -> None:
    with pytest.raises(PolicyRefusedError, match="it gives what is no environment variable"):
        await save(Stage(variables), place)


async def test_an_objection_that_comes_up_while_a_person_thinks_holds() -> None:
    hooks = Stage()

    class Slow(Person):
        async def ask(self, question: Any) -> Answer:
            hooks.objection = "too late"
            return Answer.ONCE

    toolbox = Toolbox(hooks=hooks)
    toolbox.add(StubSource("notes", [SAVE]))
    with pytest.raises(PolicyRefusedError, match="too late"):
        await toolbox.invoke(ToolCall(SAVE, {}, **NESTED), CallContext(asker=Slow()))


@EITHER
async def test_variables_reach_the_process_of_this_call_only(
    place: dict[str, str], tmp_path: Path
) -> None:
    hooks = Stage({"TASK_ID": "t-7", "TERM": "mine"})
    toolbox = Toolbox(ALLOW_ALL, hooks)
    toolbox.add(ShellSource(tmp_path))
    tool = toolbox.catalog().called("exec_command")
    assert tool is not None
    command: JsonValue = {"cmd": "echo $TASK_ID $TERM", "shell": "/bin/sh"}
    try:
        told = await toolbox.invoke(ToolCall(tool, command, **place), CallContext())
        assert told["output"] == "t-7 mine\n"  # type: ignore[index,call-overload]
        assert "TASK_ID" not in os.environ
        hooks.variables = {}
        told = await toolbox.invoke(ToolCall(tool, command, **place), CallContext())
        assert told["output"] == "dumb\n"  # type: ignore[index,call-overload]
    finally:
        await toolbox.close()
