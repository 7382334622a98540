"""Drives one field case through a session and writes down what `match.py` judges."""

import asyncio
import socket
import time
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import AsyncExitStack, contextmanager
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from unittest.mock import patch

import psutil
from codemode_host.wire import ContentItem, ImageItem, TextItem
from codemode_kernel.errors import SessionError
from codemode_kernel.outputs.bundles import audio_bundle, image_bundle
from codemode_kernel.session.cells import Cell
from codemode_kernel.session.observation import Observation
from codemode_kernel.session.session import Session
from codemode_rules.errors import PragmaError
from codemode_rules.pragma import parse_exec_source
from toolbridge.deferral.policy import CODEX, SEED, Mode
from toolbridge.mcp.listing import source_id
from toolbridge.prompt.composition import Composition, PromptSettings, compose
from toolbridge.search.tool_search import search_tools
from toolbridge.sources.mcp import GLANCE_S, McpSource

from tests.case_session import case_session
from tests.field_cases.behaviours import Record, RecordedPatches, RecordedShell, case_tool
from tests.mcp_servers import scripted_settings
from tests.patience import PATIENCE_S, SLOWDOWN
from toolbridge import (
    Answer,
    ApprovalRequest,
    Gate,
    Inquiry,
    NobodyThereError,
    Reply,
    Toolbox,
    parse_rules,
)

Step = dict[str, Any]
Seen = dict[str, Any]

CASE_SOURCE = "functions"
CASE_TOOLS_RUN = parse_rules([{"decision": "allow", "source": CASE_SOURCE}])
SHELL_TOOLS = {"exec_command", "write_stdin"}
BUILT_IN = SHELL_TOOLS | {"apply_patch"}


class Shown:
    """A sink that keeps what a person would get."""

    def __init__(self) -> None:
        self.items: list[ContentItem] = []

    def take(self, items: Sequence[ContentItem]) -> None:
        self.items += items

    def observed(self) -> Seen:
        """Kinds of outputs in order, where texts in a row are one, and the images."""
        kinds: list[str] = []
        images = []
        for item in self.items:
            mime = _media_type(item)
            if mime.startswith("image/") and isinstance(item, ImageItem):
                images.append({"mime": mime} | image_bundle(item).metadata.get(mime, {}))
            if mime != "text" or kinds[-1:] != ["text"]:
                kinds.append(mime)
        return {"outputs": kinds, "images": images}


def _media_type(item: ContentItem) -> str:
    """The type under which a notebook shows an item; what it cannot show is named in text."""
    if isinstance(item, TextItem):
        return "text"
    bundle = image_bundle(item) if isinstance(item, ImageItem) else audio_bundle(item)
    return next((mime for mime in bundle.data if not mime.startswith("text/")), "text")


@contextmanager
def no_network() -> Iterator[None]:
    """A connection attempt of this process fails the case."""

    def refuse(connection: socket.socket, address: Any) -> None:
        raise AssertionError(f"the case may not connect to {address}")

    with patch.object(socket.socket, "connect", refuse):
        yield


