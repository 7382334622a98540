"""`%tools`: what can be called, under which name, by whom, and what a prompt says of it."""

from __future__ import annotations

from collections.abc import Sequence

from codemode_kernel.magics.magic import Magic, MagicCall
from codemode_kernel.outputs.bundles import quiet_bundle
from codemode_kernel.outputs.shortened import shortened
from codemode_kernel.outputs.tables import table
from toolbridge import Annotations, Catalog, Exposure, Tool

HEADINGS = ("tool", "raw name", "source", "kind", "called by", "effects", "in the prompt", "about")

MAX_ROWS = 200
"""Tools that one table shows."""

MAX_ABOUT = 80
"""Characters of a description."""

CALLERS = {
    Exposure.NESTED: "scripts",
    Exposure.DIRECT_ONLY: "model, %call",
    Exposure.MODEL_ONLY: "model",
}


async def _perform(call: MagicCall) -> None:
    await call.look_through_tools()
    briefing, outputs = call.rooms.briefing, call.run.outputs
    catalog = briefing.catalog()
    tools = _found(catalog, call.arguments)
    if tools:
        composition = briefing.now()
        modes = {one.tool.raw_name: "declared" for one in composition.tools}
        modes |= dict.fromkeys(composition.left_out, "deferred")
        modes |= dict.fromkeys(composition.loaded, "loaded")
        shown = tools[:MAX_ROWS]
        two_names = any(tool.raw_name != tool.identifier for tool in shown)
        rows = [_row(tool, modes.get(tool.raw_name, "-"), two_names) for tool in shown]
        outputs.display(table(HEADINGS, rows))
    else:
        outputs.write("No tool matches.\n" if call.arguments else "There are no tools.\n")
    if len(tools) > MAX_ROWS:
        more = f"{len(tools) - MAX_ROWS:,} more tools; `%tools QUERY` finds the ones you need."
        outputs.display(quiet_bundle(more))
    for clash in catalog.clashes:
        outputs.warn(clash.message)


def _found(catalog: Catalog, query: str) -> Sequence[Tool]:
    """All tools as scripts see them listed, then the direct ones; or what matches, best first."""
    if not query:
        return [*catalog.tools, *catalog.direct]
    from toolbridge.search.index import ToolIndex

    return ToolIndex(catalog.registered).ranked(query)


def _row(tool: Tool, mode: str, two_names: bool) -> tuple[str, ...]:
    return (
        tool.identifier,
        tool.raw_name if two_names else "",
        tool.source,
        tool.kind.value,
        CALLERS[tool.exposure],
        _effects(tool.annotations),
        mode,
        shortened(" ".join(tool.description.split()), MAX_ABOUT),
    )


def _effects(annotations: Annotations) -> str:
    if annotations.read_only:
        return "read-only"
    if annotations.destructive:
        return "destructive"
    said = annotations.read_only is not None or annotations.destructive is not None
    return "changes things" if said else "not said"


MAGIC = Magic(
    "%tools",
    "%tools [QUERY]",
    "List the tools, or those that a search finds, best first, and what clashes.",
    _perform,
)
