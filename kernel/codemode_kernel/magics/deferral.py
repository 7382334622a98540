"""`%deferral`: which tools the prompt leaves out, who decided that, and what it saves."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from traitlets import TraitError

from codemode_kernel.errors import MagicError
from codemode_kernel.magics.magic import Magic, MagicCall
from codemode_kernel.outputs.bundles import quiet_bundle
from codemode_kernel.outputs.tables import table
from codemode_kernel.prompt.deferral_line import BLOCK, USAGE, read_deferral_line
from codemode_kernel.prompt.news import prompt_news
from codemode_kernel.session.call_counts import CallCounts
from codemode_kernel.settings import KernelSettings

if TYPE_CHECKING:
    from toolbridge.prompt.composition import ComposedTool, Composition
    from toolbridge.prompt.cost import PromptCost

TOOL_HEADINGS = ("tool", "source", "in the prompt", "layer", "why", "tokens", "calls")
COST_HEADINGS = ("what the prompt costs", "tokens")

NO_BLOCK = "There is no block: nothing is deferred, or ToolSearch is not the loader."

MAX_ROWS = 200
"""Tools that the table shows: of more, the ones called most and the longest."""


async def _perform(call: MagicCall) -> None:
    if call.arguments == BLOCK:
        await _show_block(call)
        return
    if chosen := read_deferral_line(call.arguments):
        await _choose(chosen, call)
    await call.look_through_tools()
    briefing, outputs, counts = call.rooms.briefing, call.run.outputs, call.rooms.counts
    briefing.begin()
    composition = briefing.now()
    if composition.tools:
        shown = _shown(composition, counts)
        outputs.display(table(TOOL_HEADINGS, [_row(one, composition, counts) for one in shown]))
        if len(composition.tools) > len(shown):
            outputs.display(quiet_bundle(f"{len(composition.tools) - len(shown):,} more tools."))
    outputs.display(table(COST_HEADINGS, list(_costs(composition))))
    outputs.display(quiet_bundle(_break_even(composition.cost)))
    outputs.display(quiet_bundle(prompt_news(briefing)))


async def _show_block(call: MagicCall) -> None:
    await call.look_through_tools()
    call.rooms.briefing.begin()
    call.run.outputs.write(f"{call.rooms.briefing.now().block or NO_BLOCK}\n")


async def _choose(chosen: Mapping[str, object], call: MagicCall) -> None:
    try:
        call.rooms.choices.choose(chosen)
    except TraitError as error:
        text = str(error).replace(f"a {KernelSettings.__name__} instance", "%deferral")
        raise MagicError(f"This cannot be chosen: {text}") from None
    await call.rooms.brief_anew()


def _shown(composition: Composition, counts: CallCounts) -> list[ComposedTool]:
    tools = list(composition.tools)
    if len(tools) > MAX_ROWS:
        tools.sort(key=lambda one: (counts.of(one.tool), one.tokens), reverse=True)
    return tools[:MAX_ROWS]


def _row(one: ComposedTool, composition: Composition, counts: CallCounts) -> tuple[str, ...]:
    called = str(counts.of(one.tool))
    tokens = f"{one.tokens:,}"
    name, source = one.tool.identifier, one.tool.source
    if one.deferral is None:
        return name, source, "declared", "-", "no question: only a model calls it", tokens, called
    mode = "declared" if one.tool.raw_name not in composition.left_out else "deferred"
    if one.tool.raw_name in composition.loaded:
        mode = "declared: loaded"
    return name, source, mode, one.deferral.layer.value, one.deferral.reason, tokens, called


def _costs(composition: Composition) -> Iterator[tuple[str, str]]:
    cost = composition.cost
    loader = composition.loader.name if composition.loader else "none"
    yield f"route: {composition.settings.route}", ""
    yield "without deferral: everything declared", f"{cost.all_declared:,}"
    yield "with deferral: what is declared", f"{cost.declared:,}"
    yield f"loader: {loader}", f"{cost.loader:,}"
    yield "block of deferred tools", f"{cost.block:,}"
    yield "with deferral, in all", f"{cost.deferred:,}"
    yield "saved in each request", f"{cost.saved:,}"
    extra = cost.deferred + cost.search if cost.search else 0
    yield "a search: one more round, with its call and what it finds", f"{extra:,}"


def _break_even(cost: PromptCost) -> str:
    if not cost.search:
        return "Nothing is left out, so there is nothing to break even."
    if cost.break_even is None:
        return "Deferral neither costs nor saves anything here."
    if not cost.break_even:
        return "Deferral costs more than it saves, even if nothing is ever looked for."
    return (
        f"Break-even at {cost.break_even:.2f} searches for each other request: with fewer, deferral "
        "saves tokens. Estimated at four bytes a token, without what a prompt cache spares."
    )


MAGIC = Magic(
    "%deferral",
    USAGE,
    "Show which tools the prompt leaves out and why, what that saves, and how often each was called; "
    "with options, for this session, as if the kernel had been set so.",
    _perform,
)
