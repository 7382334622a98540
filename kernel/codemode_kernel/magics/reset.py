"""`%reset`: a session as new."""

from __future__ import annotations

from codemode_kernel.errors import MagicError
from codemode_kernel.magics.magic import Magic, MagicCall


async def _perform(call: MagicCall) -> None:
    if call.arguments:
        raise MagicError("%reset takes no arguments.")
    rooms = call.rooms
    await rooms.session.reset()
    rooms.policy.forget()
    rooms.runs.collected.clear()
    rooms.choices.forget()
    await rooms.brief_anew()
    rooms.counts.clear()
    rooms.views.clear()
    await rooms.python.restart()
    call.run.outputs.write(
        "All cells have ended; stored values, approvals, what %gate and %deferral chose, shells and "
        "Python are gone.\n"
    )


MAGIC = Magic(
    "%reset",
    "%reset",
    "End all cells and shells, restart Python, forget stored values and approvals.",
    _perform,
)
