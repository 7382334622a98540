"""Whatever a script does, its calls pass the gate, under their own names, while its cell is open."""

from collections.abc import Callable

import pytest
from codemode_host.wire import Invocation, ToolName
from codemode_kernel.session.events import CallEnded, CellEnded
from codemode_kernel.session.observation import Status
from msgspec import Raw

from tests.kernel.session.stage import MakeStage, Shown, Stage
from toolbridge import Exposure, Gate, Source, Tool, parse_rules


class Traced:
    """Tools whose effect is to be counted."""

    def __init__(self) -> None:
        self.echoed: list[object] = []
        self.wiped = 0

    async def echo(self, value: object = None) -> object:
        """A rule allows it."""
        self.echoed.append(value)
        return value

    async def wipe(self, value: object = None) -> None:
        """No rule allows it, and nobody is there to ask."""
        self.wiped += 1


@pytest.fixture
def traced() -> Traced:
    return Traced()


@pytest.fixture
async def stage(make_stage: MakeStage, traced: Traced) -> Stage:
    stage = await make_stage(tools=[traced.echo, traced.wipe])
    stage.toolbox.gate = Gate(parse_rules([{"decision": "allow", "tool": "echo"}]))
    return stage


FORGED = {
    "a name that is written over": "try { tools.wipe.name = 'echo' } catch {} "
    "try { Object.defineProperty(tools.wipe, 'name', {value: 'echo'}) } catch {} "
    "await tools.wipe({});",
    "a tool in the place of another": "try { tools.echo = tools.wipe } catch {} "
    "try { Object.defineProperty(tools, 'echo', {value: tools.wipe}) } catch {} "
    "await tools.wipe({});",
    "another this": "await tools.wipe.call(tools.echo, {});",
    "Reflect": "await Reflect.apply(tools.wipe, {name: 'echo', id: 1}, [{}]);",
    "bind": "await tools.wipe.bind('echo')({});",
    "a proxy": "await new Proxy(tools.wipe, {get: () => 'echo'})({});",
    "construction": "await Reflect.construct(tools.wipe, [{}]);",
    "a lying toJSON": "await tools.wipe({toJSON() { return {value: 'echo'} }});",
    "a call from a toJSON": "await tools.echo({toJSON() { return {value: tools.wipe({})} }});"
    "await null; await tools.wipe({});",
    "a getter that calls": "await tools.echo({get value() { tools.wipe({}); return 1 }});"
    "await tools.wipe({});",
    "a stringify of its own": "JSON.stringify = () => "
    '\'{"tool_name":{"name":"echo","namespace":null}}\'; await tools.wipe({});',
    "what every object has": "for (const key of ['name', 'tool', 'tool_name', 'toolName', 'cell_id'])"
    " Object.prototype[key] = 'echo'; await tools.wipe({});",
    "names that fold": "await tools['wipe\\u0000']?.({}); await tools.wipe({});",
    "the entries of ALL_TOOLS": "ALL_TOOLS.find(t => t.name === 'wipe').name = 'echo';"
    "await tools.wipe({});",
    "every function it can find": "for (const key of Reflect.ownKeys(globalThis)) {"
    " const value = globalThis[key]; if (typeof value !== 'function' || "
    "['exit', 'yield_control', 'notify', 'eval'].includes(key)) continue;"
    " for (const words of [['wipe', '{}'], ['tool', 'wipe', '{}'], [{name: 'wipe'}, '{}']])"
    " try { await Promise.race([value(...words), null]) } catch {} }"
    "await tools.wipe({});",
}


async def test_no_trick_gets_a_call_past_the_gate(stage: Stage, traced: Traced) -> None:
    for name, trick in FORGED.items():
        stage.events.seen.clear()
        observation, _ = await stage.run(trick)
        assert traced.wiped == 0, name
        # It came under its own name, and was refused.
        assert "wipe" in [event.call.tool for event in stage.events.of(CallEnded)], name
        assert "nobody is there to ask" in (observation.error_text or ""), name


