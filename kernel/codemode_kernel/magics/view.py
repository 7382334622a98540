"""`%view`: what a model got of a cell."""

from __future__ import annotations

import json
from collections.abc import Sequence

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
    for view in views:
        call.run.outputs.display(view_bundle(view))


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