class FieldCaseRun:
    """One case in `folder`, which is the working directory of its shells."""

    def __init__(self, case: Step, folder: Path) -> None:
        self._setup: Step = case["setup"]
        self._steps: list[Step] = case.get("steps") or [{"op": "exec", "source": case["source"]}]
        self._folder = folder
        self._record = Record()
        self._prompts = 0
        self._cells: dict[str, Cell] = {}
        self._texts: dict[str, list[str]] = {}
        self._joins: dict[str, asyncio.Task[Seen]] = {}
        self._foreground: Cell | None = None
        self._session: Session
        self._toolbox: Toolbox
        self._life = AsyncExitStack()

    async def run(self) -> Seen:
        """Every step in order."""
        if self._setup.get("network") == "deny":
            self._life.enter_context(no_network())
        async with self._life:
            await self._start()
            steps = [await self._step(step) for step in self._steps]
        return {"steps": steps, "calls": self._record.calls, "prompts": self._prompts}

    async def ask(self, question: ApprovalRequest) -> Answer:
        """Answer for the person, as the case wants it."""
        self._prompts += 1
        return Answer.NO if self._setup.get("approval") == "deny" else Answer.ONCE

    async def inquire(self, inquiry: Inquiry) -> Reply:
        """No case answers free questions."""
        raise NobodyThereError

    async def _start(self) -> None:
        toolbox = self._toolbox = Toolbox(Gate(CASE_TOOLS_RUN))
        for spec in self._setup.get("tools", []):
            toolbox.register(case_tool(spec, self._record))
        built_in = set(self._setup.get("builtin", []))
        if SHELL_TOOLS & built_in:
            toolbox.add(RecordedShell(self._folder, self._record))
        if "apply_patch" in built_in:
            toolbox.add(RecordedPatches(self._folder, self._record))
        servers = [
            self._server(name, server)
            for name, server in self._setup.get("mcp_servers", {}).items()
        ]
        for source in servers:
            toolbox.add(source)
        self._clashes = [clash.message for clash in toolbox.catalog().clashes]
        self._session = await self._life.enter_async_context(case_session(toolbox))
        await _bring_up(servers)

    def _server(self, name: str, spec: Step) -> McpSource:
        scripts = Path(self._life.enter_context(TemporaryDirectory(prefix="mcp-")))
        return McpSource(scripted_settings(name, spec, scripts), str(self._folder))

    async def _step(self, step: Step) -> Seen:
        return await OPERATIONS[step["op"]](self, step)

    # Cells

    async def _exec(self, step: Step) -> Seen:
        started = time.monotonic()
        try:
            source = parse_exec_source(step["source"])
        except PragmaError as error:
            return self._rejected(error, started)
        cell = self._session.new_cell(source.code, asker=self)
        shown = Shown()
        label = step.get("as", "")
        self._cells[label] = self._foreground = cell
        try:
            observation = await self._session.run(
                cell,
                shown,
                yield_time_ms=source.yield_time_ms,
                max_output_tokens=source.max_output_tokens,
            )
        except SessionError as error:
            return self._rejected(error, started)
        finally:
            self._foreground = None
        return self._observed(label, observation, shown, started)

    async def _exec_nowait(self, step: Step) -> Seen:
        self._joins[step["as"]] = asyncio.create_task(self._exec(step))
        return {}

    async def _join(self, step: Step) -> Seen:
        return await self._joins.pop(step["cell"])

    async def _wait(self, step: Step) -> Seen:
        started = time.monotonic()
        shown = Shown()
        cell = self._cells[step["cell"]]
        try:
            observation = await self._session.wait(
                cell.id or "",
                shown,
                yield_time_ms=step.get("yield_time_ms"),
                max_tokens=step.get("max_tokens"),
                terminate=step.get("terminate", False),
            )
        except SessionError as error:
            return self._rejected(error, started)
        return self._observed(step["cell"], observation, shown, started)

    def _observed(self, label: str, observation: Observation, shown: Shown, started: float) -> Seen:
        texts = _texts(observation)
        self._texts.setdefault(label, []).extend(texts)
        return {
            "status": "rejected" if observation.missing else observation.status.value,
            "text": texts,
            "error": observation.error_text,
            "warnings": [*observation.notices, *self._clashes],
            "wall_ms": (time.monotonic() - started) * 1000,
            "calls": list(self._record.calls),
            **shown.observed(),
        }

    def _rejected(self, error: Exception, started: float) -> Seen:
        wall_ms = (time.monotonic() - started) * 1000
        return {
            "status": "rejected",
            "text": [],
            "error": str(error),
            "wall_ms": wall_ms,
            "calls": list(self._record.calls),
            **Shown().observed(),
        }

    async def _repeat(self, step: Step) -> Seen:
        return {"steps": [await self._step(step["step"]) for _ in range(step["times"])]}

    async def _sleep_ms(self, step: Step) -> Seen:
        await asyncio.sleep(step["ms"] / 1000)
        return {}

    # The kernel

    async def _interrupt(self, step: Step) -> Seen:
        if self._foreground:
            self._session.stop(self._foreground)
        return {}

    async def _terminate_all(self, step: Step) -> Seen:
        for cell in self._session.collectable():
            await self._session.wait(cell.id or "", Shown(), terminate=True)
        return {}

    async def _shutdown_kernel(self, step: Step) -> Seen:
        await self._life.aclose()
        return {}

    async def _restart_kernel(self, step: Step) -> Seen:
        await self._life.aclose()
        await self._start()
        return {}

    # What a model is told

    async def _search(self, step: Step) -> Seen:
        composition = self._composed()
        found = search_tools(
            step["query"], composition.scope(), composition.index, step.get("limit")
        )
        return {"results": [tool.raw_name for tool in found.loaded]}

    async def _check_exec_description(self, step: Step) -> Seen:
        await self._toolbox.prepare("ALL_TOOLS")
        return {"text": self._composed().exec_description}

    def _composed(self) -> Composition:
        deferred = [spec["name"] for spec in self._setup.get("tools", []) if spec.get("deferred")]
        chosen = {CASE_SOURCE: dict.fromkeys(deferred, Mode.DEFERRED)}
        servers = self._setup.get("mcp_servers", {})
        sources = {source_id(n): Mode.DEFERRED for n in servers if servers[n].get("defer")}
        deferral = replace(
            SEED, sources=sources, tools=chosen, deferring_sources=CODEX.deferring_sources
        )
        return compose(self._toolbox.catalog(), PromptSettings(deferral=deferral))

    # Checks

    async def _check_calls(self, step: Step) -> Seen:
        return {"count": sum(call["tool"] == step["tool"] for call in self._record.calls)}

    async def _check_cancelled(self, step: Step) -> Seen:
        told = self._record.cancelled[step["tool"]]
        try:
            await asyncio.wait_for(told.wait(), PATIENCE_S)
        except TimeoutError:
            return {"cancelled": False}
        return {"cancelled": True}

    async def _check_joined_text(self, step: Step) -> Seen:
        return {"text": self._texts.get(step["cell"], [])}

    async def _check_process_count(self, step: Step) -> Seen:
        return {"count": len(_processes(step["match"]))}

    async def _check_no_process(self, step: Step) -> Seen:
        within_s = step.get("within_ms", 0) / 1000
        await asyncio.to_thread(psutil.wait_procs, _processes(step["match"]), within_s)
        return {"count": len(_processes(step["match"]))}


