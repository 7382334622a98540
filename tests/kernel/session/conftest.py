"""Sessions on real hosts: ours, and the Codex CLI's where it is present."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack
from typing import Any

import pytest
from codemode_kernel.session.session import Session, SessionSettings

from tests.kernel.session.stage import Events, MakeStage, Stage
from toolbridge import Gate, Toolbox, parse_rules


async def echo(value: object = None) -> object:
    """Give the argument back."""
    return value


async def hang() -> None:
    """Never return."""
    await asyncio.Event().wait()


@pytest.fixture
async def make_stage(host_command: Sequence[str]) -> AsyncIterator[MakeStage]:
    """Makes stages on a host, ours unless told otherwise; they are closed after the test."""
    async with AsyncExitStack() as stack:

        async def make(
            command: Sequence[str] = host_command, *, tools: Sequence[Any] = (), **settings: Any
        ) -> Stage:
            rules = parse_rules([{"decision": "allow", "tool": name} for name in ("echo", "hang")])
            toolbox = Toolbox(Gate(rules))
            toolbox.register(echo, hang, *tools)
            events = Events()
            session = Session(SessionSettings(command, **settings), toolbox, on_event=events)
            stack.push_async_callback(toolbox.close)
            stack.push_async_callback(session.close)
            return Stage(session, events, toolbox)

        yield make


@pytest.fixture
async def stage(make_stage: MakeStage) -> Stage:
    """A stage on our own host."""
    return await make_stage()


@pytest.fixture
async def any_stage(make_stage: MakeStage, any_host: Sequence[str]) -> Stage:
    """A stage on each host."""
    return await make_stage(any_host)
