"""`%mcp`: the MCP servers of this session. What it does is in `codemode_kernel.mcp.commands`."""

from __future__ import annotations

from codemode_kernel.magics.magic import Magic, MagicCall

ADD = "add"

VERBS = ("remove", "enable", "disable", "restart", "stderr")
"""What can be done with a server that is named."""

USAGE = f"%mcp, %mcp add NAME -- COMMAND..., %mcp add NAME URL, %mcp {'|'.join(VERBS)} NAME"


async def _perform(call: MagicCall) -> None:
    from codemode_kernel.mcp.commands import perform

    await perform(call, USAGE)


MAGIC = Magic(
    "%mcp",
    USAGE,
    "Show the MCP servers with their state, add one, switch one off or on, or start it anew.",
    _perform,
)