OPERATIONS: dict[str, Callable[[FieldCaseRun, Step], Awaitable[Seen]]] = {
    "exec": FieldCaseRun._exec,
    "exec_nowait": FieldCaseRun._exec_nowait,
    "join": FieldCaseRun._join,
    "wait": FieldCaseRun._wait,
    "repeat": FieldCaseRun._repeat,
    "sleep_ms": FieldCaseRun._sleep_ms,
    "interrupt": FieldCaseRun._interrupt,
    "terminate_all": FieldCaseRun._terminate_all,
    "shutdown_kernel": FieldCaseRun._shutdown_kernel,
    "restart_kernel": FieldCaseRun._restart_kernel,
    "search": FieldCaseRun._search,
    "check_exec_description": FieldCaseRun._check_exec_description,
    "check_calls": FieldCaseRun._check_calls,
    "check_cancelled": FieldCaseRun._check_cancelled,
    "check_joined_text": FieldCaseRun._check_joined_text,
    "check_process_count": FieldCaseRun._check_process_count,
    "check_no_process": FieldCaseRun._check_no_process,
}
"""How each kind of step is done; what is missing here the product does not have yet."""


async def _bring_up(servers: Sequence[McpSource]) -> None:
    """As a session has its servers before the first turn; one that hangs holds nothing up for long."""
    for server in servers:
        server.connection.begin()
    waits = [asyncio.ensure_future(server.connection.settled()) for server in servers]
    if waits:
        _, late = await asyncio.wait(waits, timeout=GLANCE_S * SLOWDOWN)
        for wait in late:
            wait.cancel()


def _texts(observation: Observation) -> list[str]:
    """The text items of the model view, without the header and the error."""
    if isinstance(observation.output, str):
        return []
    texts = [item["text"] for item in observation.output[1:] if item["type"] == "input_text"]
    if texts and texts[-1] == f"Script error:\n{observation.error_text}":
        texts.pop()
    return texts


def _processes(match: str) -> list[psutil.Process]:
    """Running processes whose command line holds `match`."""
    return [
        process
        for process in psutil.process_iter(["cmdline", "status"])
        if match in " ".join(process.info["cmdline"] or [])
        and process.info["status"] != psutil.STATUS_ZOMBIE
    ]
