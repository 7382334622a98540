"""`%terminate`: end cells that run in the background, or a live shell."""

from __future__ import annotations

from toolbridge.errors import ToolError

from codemode_kernel.errors import MagicError
from codemode_kernel.magics.magic import Magic, MagicCall
from codemode_kernel.notebook.source import Wait, read_options

USAGE = "%terminate [CELL | --all | --shell N]"


async def _perform(call: MagicCall) -> None:
    words, options = read_options(
        call.arguments, frozenset({"--all"}), frozenset({"--shell"}), USAGE
    )
    if "--shell" in options:
        if words or "--all" in options:
            raise MagicError(f"Name one shell and nothing else. Usage: {USAGE}")
        await _end_shell(call, options["--shell"])
        return
    every = "--all" in options
    if len(words) > (0 if every else 1):
        raise MagicError(f"Name one cell, or --all. Usage: {USAGE}")
    wait = Wait(words[0] if words else None, every, terminate=True, leaves_record=False)
    await call.rooms.waits.run(wait, call.run, call.button)


async def _end_shell(call: MagicCall, session_id: int) -> None:
    try:
        exit_code = await call.rooms.shell.stop(session_id)
    except ToolError:
        raise MagicError(f"There is no shell {session_id}; %cells lists them.") from None
    how = "is being ended" if exit_code is None else f"has ended with exit code {exit_code}"
    call.run.outputs.write(f"Shell {session_id} {how}.\n")


MAGIC = Magic(
    "%terminate",
    USAGE,
    "End a cell that runs in the background (the newest without a name) and collect its output, "
    "or end a live shell.",
    _perform,
)
