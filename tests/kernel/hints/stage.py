"""Runs scripts in a real session with tools that are stubs, and gives the hint of each."""

import asyncio
import json
import sys
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from typing import Any

from codemode_kernel.hints.call_log import CallLog
from codemode_kernel.hints.earlier_cells import EarlierCells
from codemode_kernel.hints.facts import Facts
from codemode_kernel.hints.rules import hint_for
from codemode_kernel.session.events import CallEnded, CallStarted, SessionEvent
from codemode_kernel.session.session import Session, SessionSettings

from tests.recorded import SHARED, shared
from toolbridge import (
    CallContext,
    Gate,
    Kind,
    Source,
    Tool,
    Toolbox,
    ToolCall,
    ToolError,
    parse_rules,
)

HOST = (sys.executable, "-m", "codemode_host", "--listen", "stdio")
HANG = "hang"
NOTHING_TO_PATCH = "apply_patch verification failed: Failed to read file to update missing.txt"


def recorded_scripts() -> list[dict[str, Any]]:
    """Index entries of the scripts that run as exec cells, each with its `source`.

    None where the scripts are absent.
    """
    folder = SHARED / "scripts"
    if not folder.is_dir():
        return []
    entries = json.loads((folder / "index.json").read_text())["scripts"]
    return [
        {**entry, "source": (folder / entry["file"]).read_text()}
        for entry in entries
        if entry["dialect"] == "codex"
    ]


class Stubs(Source):
    """The tools of the recorded scripts, each with its recorded answer, and `hang`, which has none.

    A patch of `missing.txt` fails.
    """

    id = "stubs"

    def __init__(self) -> None:
        lines = (shared("scripts") / "outcomes.jsonl").read_text().splitlines()
        cases = [json.loads(line) for line in lines]
        self._tools = {tool["name"]: _tool(tool) for case in cases for tool in case["tools"]}
        self._replies = {rule["tool"]: rule["reply"] for case in cases for rule in case["rules"]}

    def tools(self) -> list[Tool]:
        return [*self._tools.values(), Tool(HANG, self.id)]

    async def call(self, call: ToolCall, admitted: Any, context: CallContext) -> Any:
        if call.tool.name == HANG:
            await asyncio.Event().wait()
        if "missing.txt" in str(call.input):
            raise ToolError(NOTHING_TO_PATCH)
        return self._replies[call.tool.name]


def _tool(recorded: dict[str, Any]) -> Tool:
    required = {"type": "object", "required": ["cmd"]}
    return Tool(
        name=recorded["name"],
        source=Stubs.id,
        kind=Kind(recorded["kind"]),
        input_schema=required if recorded["name"] == "exec_command" else None,
    )


class HintStage:
    """One session; each cell is told as `In [n]`."""

    def __init__(self) -> None:
        self._calls = CallLog()
        self._earlier = EarlierCells()
        self._count = 0
        self.toolbox = Toolbox(Gate(parse_rules([{"decision": "allow"}])))
        self.toolbox.add(Stubs())
        self.session = Session(SessionSettings(HOST), self.toolbox, on_event=self._on_event)

    def _on_event(self, event: SessionEvent) -> None:
        match event:
            case CallStarted(_, call):
                self._calls.started(call)
            case CallEnded(_, call):
                self._calls.ended(call)

    def forget(self) -> None:
        """As if no cell had run."""
        self._earlier = EarlierCells()
        self._count = 0

    async def hint(self, code: str) -> str | None:
        """Run `code` as a cell and give what would be said of it."""
        self._calls = CallLog()
        self._count += 1
        label = f"In [{self._count}]"
        self._earlier.add(label, code)
        cell = self.session.new_cell(code)
        observation = await self.session.run(cell, None)
        assert cell.catalog is not None
        return hint_for(
            Facts(
                code=code,
                error_text=observation.error_text,
                silent=not cell.item_count and not cell.notification_count,
                calls=self._calls,
                catalog=cell.catalog,
                declared_earlier=lambda name: self._earlier.declaration_of(name, before=label),
            )
        )

    async def hint_of_last(self, codes: Iterable[str]) -> str | None:
        """Run cells one after the other; the hint of the last."""
        said = None
        for code in codes:
            said = await self.hint(code)
        return said


@asynccontextmanager
async def hint_stage() -> AsyncIterator[HintStage]:
    """A stage, closed in the end."""
    stage = HintStage()
    try:
        await stage.session.start()
        yield stage
    finally:
        await stage.session.close()
        await stage.toolbox.close()
