"""Calls of MCP tools through the gate, on servers that behave and on servers that do not."""

import asyncio
from functools import partial, reduce
from pathlib import Path
from typing import Any

import psutil
import pytest
from toolbridge.errors import OutcomeUnknownError, PolicyRefusedError, ToolUnavailableError
from toolbridge.mcp.connection import Condition
from toolbridge.mcp.settings import ServerSettings, Stdio
from toolbridge.sources.mcp_resources import McpResources

from tests.patience import PATIENCE_S, SLOWDOWN
from tests.toolbridge.boxes import call
from tests.toolbridge.mcp.servers import ANYTHING, Servers, Spec, behaves, text_of, until
from toolbridge import (
    CallContext,
    Gate,
    ToolCall,
    ToolError,
    parse_rules,
)

# What is offered


async def test_tools_carry_the_servers_words_schemas_and_effects(servers: Servers) -> None:
    source = servers.add(
        {
            "instructions": "Be gentle.",
            "tools": [
                behaves(
                    "read-it",
                    description="Reads.",
                    inputSchema={"type": "object"},
                    outputSchema={"type": "object", "properties": {"n": {"type": "integer"}}},
                    annotations={"readOnlyHint": True, "destructiveHint": False},
                ),
                behaves("write"),
            ],
        },
        "my-server",
    )
    await servers.toolbox.prepare("mcp__my_server")
    read, write = servers.toolbox.catalog().tools
    assert (read.raw_name, read.identifier) == (
        "mcp__my-server__read-it",
        "mcp__my_server__read_it",
    )
    assert (read.annotations.read_only, read.annotations.destructive) == (True, False)
    assert (write.annotations.read_only, write.source) == (None, "mcp:my-server")
    assert read.input_schema == {"type": "object", "properties": {}}
    assert read.prompt_section is not None
    assert (read.prompt_section.name, read.prompt_section.description) == (
        "mcp__my-server",
        "Be gentle.",
    )
    assert read.listed_description.startswith("Reads.\n\nBe gentle.\n\nexec tool declaration:")
    assert "Promise<CallToolResult<{ n?: number; }>>" in read.listed_description
    assert source.connection.condition is Condition.READY


async def test_only_wanted_tools_are_offered(servers: Servers) -> None:
    tools = [behaves("get_a"), behaves("get_b"), behaves("put")]
    servers.add({"tools": tools}, enabled_tools=("get_*",), disabled_tools=("*_b",))
    await servers.call("s__get_a")
    assert [tool.name for tool in servers.toolbox.catalog().tools] == ["get_a"]


async def test_a_list_that_changes_is_seen_by_the_next_look(servers: Servers) -> None:
    later = [behaves("new"), behaves("newer")]
    servers.add({"tools": [behaves("old", {"then_list": later})]})
    before = servers.toolbox.catalog()
    await servers.call("s__old")
    await until(lambda: len(servers.toolbox.catalog().tools) == 2)
    assert text_of(await servers.call("s__newer")) == "ok"
    assert before.tools == ()


async def test_a_call_of_a_tool_that_is_gone_is_refused(servers: Servers) -> None:
    servers.add({"tools": [behaves("old", {"then_list": [behaves("new")]})]})
    await servers.toolbox.prepare("mcp__s__old")
    old = servers.toolbox.catalog().called("mcp__s__old")
    await servers.call("s__old")
    await until(lambda: servers.toolbox.catalog().called("mcp__s__new") is not None)
    assert old is not None
    with pytest.raises(ToolUnavailableError):
        await servers.toolbox.invoke(ToolCall(old), ANYTHING)


# Servers that do not start


async def test_code_that_needs_no_tools_waits_for_no_server(servers: Servers) -> None:
    source = servers.add({"initialize": "hang"})
    await servers.toolbox.prepare("text(1)")
    assert source.connection.condition is Condition.STARTING


