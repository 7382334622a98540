"""`%status`: what this session can do, and why it cannot do the rest."""

from __future__ import annotations

from codemode_kernel.capabilities import capabilities
from codemode_kernel.errors import MagicError
from codemode_kernel.magics.magic import Magic, MagicCall
from codemode_kernel.outputs.tables import table

HEADINGS = ("capability", "state", "what it is, or why not")


async def _perform(call: MagicCall) -> None:
    if call.arguments:
        raise MagicError("%status takes no arguments.")
    found = await capabilities(call.rooms, takes_input=call.run.takes_input)
    rows = [(capability.name, capability.state.value, capability.detail) for capability in found]
    call.run.outputs.display(table(HEADINGS, rows))


MAGIC = Magic(
    "%status", "%status", "Show what this session can do, and why not the rest.", _perform
)
