"""No call of any source reaches an effect without the gate.

Every kind of source stands here with one call and the effect it has. A source that is new has to
be added; the first test says so.
"""

import asyncio
import importlib
import json
import pkgutil
import socket
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from toolbridge.child.messages import Call, Definition, MessageReader, Tools, ToProcess, encode
from toolbridge.errors import PolicyRefusedError
from toolbridge.sources.apply_patch import ApplyPatchSource
from toolbridge.sources.ask_user import AskUserSource
from toolbridge.sources.clock import ClockSource
from toolbridge.sources.goals import GoalsSource
from toolbridge.sources.loaders import Loaders
from toolbridge.sources.mcp import McpSource
from toolbridge.sources.mcp_resources import McpResources
from toolbridge.sources.python_child import PythonChildSource
from toolbridge.sources.python_functions import PythonFunctions
from toolbridge.sources.shell import ShellSource
from toolbridge.sources.shell_command import ShellCommandSource
from toolbridge.sources.update_plan import UpdatePlanSource
from toolbridge.sources.view_image import ViewImageSource

import toolbridge as package
from tests.mcp_servers import heard, scripted_settings
from tests.patience import PATIENCE_S
from tests.toolbridge.boxes import ALLOW_ALL, Person
from toolbridge import (
    Answer,
    CallContext,
    CallIdentity,
    Gate,
    GateMode,
    Hooks,
    JsonValue,
    Source,
    Tool,
    Toolbox,
    ToolCall,
    parse_rules,
)


@dataclass
class Route:
    """One way to an effect: a source in a toolbox, a call of it, and how its effect is seen."""

    source: Source
    arguments: Any
    has_happened: Callable[[], bool]
    tool: str


Prepare = Callable[[Path, AsyncExitStack], Awaitable[Route]]


async def shell(folder: Path, life: AsyncExitStack) -> Route:
    command = {"cmd": "echo > ran", "shell": "/bin/sh"}
    ran = folder / "ran"
    return Route(ShellSource(folder), command, ran.exists, "exec_command")


async def stdin_of_a_shell(folder: Path, life: AsyncExitStack) -> Route:
    """A shell that runs already: what is written to it is an effect too."""
    source = ShellSource(folder)
    box = Toolbox(ALLOW_ALL)
    box.add(source)
    tool = box.catalog().called("exec_command")
    assert tool is not None
    reader: JsonValue = {"cmd": "read line; echo > ran", "shell": "/bin/sh", "yield_time_ms": 250}
    started: Any = await box.invoke(ToolCall(tool, reader), CallContext())
    line = {"session_id": started["session_id"], "chars": "go\n", "yield_time_ms": 5000}
    return Route(source, line, (folder / "ran").exists, "write_stdin")


async def patch(folder: Path, life: AsyncExitStack) -> Route:
    text = "*** Begin Patch\n*** Add File: ran\n+yes\n*** End Patch"
    return Route(ApplyPatchSource(folder), text, (folder / "ran").exists, "apply_patch")


async def function(folder: Path, life: AsyncExitStack) -> Route:
    source = PythonFunctions()

    def run() -> None:
        """Leave a trace."""
        (folder / "ran").write_text("yes")

    source.add(run)
    return Route(source, {}, (folder / "ran").exists, "run")


async def child(folder: Path, life: AsyncExitStack) -> Route:
    """The process at the other end of the channel is played here: being called is the effect."""
    source = PythonChildSource()
    ours, theirs = socket.socketpair()
    theirs.setblocking(False)
    life.callback(theirs.close)
    offered = asyncio.Event()
    source.changed = offered.set
    await source.connect(ours)
    tool = Tool("run", "python", input_schema={"type": "object"})
    loop = asyncio.get_running_loop()
    await loop.sock_sendall(theirs, encode(Tools(tools=(Definition.of(tool),))))
    await asyncio.wait_for(offered.wait(), PATIENCE_S)
    heard: list[Call] = []
    answering = loop.create_task(_answer(theirs, heard))
    life.callback(answering.cancel)
    return Route(source, {}, lambda: bool(heard), "run")


async def _answer(process: socket.socket, heard: list[Call]) -> None:
    from toolbridge.child.messages import Result, raw

    loop, reader = asyncio.get_running_loop(), MessageReader(ToProcess)
    while data := await loop.sock_recv(process, 1 << 16):
        for message in reader.feed(data):
            assert isinstance(message, Call)
            heard.append(message)
            await loop.sock_sendall(process, encode(Result(id=message.id, value=raw(b"null"))))


async def script(folder: Path, life: AsyncExitStack) -> Route:
    source = ShellCommandSource(ShellSource(folder))
    return Route(source, {"command": "echo > ran"}, (folder / "ran").exists, "shell_command")


