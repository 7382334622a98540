"""`%view`: what a model got of a cell."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence

from codemode_kernel.captures.bundle import capture_bundle
from codemode_kernel.captures.capture import READ_BYTES
from codemode_kernel.captures.captures import SETTLE_S
from codemode_kernel.errors import MagicError
from codemode_kernel.magics.magic import Magic, MagicCall
from codemode_kernel.source import read_options
from codemode_kernel.view_bundle import view_bundle
from codemode_kernel.views import View, Views

USAGE = "%view [CELL] [--json | --full]"


async def _perform(call: MagicCall) -> None:
    flags = frozenset({"--json", "--full"})
    words, options = read_options(call.arguments, flags, frozenset(), USAGE)
    if len(words) > 1 or len(options) > 1:
        raise MagicError(f"Name one cell, and one way to show it. Usage: {USAGE}")
    views = _chosen(call.rooms.views, words)
    if "--json" in options:
        items = [item for view in views for item in view.requested()]
        call.run.outputs.write(json.dumps(items, indent=2, ensure_ascii=False) + "\n")
        return
    if "--full" in options:
        await _show_all(call, views[-1].cell_id)
        return
    for view in views:
        call.run.outputs.display(view_bundle(view))


async def _show_all(call: MagicCall, cell_id: str) -> None:
    """Show the cell's capture, as much as a notebook cell shows of anything."""
    outputs = call.run.outputs
    capture = call.rooms.captures.of(cell_id)
    if capture is None:
        raise MagicError(f"The output of cell {cell_id or '(refused)'} is not kept (any more).")
    await capture.settled(SETTLE_S)
    try:
        data = await asyncio.to_thread(capture.read, 0, READ_BYTES)
    except OSError as error:
        raise MagicError(f"The output cannot be read: {error.strerror or error}.") from None
    outputs.display(capture_bundle(cell_id, capture.snapshot()))
    outputs.write(data.decode("utf-8", "ignore"))


def _chosen(views: Views, words: Sequence[str]) -> Sequence[View]:
    if words:
        chosen = views.of(words[0])
        if not chosen:
            raise MagicError(f"What a model got of cell {words[0]} is not known (any more).")
        return chosen
    newest = views.newest()
    if newest is None:
        raise MagicError("No cell has run yet.")
    return [newest]


MAGIC = Magic(
    "%view",
    USAGE,
    "Show what a model got of the last cell, or of a named one; as JSON to copy, or all of its "
    "output, what was cut included.",
    _perform,
)
