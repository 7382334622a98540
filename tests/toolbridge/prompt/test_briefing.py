"""What one session's model is told, now and at its start, and the loaders that change it."""

from dataclasses import replace
from typing import Any

import pytest
from toolbridge.deferral.policy import CODEX, DeferralSettings, Mode
from toolbridge.prompt.briefing import Briefing
from toolbridge.prompt.composition import Loader, PromptSettings, Route
from toolbridge.search.activation import Activations
from toolbridge.sources.loaders import Loaders
from toolbridge.tools import Section

from tests.toolbridge.boxes import ALLOW_ALL, StubSource
from toolbridge import (
    CallContext,
    Exposure,
    Gate,
    Tool,
    Toolbox,
    ToolCall,
    ToolError,
    parse_rules,
)

DEFERRING = DeferralSettings(threshold=None, sources={"s": Mode.DEFERRED})
LOCAL = PromptSettings(route=Route.LOCAL, deferral=DEFERRING)
BY_NAME = PromptSettings(deferral=DEFERRING, loader=Loader.FIND_TOOLS)


class Session:
    """A toolbox with one source, a loader and a briefing."""

    def __init__(self, settings: PromptSettings, *tools: Tool, **options: Any) -> None:
        self.toolbox = Toolbox(ALLOW_ALL)
        self.source = StubSource("s", tools)
        self.toolbox.add(self.source)
        self.briefing = Briefing(self.toolbox, lambda: settings, **options)
        self.loads = 0
        self.loaders = Loaders(self.toolbox, self.briefing, on_load=self._note)
        self.toolbox.add(self.loaders)

    def _note(self) -> None:
        self.loads += 1

    def offer(self, *tools: Tool) -> None:
        self.source.offered = list(tools)
        self.source.changed()

    async def call(self, name: str, **arguments: Any) -> Any:
        catalog = self.toolbox.catalog(self.briefing.principal)
        (tool,) = (tool for tool in catalog.direct if tool.name == name)
        return await self.toolbox.invoke(ToolCall(tool, arguments), CallContext())

    @property
    def direct(self) -> list[str]:
        return [tool.name for tool in self.toolbox.catalog().direct]


def tool(name: str, **fields: Any) -> Tool:
    return Tool(name, source="s", description=f"Does {name}.", **fields)


def test_a_loader_is_there_while_something_is_deferred() -> None:
    session = Session(LOCAL, tool("a"))
    assert session.direct == ["ToolSearch"]
    session.offer()
    assert session.direct == []


def test_code_mode_has_no_tool_search_but_may_have_find_tools() -> None:
    assert Session(replace(LOCAL, route=Route.CODE_MODE), tool("a")).direct == []
    assert Session(BY_NAME, tool("a")).direct == ["find_tools"]


def test_no_script_can_call_a_loader() -> None:
    catalog = Session(LOCAL, tool("a")).toolbox.catalog()
    assert [(one.name, one.exposure) for one in catalog.direct] == [
        ("ToolSearch", Exposure.DIRECT_ONLY)
    ]
    assert [one.name for one in catalog.tools] == ["a"]


async def test_what_a_search_loads_is_declared_by_the_next_request() -> None:
    session = Session(LOCAL, tool("read_mail"), tool("send_mail"), tool("dig"))
    session.briefing.begin()
    before = session.briefing.now()
    result = await session.call("ToolSearch", query="send mail", limit=1)
    assert result["details"]["loaded"] == ["send_mail"]
    now = session.briefing.now()
    assert [one.name for one in now.declared] == ["send_mail"]
    assert now.cost.declared > before.cost.declared == 0
    assert "`send_mail` was loaded" in session.briefing.changes()
    assert session.briefing.activations.kept == ("send_mail",)
    assert session.loads == 1


async def test_a_search_that_makes_no_sense_is_the_tools_error() -> None:
    with pytest.raises(ToolError, match="query must not be empty"):
        await Session(LOCAL, tool("a")).call("ToolSearch", query=" ")


async def test_what_the_gate_denies_is_neither_named_nor_loaded() -> None:
    session = Session(LOCAL, tool("a"), tool("b"))
    session.toolbox.gate = Gate(
        parse_rules([{"decision": "deny", "tool": "a"}, {"decision": "allow"}])
    )
    result = await session.call("ToolSearch", query="does")
    assert result["details"]["loaded"] == ["b"]
    refused = await session.call("ToolSearch", query="select:a")
    assert refused["details"]["refused"] == ["a"]


async def test_a_loaded_tool_that_is_denied_later_is_not_active() -> None:
    session = Session(LOCAL, tool("a"))
    await session.call("ToolSearch", query="select:a")
    session.toolbox.gate = Gate(parse_rules([{"decision": "deny", "tool": "a"}]))
    assert session.briefing.now().loaded == frozenset()


