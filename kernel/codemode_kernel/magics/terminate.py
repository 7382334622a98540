"""`%terminate`: end cells that run in the background."""

from __future__ import annotations

from codemode_kernel.errors import MagicError
from codemode_kernel.magics.magic import Magic, MagicCall
from codemode_kernel.source import Wait, read_options

USAGE = "%terminate [CELL | --all]"


async def _perform(call: MagicCall) -> None:
    words, options = read_options(call.arguments, frozenset({"--all"}), frozenset(), USAGE)
    every = "--all" in options
    if len(words) > (0 if every else 1):
        raise MagicError(f"Name one cell, or --all. Usage: {USAGE}")
    wait = Wait(cell_id=words[0] if words else None, every=every, terminate=True)
    await call.rooms.waits.run(wait, call.run, call.button)


MAGIC = Magic(
    "%terminate",
    USAGE,
    "End a cell that runs in the background (the newest without a name) and collect its output.",
    _perform,
)