async def server(folder: Path, life: AsyncExitStack) -> Route:
    """That the server is told of the call is the effect."""
    settings = scripted_settings("s", {"tools": [{"name": "run", "behaviour": {}}]}, folder)
    source = McpSource(settings, str(folder))
    waiting = source.prepare("mcp__s__run")
    assert waiting is not None
    await asyncio.wait_for(waiting, PATIENCE_S)
    return Route(source, {}, lambda: bool(heard("s", folder, "tools/call")), "run")


ROUTES: dict[type[Source], tuple[Prepare, ...]] = {
    ShellSource: (shell, stdin_of_a_shell),
    ShellCommandSource: (script,),
    McpSource: (server,),
    ApplyPatchSource: (patch,),
    PythonFunctions: (function,),
    PythonChildSource: (child,),
}

WITHOUT_EFFECT = {
    AskUserSource,
    ClockSource,
    GoalsSource,
    Loaders,
    McpResources,
    UpdatePlanSource,
    ViewImageSource,
}
"""Sources that read, ask the person, or keep what the session alone knows."""


def test_every_source_is_here() -> None:
    for module in pkgutil.walk_packages(package.__path__, "toolbridge."):
        importlib.import_module(module.name)
    ours = {kind for kind in _all_kinds(Source) if kind.__module__.startswith("toolbridge.")}
    assert ours == ROUTES.keys() | WITHOUT_EFFECT, "add the new source and its effect to ROUTES"


def _all_kinds(kind: type[Source]) -> set[type[Source]]:
    return {deeper for sub in kind.__subclasses__() for deeper in {sub, *_all_kinds(sub)}}


@pytest.fixture(params=[route for routes in ROUTES.values() for route in routes])
async def route(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Route]:
    async with AsyncExitStack() as life:
        route = await request.param(tmp_path, life)
        life.push_async_callback(route.source.close)
        yield route


class Objecting(Hooks):
    def policy(self, call: CallIdentity) -> str | None:
        return "not this one"


DENY = Gate(parse_rules([{"decision": "deny"}]))
CLOSED: list[tuple[str, Gate, Hooks, Answer | None]] = [
    ("nobody is there", Gate(), Hooks(), None),
    ("the person says no", Gate(), Hooks(), Answer.NO),
    ("the person says never", Gate(), Hooks(), Answer.NEVER),
    ("a rule denies it", DENY, Hooks(), Answer.ONCE),
    ("a rule denies it, all is allowed", Gate(DENY.rules, GateMode.ALLOW_ALL), Hooks(), None),
    ("mode plan", Gate(ALLOW_ALL.rules, GateMode.PLAN), Hooks(), Answer.ONCE),
    ("a hook objects", ALLOW_ALL, Objecting(), Answer.ONCE),
]


async def call(route: Route, gate: Gate, hooks: Hooks, answer: Answer | None, cell: Any) -> None:
    toolbox = Toolbox(gate, hooks)
    toolbox.add(route.source)
    tool = next(tool for tool in toolbox.everybodys_tools() if tool.name == route.tool)
    arguments = json.loads(json.dumps(route.arguments))
    asker = Person(answer) if answer else None
    await toolbox.invoke(ToolCall(tool, arguments, **cell), CallContext(asker=asker))


@pytest.mark.parametrize("cell", [{"id": "tool-1", "cell_id": "1"}, {}], ids=["nested", "direct"])
@pytest.mark.parametrize("why, gate, hooks, answer", CLOSED, ids=[case[0] for case in CLOSED])
async def test_a_closed_gate_lets_nothing_through(
    route: Route, why: str, gate: Gate, hooks: Hooks, answer: Answer | None, cell: Any
) -> None:
    with pytest.raises(PolicyRefusedError):
        await call(route, gate, hooks, answer, cell)
    assert not route.has_happened()


async def test_an_open_gate_lets_the_call_through(route: Route) -> None:
    """Or the tests above would hold for a call that does nothing anyway."""
    await call(route, ALLOW_ALL, Hooks(), None, {"id": "tool-1", "cell_id": "1"})
    assert route.has_happened()


def test_nothing_but_the_toolbox_calls_a_source() -> None:
    """There is no second way: sources are reached by `Toolbox.invoke` alone."""
    root = Path(package.__file__).parent
    callers = [
        str(path.relative_to(root))
        for folder in (root, root.parents[1] / "kernel" / "codemode_kernel")
        for path in folder.rglob("*.py")
        if "source.call(" in path.read_text(encoding="utf-8")
    ]
    assert callers == ["toolbox.py"]
