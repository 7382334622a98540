"""Names, owners and the journey of a call."""

import asyncio
from typing import Any

import pytest
from toolbridge.errors import ResultRefusedError, SourceError, ToolUnavailableError

from tests.toolbridge.boxes import ALLOW_ALL, StubSource, call
from toolbridge import CallContext, Exposure, Kind, Tool, Toolbox, ToolCall, ToolError


def toolbox_of(**sources: list[Tool]) -> Toolbox:
    toolbox = Toolbox(ALLOW_ALL)
    for source_id, tools in sources.items():
        toolbox.add(StubSource(source_id, tools))
    return toolbox


def identifiers(toolbox: Toolbox, principal: str | None = None) -> list[str]:
    return [tool.identifier for tool in toolbox.catalog(principal).tools]


@pytest.mark.parametrize(
    "name, namespace, raw_name, identifier",
    [
        ("add", None, "add", "add"),
        ("i.v2", "mcp__git-hub", "mcp__git-hub__i.v2", "mcp__git_hub__i_v2"),
        ("x", "ends_", "ends_x", "ends_x"),
        ("_x", "space", "space_x", "space_x"),
        ("1st", None, "1st", "_st"),
    ],
)
def test_names(name: str, namespace: str | None, raw_name: str, identifier: str) -> None:
    tool = Tool(name, "s", namespace=namespace)
    assert tool.raw_name == raw_name
    assert tool.identifier == identifier


def test_the_catalog_is_in_byte_order_of_raw_names() -> None:
    names = ["zulu", "alpha", "Mike", "a-z", "a.a", "ab"]
    toolbox = toolbox_of(s=[Tool(name, "s") for name in names])
    assert identifiers(toolbox) == ["Mike", "a_z", "a_a", "ab", "alpha", "zulu"]


def test_names_that_fold_to_one_get_numbers_in_order_of_registration() -> None:
    toolbox = toolbox_of(one=[Tool("a.b", "one"), Tool("a_b_2", "one")], two=[Tool("a-b", "two")])
    catalog = toolbox.catalog()
    assert {tool.raw_name: tool.identifier for tool in catalog.tools} == {
        "a.b": "a_b",
        "a_b_2": "a_b_2",
        "a-b": "a_b_3",
    }
    (clash,) = catalog.clashes
    assert clash.message == "`a-b` of two is called `a_b_3`: `a.b` of one has `a_b`."
    renamed = catalog.called("a_b_3")
    assert renamed is not None
    assert "a_b_3(args: unknown)" in renamed.declared_description


def test_a_raw_name_has_one_owner() -> None:
    toolbox = toolbox_of(one=[Tool("save", "one")], two=[Tool("save", "two")])
    catalog = toolbox.catalog()
    assert [(tool.name, tool.source) for tool in catalog.tools] == [("save", "one")]
    assert [clash.message for clash in catalog.clashes] == [
        "`save` of two is left out: `save` of one has the name."
    ]


def test_a_group_is_offered_whole_or_not_at_all() -> None:
    pair = [Tool(name, "shell", group="sessions") for name in ("exec_command", "write_stdin")]
    toolbox = toolbox_of(other=[Tool("write_stdin", "other")], shell=[*pair, Tool("ps", "shell")])
    assert identifiers(toolbox) == ["ps", "write_stdin"]
    assert len(toolbox.catalog().clashes) == 2


@pytest.mark.parametrize("name", ["exec", "wait"])
def test_the_cell_tools_names_are_taken(name: str) -> None:
    toolbox = toolbox_of(s=[Tool(name, "s"), Tool(name, "s", namespace="n")])
    assert identifiers(toolbox) == [f"n__{name}"]
    assert "code mode itself" in toolbox.catalog().clashes[0].message


async def test_personal_tools_are_their_owners_alone() -> None:
    mine = Tool("vault", "s", owners=frozenset({"amy"}))
    toolbox = toolbox_of(s=[mine, Tool("read", "s")])
    assert identifiers(toolbox, "amy") == ["read", "vault"]
    assert identifiers(toolbox, "bob") == ["read"]
    assert identifiers(toolbox) == ["read"]
    with pytest.raises(ToolUnavailableError, match="tool `vault` is not available"):
        await toolbox.invoke(ToolCall(mine, {}), CallContext(principal="bob"))


async def test_a_script_cannot_call_what_only_a_model_may() -> None:
    direct = Tool("ask_user", "s", exposure=Exposure.MODEL_ONLY)
    toolbox = toolbox_of(s=[direct])
    assert toolbox.catalog().tools == ()
    assert toolbox.catalog().direct == (direct,)
    with pytest.raises(ToolUnavailableError):
        await toolbox.invoke(ToolCall(direct, {}, cell_id="1"), CallContext())
    assert await toolbox.invoke(ToolCall(direct, {}), CallContext()) == {}