async def test_find_tools_changes_the_description_and_keeps_nothing() -> None:
    session = Session(BY_NAME, tool("a"))
    session.briefing.begin()
    assert "### `a`" not in session.briefing.now().exec_description
    found = await session.call("find_tools", load=["a", "nothing"])
    assert found["loaded"] == ["a"]
    assert [one["name"] for one in found["rejected"]] == ["nothing"]
    assert "### `a`" in session.briefing.now().exec_description
    assert session.briefing.has_changed()
    assert session.briefing.activations.kept == ()
    assert (await session.call("find_tools", load=["a"]))["loaded"] == []


async def test_an_atomic_group_is_loaded_whole() -> None:
    session = Session(BY_NAME, tool("a", group="g"), tool("b", group="g"))
    session.loaders._atomic = {"g"}
    assert (await session.call("find_tools", load=["a"]))["loaded"] == ["a", "b"]


def test_names_of_an_earlier_life_count_while_they_are_deferred() -> None:
    kept = Activations(["a", "gone"])
    briefing = Session(LOCAL, tool("a"), activations=kept).briefing
    assert briefing.now().loaded == {"a"}
    assert briefing.changes() == ()


def test_the_description_is_compared_with_that_of_the_start() -> None:
    plain = replace(LOCAL, route=Route.CODE_MODE, deferral=CODEX)
    session = Session(plain, tool("a"))
    session.briefing.equip()
    session.offer(tool("a"), tool("b"))
    assert session.briefing.has_changed()
    assert session.briefing.changes()[0].startswith("`b` is new")
    session.briefing.forget()
    assert session.briefing.changes() == ()


def test_other_instructions_of_a_source_are_a_change_of_its_tools() -> None:
    def said(words: str) -> tuple[Tool, ...]:
        section = Section("mcp__x", words)
        return tuple(tool(name, namespace="mcp__x", section=section) for name in ("a", "b"))

    session = Session(replace(LOCAL, route=Route.CODE_MODE, deferral=CODEX), *said("one"))
    session.briefing.equip()
    session.offer(*said("two"))
    assert session.briefing.has_changed()
    assert session.briefing.changes() == (
        "`mcp__x__a` and `mcp__x__b` have other instructions above them",
    )


def test_a_loaded_tool_that_is_denied_is_told_as_loaded_no_more() -> None:
    session = Session(LOCAL, tool("a"), activations=Activations(["a"]))
    session.briefing.begin()
    session.toolbox.gate = Gate(parse_rules([{"decision": "deny", "tool": "a"}]))
    assert session.briefing.has_changed()
    assert session.briefing.changes() == ("`a` is loaded no more",)


def test_a_deferred_tool_that_comes_changes_no_description() -> None:
    session = Session(replace(LOCAL, route=Route.CODE_MODE), tool("a"))
    session.briefing.equip()
    session.offer(tool("a"), tool("b"))
    assert not session.briefing.has_changed()
    assert session.briefing.changes()[0].startswith("`b` is new")


def test_a_frozen_set_stays_as_the_first_cell_found_it() -> None:
    session = Session(LOCAL, tool("a"), is_frozen=True)
    assert [one.name for one in session.briefing.equip().tools] == ["a"]
    session.offer(tool("a"), tool("b"))
    assert [one.name for one in session.briefing.catalog().tools] == ["a"]
    assert session.briefing.changes() == ()
    session.briefing.forget()
    assert [one.name for one in session.briefing.equip().tools] == ["a", "b"]


def test_a_mere_look_at_the_tools_begins_nothing() -> None:
    session = Session(LOCAL, tool("a"), is_frozen=True)
    session.briefing.now()
    session.offer(tool("a"), tool("b"))
    assert [one.name for one in session.briefing.equip().tools] == ["a", "b"]


async def test_a_reset_forgets_what_was_loaded() -> None:
    session = Session(LOCAL, tool("a"))
    await session.call("ToolSearch", query="select:a")
    await session.toolbox.reset()
    assert session.briefing.now().loaded == frozenset()
    assert session.loads == 2


async def test_another_persons_tool_is_found_by_nobody_else() -> None:
    hers = tool("vault", owners=frozenset({"amy"}))
    session = Session(LOCAL, tool("a"), hers, principal="ben")
    result = await session.call("ToolSearch", query="select:vault")
    assert result["details"]["unknown"] == ["vault"]


async def test_no_rule_lets_a_call_through_to_another_persons_tool() -> None:
    hers = tool("vault", owners=frozenset({"amy"}))
    session = Session(LOCAL, hers)
    call = ToolCall(session.toolbox.catalog("amy").tools[0], {}, cell_id="1")
    for nested in (call, replace(call, cell_id=None)):
        with pytest.raises(ToolError, match="tool `vault` is not available"):
            await session.toolbox.invoke(nested, CallContext(principal="ben"))
        assert await session.toolbox.invoke(nested, CallContext(principal="amy")) == {}
    assert session.source.calls == [{}, {}]
