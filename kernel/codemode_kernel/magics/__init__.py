"""The magics, one file each. A magic is the whole cell and starts at its first character."""

from __future__ import annotations

from codemode_kernel.magics import (
    call,
    cells,
    deferral,
    describe,
    gate,
    help,
    mcp,
    python,
    reset,
    status,
    store,
    terminate,
    tools,
    view,
)
from codemode_kernel.magics.magic import Magic, MagicCall

__all__ = ["MAGICS", "Magic", "MagicCall"]

MAGICS = {
    magic.name: magic
    for magic in (
        terminate.MAGIC,
        cells.MAGIC,
        store.MAGIC,
        view.MAGIC,
        tools.MAGIC,
        describe.MAGIC,
        deferral.MAGIC,
        call.MAGIC,
        status.MAGIC,
        gate.MAGIC,
        reset.MAGIC,
        python.MAGIC,
        mcp.MAGIC,
        help.MAGIC,
    )
}
"""By name with percent signs. `%wait` is a kind of cell of its own (`source.Wait`)."""