async def test_code_that_looks_through_the_tools_waits_a_moment_once(
    servers: Servers, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("toolbridge.sources.mcp.GLANCE_S", 0.05)
    source = servers.add({"initialize": "hang"})
    assert source.prepare("await tools.exec_command({})") is None
    for code in ("ALL_TOOLS.length", "const {a} = tools", "tools['a']", "tools [a]"):
        source._was_looked_for = False
        waiting = source.prepare(code)
        assert waiting is not None, code
        await waiting
    assert source.connection.condition is Condition.STARTING
    assert source.prepare("ALL_TOOLS.length") is None


async def test_a_server_that_hangs_in_initialize_is_given_up(servers: Servers) -> None:
    hanging = servers.add({"initialize": "hang"}, "hanging", start_timeout_s=0.5)
    servers.add({"tools": [behaves("ping")]}, "sturdy")
    assert text_of(await servers.call("sturdy__ping")) == "ok"
    await servers.toolbox.prepare("mcp__hanging")
    assert hanging.connection.condition is Condition.FAILED
    assert hanging.connection.last_error == "it did not start within 0.5 s"
    assert hanging.tools() == ()


async def test_a_dead_server_costs_the_next_cell_nothing(servers: Servers) -> None:
    source = servers.add({"initialize": "die"})
    await servers.toolbox.prepare("mcp__s")
    assert source.connection.last_error == "it ended before it answered"
    assert source.connection.stderr.last_line == "the config is missing"
    assert source.prepare("ALL_TOOLS; mcp__s") is None
    assert len(servers.heard("initialize")) == 1


async def test_a_program_that_is_not_there_is_told(servers: Servers) -> None:
    source = servers.add_settings(ServerSettings("s", Stdio("/no/such/program")))
    await servers.toolbox.prepare("mcp__s")
    assert "/no/such/program" in source.connection.last_error


# Servers that misbehave


async def test_a_server_that_dies_in_a_call_leaves_the_outcome_unknown(servers: Servers) -> None:
    source = servers.add({"tools": [behaves("boom", {"crash": True}), behaves("ping")]})
    with pytest.raises(OutcomeUnknownError) as error:
        await servers.call("s__boom")
    assert str(error.value) == (
        "MCP server `s` was lost while tool `boom` ran: the connection ended. "
        "Whether the call had its effect is not known; it is not sent again"
    )
    assert text_of(await servers.call("s__ping")) == "ok"
    assert source.connection.condition is Condition.READY
    calls = [params["name"] for params in servers.heard("tools/call")]
    assert calls == ["boom", "ping"]
    assert len(servers.heard("initialize")) == 2


async def test_an_error_of_the_servers_own_is_no_loss_even_with_the_code_of_one(
    servers: Servers,
) -> None:
    source = servers.add({"tools": [behaves("busy", {"error": [-32000, "come back later"]})]})
    answer = await servers.call("s__busy")
    assert answer["isError"] is True
    assert "come back later" in text_of(answer)
    assert source.connection.condition is Condition.READY


async def test_a_server_that_keeps_dying_is_given_up(
    servers: Servers, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("toolbridge.mcp.connection.PAUSES_S", (0.0, 0.0))
    source = servers.add({"tools": [behaves("boom", {"crash": True})]})
    for _ in range(3):
        with pytest.raises(OutcomeUnknownError):
            await servers.call("s__boom")
    await until(lambda: source.connection.condition is Condition.FAILED)
    assert len(servers.heard("initialize")) == 3


async def test_a_call_without_an_answer_in_time_is_unknown_and_cancelled(servers: Servers) -> None:
    servers.add({"tools": [behaves("hang", {"hang": True})]}, call_timeout_s=0.5)
    with pytest.raises(OutcomeUnknownError) as error:
        await servers.call("s__hang")
    assert "no answer came within 0.5 s" in str(error.value)
    await until(lambda: len(servers.heard("notifications/cancelled")) == 1)
    assert len(servers.heard("tools/call")) == 1


async def test_a_cancelled_call_is_cancelled_at_the_server(servers: Servers) -> None:
    servers.add({"tools": [behaves("hang", {"hang": True}), behaves("ping")]})
    calling = asyncio.create_task(servers.call("s__hang"))
    await until(lambda: len(servers.heard("tools/call")) == 1)
    calling.cancel()
    with pytest.raises(asyncio.CancelledError):
        await calling
    await until(lambda: len(servers.heard("notifications/cancelled")) == 1)
    assert text_of(await servers.call("s__ping")) == "ok"


async def test_a_flood_on_stderr_holds_nothing_up_and_its_end_is_kept(servers: Servers) -> None:
    source = servers.add({"flood": 5_000_000, "tools": [behaves("ping", {"flood": 5_000_000})]})
    assert text_of(await servers.call("s__ping")) == "ok"
    await until(lambda: source.connection.stderr.last_line == "the end of the flood")
    assert len(source.connection.stderr.text) <= 64 * 1024


async def test_a_banner_on_stdout_is_no_message_and_is_kept(servers: Servers) -> None:
    source = servers.add({"banner": "Welcome to S 1.0", "tools": [behaves("ping")]})
    assert text_of(await servers.call("s__ping")) == "ok"
    assert "[stdout] Welcome to S 1.0" in source.connection.stderr.text


@pytest.mark.parametrize(
    "garbled",
    [
        '{"jsonrpc": "2.0", "id": ID, "result": [1]}',
        '{"jsonrpc": "2.0", "id": ID, "result": {"text": "\\ud800"}}',
        '{"id": ID, "result": {}}',
        '{"jsonrpc": "2.0", "id": ID, "error": "no"}',
    ],
)
async def test_an_answer_that_cannot_be_read_ends_its_call_at_once_as_unknown(
    servers: Servers, garbled: str
) -> None:
    spec = {"tools": [behaves("odd", {"garbled": garbled}), behaves("ping")]}
    source = servers.add(spec, call_timeout_s=100 * PATIENCE_S)
    with pytest.raises(OutcomeUnknownError, match="an answer that is no message of the protocol"):
        await servers.call("s__odd")
    assert text_of(await servers.call("s__ping")) == "ok"
    assert "[stdout] " in source.connection.stderr.text


def nested(levels: int) -> Spec:
    """A schema of so many objects in each other."""
    return reduce(lambda inner, _: {"properties": {"a": inner}}, range(levels), {})


@pytest.mark.parametrize(
    "bad",
    [{"description": "\ud800"}, {"inputSchema": {"title": "\ud800"}}, {"inputSchema": nested(150)}],
)
async def test_a_tool_that_cannot_be_read_costs_the_others_nothing(
    servers: Servers, bad: Spec
) -> None:
    source = servers.add({"tools": [behaves("ping"), behaves("bad", **bad), behaves("last")]})
    assert text_of(await servers.call("s__ping")) == "ok"
    assert [tool.name for tool in source.tools()] == ["ping", "last"]
    assert "[stdout] " in source.connection.stderr.text


async def test_a_list_that_is_wrong_in_another_way_is_no_list(servers: Servers) -> None:
    source = servers.add({"tools": [behaves("ping")], "beside_tools": {"x": "\ud800"}})
    await servers.toolbox.prepare("mcp__s")
    assert source.connection.condition is Condition.FAILED


async def test_a_line_that_answers_no_call_ends_none(servers: Servers) -> None:
    garbled = (
        '{"jsonrpc": "2.0", "id": ID, "method": 5, "result": 5}\n[ID]\n{"id": ID}\n'
        '{"jsonrpc": "2.0", "id": 999, "result": 5}\n{"jsonrpc": "2.0", "id": true, "result": 5}\n'
        '{"jsonrpc": "2.0", "id": ID, "result": {"content": [{"type": "text", "text": "ok"}]}}'
    )
    servers.add({"tools": [behaves("odd", {"garbled": garbled})]})
    assert text_of(await servers.call("s__odd")) == "ok"


async def test_answers_out_of_order_find_their_calls(servers: Servers) -> None:
    first = behaves("first", {"after": "second", "mcp_result": {"content": ["1"]}})
    second = behaves("second", {"mcp_result": {"content": ["2"]}})
    servers.add({"tools": [first, second]}, parallel=True)
    one = asyncio.create_task(servers.call("s__first"))
    await until(lambda: len(servers.heard("tools/call")) == 1)
    assert await servers.call("s__second") == {"content": ["2"]}
    assert await one == {"content": ["1"]}


async def test_calls_to_one_server_wait_for_each_other(servers: Servers) -> None:
    servers.add({"tools": [behaves("hang", {"hang": True}), behaves("ping")]}, call_timeout_s=0.5)
    hanging = asyncio.create_task(servers.call("s__hang"))
    await until(lambda: len(servers.heard("tools/call")) == 1)
    assert text_of(await servers.call("s__ping")) == "ok"
    assert hanging.done()
    assert isinstance(hanging.exception(), OutcomeUnknownError)


async def test_a_call_whose_cell_ended_in_the_queue_is_not_sent(servers: Servers) -> None:
    servers.add({"tools": [behaves("hang", {"hang": True}), behaves("ping")]}, call_timeout_s=0.5)
    hanging = asyncio.create_task(servers.call("s__hang"))
    await until(lambda: len(servers.heard("tools/call")) == 1)
    looks: list[bool] = []

    def is_open_at_the_gate_only() -> bool:
        looks.append(not looks)
        return looks[-1]

    context = CallContext(cell_is_open=is_open_at_the_gate_only)
    queued = asyncio.create_task(servers.call("s__ping", context=context))
    with pytest.raises(ToolUnavailableError):
        await queued
    with pytest.raises(OutcomeUnknownError):
        await hanging
    assert [params["name"] for params in servers.heard("tools/call")] == ["hang"]


@pytest.mark.parametrize(
    "rules, why",
    [
        ([{"decision": "deny", "reason": "not now"}], "not now"),
        ([], "what allowed it does not hold any more"),
    ],
)
async def test_a_rule_that_is_tightened_holds_for_calls_in_the_queue(
    servers: Servers, rules: list[Spec], why: str
) -> None:
    servers.add({"tools": [behaves("hang", {"hang": True}), behaves("ping")]}, call_timeout_s=0.5)
    hanging = asyncio.create_task(servers.call("s__hang"))
    await until(lambda: len(servers.heard("tools/call")) == 1)
    running = asyncio.Event()
    context = CallContext(on_event=lambda event: running.set())
    queued = asyncio.create_task(servers.call("s__ping", context=context))
    await running.wait()  # it has passed the gate
    servers.toolbox.gate = Gate(parse_rules(rules))
    with pytest.raises(PolicyRefusedError, match=f"policy refused `mcp__s__ping`: {why}"):
        await queued
    with pytest.raises(OutcomeUnknownError):
        await hanging
    assert [params["name"] for params in servers.heard("tools/call")] == ["hang"]


async def test_a_result_of_five_megabytes_is_whole(servers: Servers) -> None:
    servers.add({"tools": [behaves("large", {"large": 5_000_000})]})
    assert len(text_of(await servers.call("s__large"))) == 5_000_000


async def test_nothing_is_left_of_servers_that_were_closed(tmp_path: Path) -> None:
    me = psutil.Process()

    async def use(count: int) -> None:
        for number in range(count):
            servers = Servers(tmp_path)
            servers.add({"tools": [behaves("ping")]}, f"s{number}")
            await servers.call(f"s{number}__ping")
            await servers.toolbox.close()

    await use(1)  # what is imported and opened once stays
    before = me.num_fds(), len(me.children()), len(asyncio.all_tasks())
    await use(5)
    assert (me.num_fds(), len(me.children()), len(asyncio.all_tasks())) == before


@pytest.mark.slow
async def test_a_server_that_will_not_end_is_killed(servers: Servers) -> None:
    servers.add({"stubborn": True, "tools": [behaves("ping")]})
    await servers.call("s__ping")
    (process,) = psutil.Process().children()
    await servers.toolbox.remove("mcp:s")
    assert not process.is_running()


async def test_a_list_that_is_announced_and_never_comes_does_not_hold_a_server_up(
    servers: Servers,
) -> None:
    later: Any = [behaves("new")]
    tool = behaves("old", {"then_list": later, "then_hang": True})
    source = servers.add({"tools": [tool]}, start_timeout_s=SLOWDOWN)
    await servers.call("s__old")
    await until(lambda: "list its tools anew" in source.connection.last_error)
    await until(lambda: source.connection.condition is Condition.READY)


# Structured content


@pytest.mark.parametrize(
    "result, told",
    [
        (
            {"content": [], "structuredContent": {"n": "many"}},
            "does not fit its output schema: n: ",
        ),
        ({"content": []}, "its result has no structured content"),
        ({"content": [], "structuredContent": [1]}, "does not fit its output schema"),
    ],
)
async def test_wrong_structured_content_is_told_beside_the_result(
    servers: Servers, result: Spec, told: str
) -> None:
    schema = {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}
    servers.add({"tools": [behaves("count", {"mcp_result": result}, outputSchema=schema)]})
    warnings: list[str] = []
    got = await servers.call("s__count", context=CallContext(warn=warnings.append))
    assert got == result
    (warning,) = warnings
    assert told in warning


async def test_what_is_told_of_structured_content_quotes_no_secret(servers: Servers) -> None:
    pin = {"type": "object", "properties": {"pin": {"type": "integer", "writeOnly": True}}}
    result = {"content": [], "structuredContent": {"pin": "hunter-22"}}
    servers.add({"tools": [behaves("count", {"mcp_result": result}, outputSchema=pin)]})
    warnings: list[str] = []
    await servers.call("s__count", context=CallContext(warn=warnings.append))
    (warning,) = warnings
    assert "pin: '(secret left out)' is not of type 'integer'" in warning


async def test_an_error_owes_no_structured_content(servers: Servers) -> None:
    result = {"content": [{"type": "text", "text": "locked"}], "isError": True}
    tool = behaves("count", {"mcp_result": result}, outputSchema={"type": "object"})
    servers.add({"tools": [tool]})
    warnings: list[str] = []
    assert await servers.call("s__count", context=CallContext(warn=warnings.append)) == result
    assert warnings == []


async def test_the_meta_of_a_result_is_left_out_and_that_of_a_block_stays(servers: Servers) -> None:
    block = {"type": "text", "text": "a", "_meta": {"x": 1}}
    result = {"_meta": {"y": 1}, "content": [block], "isError": False}
    servers.add({"tools": [behaves("t", {"mcp_result": result})]})
    assert await servers.call("s__t") == {"content": [block], "isError": False}


async def test_a_schema_that_nothing_can_be_compared_with_costs_no_result(servers: Servers) -> None:
    answer = {"content": [], "structuredContent": {"n": 1}}
    endless = behaves("count", {"mcp_result": answer}, outputSchema={"$ref": "#"})
    servers.add({"tools": [endless]})
    warned: list[str] = []
    assert await servers.call("s__count", context=CallContext(warn=warned.append)) == answer
    assert "cannot be compared with the value" in warned[0]


# Resources


async def test_resources_are_listed_and_read(servers: Servers) -> None:
    notes = servers.add({"resources": [{"uri": "note://a", "text": "A"}]}, "notes")
    plain = servers.add({}, "plain")
    servers.toolbox.add(McpResources(lambda: (notes, plain)))
    assert servers.toolbox.catalog().called("list_mcp_resources") is None
    await servers.toolbox.prepare("mcp__notes mcp__plain")
    ask = partial(call, servers.toolbox)
    assert await ask("list_mcp_resources") == {
        "resources": [{"server": "notes", "uri": "note://a", "name": "note://a"}]
    }
    assert await ask("list_mcp_resource_templates", {"server": "notes"}) == {
        "server": "notes",
        "resourceTemplates": [{"uriTemplate": "note://{name}", "name": "note"}],
    }
    assert await ask("read_mcp_resource", {"server": "notes", "uri": "note://a"}) == {
        "server": "notes",
        "uri": "note://a",
        "contents": [{"uri": "note://a", "text": "A"}],
    }


async def test_a_resource_that_is_not_there_is_told_in_words(servers: Servers) -> None:
    notes = servers.add({"resources": []}, "notes")
    servers.toolbox.add(McpResources(lambda: (notes,)))
    await servers.toolbox.prepare("mcp__notes")
    with pytest.raises(ToolError, match="MCP server `notes` answered: -32601: Method not found"):
        await call(servers.toolbox, "read_mcp_resource", {"server": "notes", "uri": "note://b"})
    with pytest.raises(ToolError, match="no MCP server `other` with resources; there are: notes"):
        await call(servers.toolbox, "list_mcp_resources", {"server": "other"})
