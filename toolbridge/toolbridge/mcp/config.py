"""Reads servers from the `mcpServers` JSON that other clients use, too.

    {"mcpServers": {"git": {"command": "mcp-server-git", "args": ["-r", "."]},
                    "docs": {"url": "https://example.org/mcp", "headers": {"X-Key": "${DOCS_KEY}"}}}}

`${NAME}` and `${NAME:-default}` in a string stand for a variable of the environment. A server with
a fault is left out and told of; the others are used. Sans-I/O.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import msgspec

from toolbridge.errors import ServerConfigError
from toolbridge.mcp.settings import (
    CALL_TIMEOUT_S,
    START_TIMEOUT_S,
    Http,
    ServerSettings,
    Stdio,
    Transport,
)

SECTION = "mcpServers"

HTTP_TYPES = ("http", "streamable-http", "streamableHttp", "streamable_http")
"""What clients call the transport with a URL."""

VARIABLE = re.compile(r"\$\{([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]*))?\}")

NAME = re.compile(r"[A-Za-z0-9_.\-]{1,64}")
"""Names of servers: they become part of the names of tools."""


class _Entry(msgspec.Struct, frozen=True):
    """One server as it is written; what other clients add is passed over."""

    command: str | None = None
    args: list[str] = []
    env: dict[str, str] = {}
    cwd: str | None = None
    url: str | None = None
    headers: dict[str, str] = {}
    type: str | None = None
    enabled: bool = True
    disabled: bool = False
    startup_timeout_sec: float = START_TIMEOUT_S
    tool_timeout_sec: float = CALL_TIMEOUT_S
    supports_parallel_tool_calls: bool = False
    enabled_tools: list[str] | None = None
    disabled_tools: list[str] = []


@dataclass(frozen=True)
class ServerConfig:
    """What one configuration gives."""

    servers: tuple[ServerSettings, ...] = ()
    problems: tuple[str, ...] = field(default=())
    """One sentence for each server that cannot be used, with the path of the fault."""


def read_servers(config: Any, environment: Mapping[str, str]) -> ServerConfig:
    """The servers of a decoded `{"mcpServers": {...}}`.

    Raises `ServerConfigError` when it is none.
    """
    if not isinstance(config, dict):
        raise ServerConfigError("it must hold a JSON object")
    section = config.get(SECTION, {})
    if not isinstance(section, dict):
        raise ServerConfigError(f"{SECTION} must be an object of servers by name")
    servers, problems = [], []
    for name, entry in section.items():
        try:
            servers.append(read_server(name, entry, environment))
        except ServerConfigError as error:
            problems.append(str(error))
    return ServerConfig(tuple(servers), tuple(problems))


def read_server(name: str, entry: Any, environment: Mapping[str, str]) -> ServerSettings:
    """One server; raises `ServerConfigError` with the path of the fault."""
    place = f"{SECTION}.{name}"
    if not NAME.fullmatch(name):
        raise ServerConfigError(
            f"{place}: a name has 1 to 64 letters, digits, underscores, dots and hyphens"
        )
    try:
        fields = msgspec.convert(entry, _Entry)
    except msgspec.ValidationError as error:
        what, _, where = str(error).partition(" - at `$")
        raise ServerConfigError(f"{place}{where.rstrip('`')}: {what}") from None
    except UnicodeEncodeError:
        raise ServerConfigError(f"{place}: it holds half a surrogate pair") from None
    for field_name in ("startup_timeout_sec", "tool_timeout_sec"):
        if not getattr(fields, field_name) > 0:
            raise ServerConfigError(f"{place}.{field_name}: it must be more than 0")
    return ServerSettings(
        name=name,
        transport=_transport(fields, place, environment),
        enabled=fields.enabled and not fields.disabled,
        start_timeout_s=fields.startup_timeout_sec,
        call_timeout_s=fields.tool_timeout_sec,
        parallel=fields.supports_parallel_tool_calls,
        enabled_tools=None if fields.enabled_tools is None else tuple(fields.enabled_tools),
        disabled_tools=tuple(fields.disabled_tools),
    )


def _transport(fields: _Entry, place: str, environment: Mapping[str, str]) -> Transport:
    def filled(text: str, where: str) -> str:
        return VARIABLE.sub(_look_up(environment, f"{place}.{where}"), text)

    def all_filled(texts: Mapping[str, str], where: str) -> dict[str, str]:
        return {key: filled(text, f"{where}.{key}") for key, text in texts.items()}

    if (fields.command is None) is (fields.url is None):
        raise ServerConfigError(f"{place}: it needs either a `command` or a `url`")
    if fields.command is not None:
        if fields.type not in (None, "stdio"):
            raise ServerConfigError(f"{place}.type: a command speaks `stdio`, not `{fields.type}`")
        args = (filled(text, f"args[{number}]") for number, text in enumerate(fields.args))
        return Stdio(
            filled(fields.command, "command"),
            tuple(args),
            all_filled(fields.env, "env"),
            None if fields.cwd is None else filled(fields.cwd, "cwd"),
        )
    if fields.type not in (None, *HTTP_TYPES):
        raise ServerConfigError(f"{place}.type: `{fields.type}` is not supported, `http` is")
    assert fields.url is not None, "there is one of the two"
    url = filled(fields.url, "url")
    if not url.startswith(("http://", "https://")):
        raise ServerConfigError(f"{place}.url: it must begin with http:// or https://")
    return Http(url, all_filled(fields.headers, "headers"))


def _look_up(environment: Mapping[str, str], place: str) -> Callable[[re.Match[str]], str]:
    def value(found: re.Match[str]) -> str:
        name, default = found.groups()
        text = environment.get(name, default)
        if text is None:
            raise ServerConfigError(f"{place}: the environment has no variable `{name}`")
        return text

    return value
