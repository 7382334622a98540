"""What `%mcp` does."""

from __future__ import annotations

import os
import re
import shlex

from toolbridge.errors import ServerConfigError
from toolbridge.mcp.config import read_server
from toolbridge.mcp.connection import Condition
from toolbridge.sources.mcp import McpSource

from codemode_kernel.errors import MagicError
from codemode_kernel.magics.magic import MagicCall
from codemode_kernel.mcp.table import HEADINGS, rows
from codemode_kernel.outputs.tables import table

NONE = (
    "No MCP server is named. `%mcp add NAME -- COMMAND...` adds one, and so do .mcp.json beside "
    "the notebook and codemode_mcp.json in Jupyter's configuration folder.\n"
)

GOES_ON = "The server goes on starting; %mcp shows how far it is."
NOTHING_AGREED = "Nothing was agreed to, and nothing is started."

ADD = re.compile(r"add\s+(\S+)\s+(?:--\s+(?P<command>.+)|(?P<url>https?://\S+))")


async def perform(call: MagicCall, usage: str) -> None:
    """Do what the line says; raises `KernelError` for the person, `usage` where it says nothing."""
    action, _, rest = call.arguments.partition(" ")
    servers = call.rooms.mcp.servers
    new_problems = servers.refresh()
    for problem in new_problems if action else servers.problems():
        call.run.outputs.warn(problem)
    if not action:
        _show(call)
    elif action == "add":
        await _add(call, usage)
    elif action in _ACTIONS and rest.strip() and len(rest.split()) == 1:
        await _ACTIONS[action](call, rest.strip())
    else:
        raise MagicError(f"Usage: {usage}")


def _show(call: MagicCall) -> None:
    found = list(rows(call.rooms.mcp.servers))
    if found:
        call.run.outputs.display(table(HEADINGS, found))
    else:
        call.run.outputs.write(NONE)


async def _add(call: MagicCall, usage: str) -> None:
    found = ADD.fullmatch(call.arguments)
    if found is None:
        raise MagicError(f"Usage: {usage}")
    name = found[1]
    try:
        if found["url"]:
            entry: dict[str, object] = {"url": found["url"]}
        else:
            command, *args = shlex.split(found["command"])
            entry = {"command": command, "args": args}
        settings = read_server(name, entry, os.environ)
    except (ServerConfigError, ValueError) as error:
        raise MagicError(str(error)) from None
    await _bring_up(call, call.rooms.mcp.servers.add(settings))


async def _remove(call: MagicCall, name: str) -> None:
    call.rooms.mcp.servers.remove(name)


async def _enable(call: MagicCall, name: str) -> None:
    servers = call.rooms.mcp.servers
    servers.enable(name, True)
    if not servers.find(name).is_agreed:
        await call.until_stopped(call.rooms.mcp.consent.ask(call.run), NOTHING_AGREED)
    source = servers.source(name)
    if source is None:
        raise MagicError(
            f"MCP server {name} came with the notebook, and you have not agreed to it."
        )
    await _bring_up(call, source)


async def _disable(call: MagicCall, name: str) -> None:
    call.rooms.mcp.servers.enable(name, False)


async def _restart(call: MagicCall, name: str) -> None:
    await _bring_up(call, call.rooms.mcp.servers.restart(name))


async def _stderr(call: MagicCall, name: str) -> None:
    call.rooms.mcp.servers.find(name)
    source = call.rooms.mcp.servers.source(name)
    text = source.connection.stderr.text if source else ""
    call.run.outputs.write(text or f"MCP server {name} has written nothing to its stderr.\n")


async def _bring_up(call: MagicCall, source: McpSource) -> None:
    """Start a server and wait until it is known how that went; Stop ends the wait, not the server."""
    connection = source.connection
    connection.begin()
    await call.until_stopped(connection.settled(), GOES_ON)
    name = source.settings.name
    if connection.condition is not Condition.READY:
        said = connection.stderr.last_line
        hint = f"\nIts stderr ends with: {said}" if said else ""
        raise MagicError(f"MCP server {name} did not come up: {connection.last_error}{hint}")
    count = len(source.tools())
    tools = f"{count} tool{'' if count == 1 else 's'}"
    call.run.outputs.write(f"MCP server {name} is ready with {tools}.\n")


_ACTIONS = {
    "remove": _remove,
    "enable": _enable,
    "disable": _disable,
    "restart": _restart,
    "stderr": _stderr,
}