async def test_a_catalog_stays_as_it_was_while_the_toolbox_changes() -> None:
    source = StubSource("s", [Tool("old", "s")])
    toolbox = Toolbox(ALLOW_ALL)
    toolbox.add(source)
    before = toolbox.catalog()
    assert toolbox.catalog() is before
    source.offered[:] = [Tool("new", "s")]
    source.changed()
    old = before.called("old")
    assert old is not None
    assert identifiers(toolbox) == ["new"]
    with pytest.raises(ToolUnavailableError, match="tool `old` is not available"):
        await toolbox.invoke(ToolCall(old, {}), CallContext())


async def test_sources_come_and_go() -> None:
    toolbox = toolbox_of(s=[Tool("a", "s")])
    with pytest.raises(SourceError, match="there is a source `s` already"):
        toolbox.add(StubSource("s", []))
    await toolbox.remove("s")
    assert identifiers(toolbox) == []
    with pytest.raises(SourceError, match="there is no source `s`"):
        await toolbox.remove("s")


@pytest.mark.parametrize("value", ["x", [], 1, 1.5, True, False])
async def test_a_function_takes_an_object(value: Any) -> None:
    toolbox = toolbox_of(s=[Tool("say", "s", namespace="mcp__demo")])
    with pytest.raises(ToolError) as refused:
        await call(toolbox, "mcp__demo__say", value)
    assert str(refused.value) == "tool `mcp__demosay` expects a JSON object for arguments"


async def test_no_input_is_an_empty_object() -> None:
    assert await call(toolbox_of(s=[Tool("say", "s")]), "say", None) == {}


@pytest.mark.parametrize("value", [None, {}, [], 1])
async def test_a_freeform_tool_takes_a_string(value: Any) -> None:
    toolbox = toolbox_of(s=[Tool("patch", "s", kind=Kind.FREEFORM)])
    with pytest.raises(ToolError) as refused:
        await call(toolbox, "patch", value)
    assert str(refused.value) == "tool `patch` expects a string input"
    assert await call(toolbox, "patch", "text\0é") == "text\0é"


class Misbehaving(StubSource):
    """Does `behaviour` when called."""

    def __init__(self, behaviour: Any) -> None:
        super().__init__("s", [Tool("go", "s")])
        self._behaviour = behaviour

    async def call(self, call: ToolCall, admitted: Any, context: CallContext) -> Any:
        return self._behaviour()


def misbehaving(behaviour: Any) -> Toolbox:
    toolbox = Toolbox(ALLOW_ALL)
    toolbox.add(Misbehaving(behaviour))
    return toolbox


async def test_a_result_that_json_cannot_hold_is_refused_with_its_place() -> None:
    with pytest.raises(ResultRefusedError) as refused:
        await call(misbehaving(lambda: {"rows": [1, float("inf")]}), "go")
    assert str(refused.value) == (
        "tool `go` gave a result that JSON cannot hold: rows[1]: inf is no JSON number"
    )


def raising(error: BaseException) -> Any:
    def fail() -> None:
        raise error

    return fail


@pytest.mark.parametrize(
    "error, text",
    [
        (ToolError("quota used up: 12 of 12"), "quota used up: 12 of 12"),
        (RuntimeError("no such row"), "no such row"),
        (KeyError("id"), "KeyError: 'id'"),
        (ValueError(), "ValueError"),
    ],
)
async def test_an_error_reaches_the_script_in_its_own_words(error: Exception, text: str) -> None:
    with pytest.raises(ToolError) as failed:
        await call(misbehaving(raising(error)), "go")
    assert str(failed.value) == text


async def test_a_tool_that_is_cancelled_from_within_fails() -> None:
    with pytest.raises(ToolError, match="the tool was cancelled from within"):
        await call(misbehaving(raising(asyncio.CancelledError())), "go")


async def test_closing_closes_every_source() -> None:
    closed: list[str] = []

    class Closing(StubSource):
        async def close(self) -> None:
            closed.append(self.id)

    toolbox = Toolbox()
    for source_id in ("a", "b"):
        toolbox.add(Closing(source_id, [Tool(source_id, source_id)]))
    await toolbox.close()
    assert closed == ["a", "b"]
    assert identifiers(toolbox) == []


async def test_functions_can_be_registered_after_their_source_was_removed() -> None:
    def late() -> None:
        """Come late."""

    toolbox = Toolbox(ALLOW_ALL)
    toolbox.register(late)
    await toolbox.remove("functions")
    toolbox.register(late)
    assert identifiers(toolbox) == ["late"]
