"""Answers a front end's questions about a text that is being written."""

from __future__ import annotations

import logging
from typing import Any

from codemode_kernel.completion.inspection import inspect_reply
from codemode_kernel.completion.known import mentions_stored_values
from codemode_kernel.completion.reply import complete_reply
from codemode_kernel.completion.surroundings import Lookout, Surroundings
from codemode_kernel.fault_log import fault_of

MCP = "%mcp "
"""How a line begins that may name a server."""

log = logging.getLogger(__name__)


def prepare() -> None:
    """Load what the first answer would have to wait for: above all the grammar."""
    complete_reply("tools.", len("tools."), Surroundings())


async def complete(code: str, cursor: int, lookout: Lookout) -> dict[str, Any]:
    """The content of a `complete_reply`."""
    surroundings = await lookout.look(
        stored=mentions_stored_values(code), servers=code.startswith(MCP)
    )
    try:
        return complete_reply(code, cursor, surroundings)
    except Exception as error:  # noqa: BLE001 - logged without its text
        # A fault of ours must not leave the client without a reply.
        log.error("Internal error in completion: %s", fault_of(error))
        return {
            "matches": [],
            "cursor_start": cursor,
            "cursor_end": cursor,
            "metadata": {},
            "status": "ok",
        }


async def inspect(code: str, cursor: int, lookout: Lookout) -> dict[str, Any]:
    """The content of an `inspect_reply`."""
    surroundings = await lookout.look(stored=mentions_stored_values(code))
    try:
        return inspect_reply(code, cursor, surroundings)
    except Exception as error:  # noqa: BLE001 - logged without its text
        log.error("Internal error in inspection: %s", fault_of(error))
        return {"status": "ok", "found": False, "data": {}, "metadata": {}}
