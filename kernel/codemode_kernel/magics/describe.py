"""`%describe`: what a model is told about exec, wait or a tool, to the letter."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from codemode_kernel.errors import MagicError
from codemode_kernel.magics.magic import Magic, MagicCall
from codemode_kernel.notebook.source import read_options
from codemode_kernel.outputs.bundles import Bundle, quiet_bundle
from codemode_kernel.outputs.highlighting import described_html
from codemode_kernel.prompt.news import prompt_news
from codemode_kernel.tool_names import tool_named
from toolbridge import Exposure, Tool

if TYPE_CHECKING:
    from toolbridge.prompt.composition import Composition

USAGE = "%describe exec|wait|TOOL [--json]"


async def _perform(call: MagicCall) -> None:
    words, options = read_options(call.arguments, frozenset({"--json"}), frozenset(), USAGE)
    if len(words) != 1:
        raise MagicError(f"Name one of exec, wait and the tools. Usage: {USAGE}")
    await call.look_through_tools()
    briefing, outputs = call.rooms.briefing, call.run.outputs
    briefing.begin()
    composition, name = briefing.now(), words[0]
    tool = None if name in ("exec", "wait") else tool_named(briefing.catalog(), name)
    if "--json" in options:
        outputs.display(_json_bundle(_definition(composition, name, tool)))
    else:
        text = _text(composition, name, tool)
        outputs.display(Bundle({"text/html": described_html(text), "text/plain": text}))
    if tool is not None:
        outputs.display(quiet_bundle(_standing(composition, tool)))
    elif name == "exec":
        outputs.display(quiet_bundle(prompt_news(briefing)))
    elif composition.wait_tool.warning:
        outputs.warn(composition.wait_tool.warning)


def _text(composition: Composition, name: str, tool: Tool | None) -> str:
    """The description of exec or wait; of a tool its part of a prompt, or its definition where the
    model calls it by itself."""
    if tool is None:
        return composition.exec_description if name == "exec" else composition.wait_tool.description
    for one in composition.tools:
        if one.tool.raw_name == tool.raw_name:
            return one.declaration
    from toolbridge.prompt.composition import definition_text

    return definition_text(tool)


def _definition(composition: Composition, name: str, tool: Tool | None) -> dict[str, Any]:
    from toolbridge.prompt.definitions import exec_definition, tool_definition, wait_definition

    if tool is not None:
        return tool_definition(tool)
    return exec_definition(composition) if name == "exec" else wait_definition(composition)


def _standing(composition: Composition, tool: Tool) -> str:
    for one in composition.tools:
        if one.tool.raw_name == tool.raw_name and one.deferral is not None:
            if tool.raw_name in composition.loaded:
                return "It was deferred, and loaded since: the prompt declares it."
            if one.is_deferred:
                return f"It is deferred, the prompt leaves this out: {one.deferral.reason}."
            return f"The prompt declares it: {one.deferral.reason}."
    if tool.exposure is Exposure.NESTED:
        return "Scripts call it."
    return "The model calls it by itself; scripts cannot."


def _json_bundle(definition: dict[str, Any]) -> Bundle:
    plain = json.dumps(definition, indent=2, ensure_ascii=False)
    return Bundle(
        {"application/json": definition, "text/plain": plain},
        {"application/json": {"expanded": True}},
    )


MAGIC = Magic(
    "%describe",
    USAGE,
    "Show the exact text that a model gets about exec, wait or a tool, or the definition as JSON.",
    _perform,
)