async def test_arguments_are_looked_at_as_the_tool_gets_them(stage: Stage, traced: Traced) -> None:
    """A value that changes from one look to the next is taken once."""
    stage.toolbox.gate = Gate(
        parse_rules([{"decision": "allow", "tool": "echo", "arguments": {"value": "safe"}}])
    )
    code = """
      let looks = 0;
      const sly = {get value() { return looks++ ? "evil" : "safe" }};
      try { await tools.echo(sly) } catch {}
      try { await tools.echo({value: {toJSON: () => looks++ ? "evil" : "safe"}}) } catch {}
      try { await tools.echo(new Proxy({}, {ownKeys: () => ["value"],
        getOwnPropertyDescriptor: () => ({enumerable: true, configurable: true, value: 1}),
        get: () => looks++ % 2 ? "evil" : "safe"})) } catch {}"""
    await stage.run(code)
    assert set(traced.echoed) <= {"safe"}
    assert traced.echoed


class Direct(Source):
    """A tool for models alone."""

    id = "direct"

    def tools(self) -> list[Tool]:
        return [Tool("secret_door", "direct", exposure=Exposure.DIRECT_ONLY)]

    async def call(self, *_: object) -> None:
        raise AssertionError("a script has reached a direct-only tool")


async def test_what_is_not_for_scripts_is_not_there(stage: Stage) -> None:
    stage.toolbox.add(Direct())
    stage.toolbox.gate = Gate(parse_rules([{"decision": "allow"}]))
    code = """
      text(typeof tools.secret_door);
      for (const call of [
        () => tools.secret_door({}), () => tools.exec('1'), () => tools.wait({cell_id: '1'}),
        () => tools.echo.constructor('return tools.secret_door({})')(),
      ]) try { await call(); text('through') } catch (error) { text('no') }"""
    _, texts = await stage.run(code)
    assert texts == ["undefined", "no", "no", "no", "no"]


AFTER_EXIT = [
    "setTimeout(() => tools.echo({}), 0); exit();",
    "Promise.resolve().then(() => tools.echo({})); exit();",
    "try { exit() } finally { tools.echo({}) }",
    "try { exit() } catch {} tools.echo({});",
    "new Promise(() => exit()).finally(() => tools.echo({})); tools.echo({});",
    "const later = async () => { await null; await tools.echo({}) }; later(); exit();",
]


async def test_nothing_is_called_after_exit(stage: Stage, traced: Traced) -> None:
    for code in AFTER_EXIT:
        observation, _ = await stage.run(code)
        assert observation.status is Status.COMPLETED, code
    _, texts = await stage.run("text('the next cell runs')")  # whatever was on its way has come
    assert texts == ["the next cell runs"]
    assert traced.echoed == []


async def test_nothing_is_called_once_the_end_is_wished_for(make_stage: MakeStage) -> None:
    begun = 0
    stops: list[Callable[[], None]] = []

    async def step() -> None:
        """Wish for the end of the cell that calls, in its third call."""
        nonlocal begun
        begun += 1
        if begun == 3:
            stops[0]()

    made = await make_stage(tools=[step])
    made.toolbox.gate = Gate(parse_rules([{"decision": "allow"}]))
    cell = made.session.new_cell(
        "while (true) { try { await Promise.all([tools.step(), tools.step()]) } catch {} }"
    )
    stops.append(lambda: made.session.stop(cell))
    observation = await made.session.run(cell, Shown())
    assert observation.status is Status.TERMINATED
    await made.events.next(CellEnded, cell)
    await made.run("text('the next cell runs')")
    assert begun == 3


async def test_a_cell_that_has_ended_cannot_be_called_for(stage: Stage, traced: Traced) -> None:
    """The host is trusted with names, and even it cannot bring an ended cell back."""
    cell = stage.session.new_cell("await tools.echo({value: 1})")
    await stage.session.run(cell, Shown())
    assert traced.echoed == [1]
    assert cell.over
    (event,) = stage.events.of(CallEnded)
    with pytest.raises(Exception, match="code mode nested tool call cancelled"):
        await stage.session._tool_calls.run(cell, _same_again(event))
    assert traced.echoed == [1]


def _same_again(event: CallEnded) -> Invocation:
    return Invocation(
        cell_id=event.cell.host_id or "",
        runtime_tool_call_id="tool-2",
        tool_name=ToolName(event.call.tool, None),
        tool_kind="function",
        input=Raw(b"{}"),
    )
