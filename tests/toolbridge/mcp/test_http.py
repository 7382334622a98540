"""MCP servers over streamable HTTP, and what comes in the place of an answer there."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any

import pytest
from toolbridge.errors import OutcomeUnknownError, ToolUnavailableError
from toolbridge.mcp.connection import Condition
from toolbridge.mcp.settings import Http, ServerSettings
from toolbridge.sources.mcp import McpSource

from tests.patience import PATIENCE_S
from tests.servers.http_server import http_server
from tests.toolbridge.mcp.servers import Servers, Spec, behaves, text_of, until


@asynccontextmanager
async def over_http(servers: Servers, spec: Spec, **options: Any) -> AsyncIterator[McpSource]:
    async with AsyncExitStack() as stack:
        url = stack.enter_context(http_server(spec, servers.folder / "s.log"))
        headers = {"X-Key": "sesame"}
        source = servers.add_settings(ServerSettings("s", Http(url, headers), **options))
        stack.push_async_callback(servers.toolbox.remove, source.id)
        yield source


async def test_a_server_over_http_gets_the_headers(servers: Servers) -> None:
    async with over_http(servers, {"tools": [behaves("ping")]}):
        assert text_of(await servers.call("s__ping")) == "ok"
    lines = [json.loads(line) for line in (servers.folder / "s.log").read_text().splitlines()]
    sent = [line["headers"] for line in lines if "headers" in line]
    assert all(headers.get("X-Key", headers.get("x-key")) == "sesame" for headers in sent)


async def test_a_slow_answer_over_http_holds_up_no_other_server(servers: Servers) -> None:
    servers.add({"tools": [behaves("ping")]}, "quick")
    async with over_http(servers, {"tools": [behaves("slow", {"delay_ms": 700})]}):
        await servers.toolbox.prepare("mcp__s")
        slow = asyncio.create_task(servers.call("s__slow"))
        await until(lambda: len(servers.heard("tools/call")) == 1)
        assert text_of(await servers.call("quick__ping")) == "ok"
        assert text_of(await slow) == "ok"


async def test_a_dropped_http_connection_leaves_the_outcome_unknown(servers: Servers) -> None:
    spec = {"tools": [behaves("lost", {"drop": True}), behaves("ping")]}
    async with over_http(servers, spec) as source:
        with pytest.raises(OutcomeUnknownError):
            await servers.call("s__lost")
        assert text_of(await servers.call("s__ping")) == "ok"
        assert source.connection.condition is Condition.READY
    assert [params["name"] for params in servers.heard("tools/call")] == ["lost", "ping"]


@pytest.mark.parametrize(
    "raw, what",
    [
        ([200, "text/html", "<html>Sign in</html>"], "HTTP 200 with text/html"),
        ([502, "text/html; charset=utf-8", "<html>"], "HTTP 502 with text/html"),
        ([200, "text/html", "<html>…"], "HTTP 200 with text/html"),
        ([500, "text/event-stream", "…"], "HTTP 500 with text/event-stream"),
        ([202, "application/json", ""], "HTTP 202 with an empty body"),
        *[
            ([200, "application/json", body], "HTTP 200 with application/json that does not answer")
            for body in (
                "nope",
                "[]",
                '{"a": 1}',
                '{"jsonrpc": "2.0", "method": "notifications/message", "params": {}}',
                '{"jsonrpc": "2.0", "id": 9999, "result": {}}',
                '{"jsonrpc": "2.0", "id": null, "result": {}}',
            )
        ],
        ([200, "text/event-stream", "data: <html>\n\n"], "an event that is no message"),
    ],
)
async def test_what_comes_over_http_and_is_no_answer_ends_the_call_at_once_as_unknown(
    servers: Servers, raw: list[Any], what: str
) -> None:
    spec = {"tools": [behaves("odd", {"raw": raw}), behaves("ping")]}
    async with over_http(servers, spec, call_timeout_s=100 * PATIENCE_S) as source:
        with pytest.raises(OutcomeUnknownError) as unknown:
            await servers.call("s__odd")
        assert str(unknown.value).startswith(
            f"MCP server `s` gave no answer for tool `odd`: what came is {what}"
        )
        link = await source.connection.link()
        assert text_of(await servers.call("s__ping")) == "ok"
        assert await source.connection.link() is link
    assert [params["name"] for params in servers.heard("tools/call")] == ["odd", "ping"]


@pytest.mark.parametrize("status", [200, 400])
async def test_an_error_over_http_that_names_no_request_is_that_of_the_call(
    servers: Servers, status: int
) -> None:
    error = '{"jsonrpc": "2.0", "id": null, "error": {"code": -32600, "message": "too odd"}}'
    spec = {"tools": [behaves("odd", {"raw": [status, "application/json", error]})]}
    async with over_http(servers, spec, call_timeout_s=100 * PATIENCE_S):
        result = await servers.call("s__odd")
    assert result["isError"]
    assert text_of(result).endswith("Mcp error: -32600: too odd")


async def test_a_server_that_forgot_the_session_is_greeted_again(servers: Servers) -> None:
    spec: Spec = {"tools": [behaves("ping")]}
    async with over_http(servers, spec):
        assert text_of(await servers.call("s__ping")) == "ok"
        spec["forgets"] = True
        with pytest.raises(ToolUnavailableError) as error:
            await servers.call("s__ping")
        assert str(error.value) == (
            "MCP server `s` has forgotten this session, and the call did not run; "
            "the next one is made in a new session"
        )
        assert text_of(await servers.call("s__ping")) == "ok"


async def test_a_server_that_cannot_be_reached_is_told(servers: Servers) -> None:
    source = servers.add_settings(ServerSettings("s", Http("http://127.0.0.1:9/mcp")))
    await servers.toolbox.prepare("mcp__s")
    assert source.connection.condition is Condition.FAILED
    assert "connect" in source.connection.last_error.lower()
