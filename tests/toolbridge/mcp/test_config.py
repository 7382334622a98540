"""Servers are read from the JSON that other clients use, and faults are told with their place."""

from typing import Any

import pytest
from toolbridge.errors import ServerConfigError
from toolbridge.mcp.config import read_servers
from toolbridge.mcp.settings import Http, ServerSettings, Stdio

ENVIRONMENT = {"KEY": "sesame", "HOME": "/home/me"}


def read(**servers: Any) -> tuple[ServerSettings, ...]:
    config = read_servers({"mcpServers": servers}, ENVIRONMENT)
    assert config.problems == ()
    return config.servers


def problem(**servers: Any) -> str:
    (told,) = read_servers({"mcpServers": servers}, ENVIRONMENT).problems
    return told


def test_a_command_and_a_url_are_the_two_transports() -> None:
    git, docs = read(
        git={"command": "mcp-server-git", "args": ["-r", "."], "env": {"A": "b"}, "cwd": "/repo"},
        docs={"type": "http", "url": "https://example.org/mcp", "headers": {"X-Key": "1"}},
    )
    assert git.transport == Stdio("mcp-server-git", ("-r", "."), {"A": "b"}, "/repo")
    assert docs.transport == Http("https://example.org/mcp", {"X-Key": "1"})
    assert (git.enabled, git.parallel) == (True, False)


def test_variables_stand_for_the_environment_and_may_have_a_default() -> None:
    git, docs = read(
        git={"command": "${HOME}/bin/git", "args": ["${NONE:-x}${KEY}"], "env": {"K": "a ${KEY}"}},
        docs={"url": "https://${HOST:-h}/mcp", "headers": {"Authorization": "Bearer ${KEY}"}},
    )
    assert git.transport == Stdio("/home/me/bin/git", ("xsesame",), {"K": "a sesame"})
    assert docs.transport == Http("https://h/mcp", {"Authorization": "Bearer sesame"})


def test_limits_and_lists_of_tools_are_each_servers_own() -> None:
    (git,) = read(
        git={
            "command": "g",
            "startup_timeout_sec": 2,
            "tool_timeout_sec": 0.5,
            "supports_parallel_tool_calls": True,
            "enabled_tools": ["git_*"],
            "disabled_tools": ["git_push"],
            "disabled": True,
        }
    )
    assert (git.start_timeout_s, git.call_timeout_s, git.parallel) == (2, 0.5, True)
    assert not git.enabled
    assert [git.offers(name) for name in ("git_log", "git_push", "ls")] == [True, False, False]


def test_what_other_clients_add_is_passed_over() -> None:
    assert len(read(git={"command": "g", "autoApprove": ["log"], "icon": {"a": 1}})) == 1


@pytest.mark.parametrize(
    "entry, told",
    [
        ("\ud800", "mcpServers.x: it holds half a surrogate pair"),
        (3, "mcpServers.x: Expected `object`, got `int`"),
        ({"command": 3}, "mcpServers.x.command: Expected `str | null`, got `int`"),
        ({"command": "g", "args": ["a", 1]}, "mcpServers.x.args[1]: Expected `str`, got `int`"),
        ({}, "mcpServers.x: it needs either a `command` or a `url`"),
        ({"command": "g", "url": "u"}, "mcpServers.x: it needs either a `command` or a `url`"),
        ({"url": "ftp://a"}, "mcpServers.x.url: it must begin with http:// or https://"),
        (
            {"url": "http://a", "type": "sse"},
            "mcpServers.x.type: `sse` is not supported, `http` is",
        ),
        (
            {"command": "g", "type": "http"},
            "mcpServers.x.type: a command speaks `stdio`, not `http`",
        ),
        (
            {"command": "g", "env": {"T": "${GONE}"}},
            "mcpServers.x.env.T: the environment has no variable `GONE`",
        ),
        (
            {"command": "g", "tool_timeout_sec": 0},
            "mcpServers.x.tool_timeout_sec: it must be more than 0",
        ),
    ],
)
def test_a_fault_is_told_with_its_path(entry: Any, told: str) -> None:
    assert problem(x=entry) == told


def test_a_name_has_to_make_a_name_of_a_tool() -> None:
    assert problem(**{"a b": {"command": "g"}}).startswith("mcpServers.a b: a name has 1 to 64")


def test_a_fault_of_one_server_does_not_cost_the_others() -> None:
    config = read_servers({"mcpServers": {"bad": 1, "good": {"command": "g"}}}, {})
    assert [server.name for server in config.servers] == ["good"]
    assert len(config.problems) == 1


@pytest.mark.parametrize("config", [[], {"mcpServers": []}])
def test_what_is_no_such_configuration_is_refused(config: Any) -> None:
    with pytest.raises(ServerConfigError):
        read_servers(config, {})
