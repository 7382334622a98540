"""The vectors about deferral, search, prompts and principals, answered by the product's own rules."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import AsyncExitStack
from dataclasses import replace
from typing import Any

from codemode_host.wire import TextItem
from codemode_kernel.session.observation import Status
from codemode_kernel.session.session import Session
from toolbridge.catalog import prompt_order, settle
from toolbridge.deferral.block import deferred_block
from toolbridge.deferral.policy import (
    CORE,
    DEFAULT_THRESHOLD,
    DeferralSettings,
    Mode,
    deferred_tools,
    resolve_deferrals,
)
from toolbridge.deferral.preview import preview
from toolbridge.errors import PrincipalUnknownError, SearchError
from toolbridge.gate.plan_mode import is_admitted_to_plan
from toolbridge.principals import Partition, principal_of
from toolbridge.prompt.composition import PromptSettings, Route, compose
from toolbridge.prompt.exec_tool import ExecText, exec_description
from toolbridge.prompt.messages import Messages, parse_messages
from toolbridge.prompt.model_facts import ModelFacts, facts_of
from toolbridge.prompt.wait_tool import wait_tool
from toolbridge.search.activation import Activations, journaled_loads
from toolbridge.search.scope import SearchScope
from toolbridge.search.tool_search import Found, search_tools
from toolbridge.tools import Section

from tests.case_session import case_session
from tests.field_cases.run import Shown
from tests.recorded import vector_fixtures
from toolbridge import Annotations, Exposure, Kind, Source, Tool, Toolbox

JsonObject = dict[str, Any]
Given = Mapping[str, Any]


def _tool(fields: Given) -> Tool:
    """A tool as the vectors write it."""
    section = fields.get("namespace")
    owners = fields.get("owners")
    return Tool(
        fields["name"],
        source=fields.get("source", "vector"),
        description=fields.get("description", ""),
        kind=Kind(fields.get("kind", "function")),
        input_schema=fields.get("inputSchema", fields.get("parameters")),
        output_schema=fields.get("outputSchema"),
        annotations=Annotations(read_only=fields.get("planSafe")),
        exposure=Exposure.MODEL_ONLY if fields.get("modelOnly") else Exposure.NESTED,
        owners=None if owners is None else frozenset(map(_account, owners)),
        section=Section(section["name"], section.get("description") or "") if section else None,
        defer_loading=fields.get("deferLoading") or False,
    )


def _account(number: object) -> str:
    return principal_of(account=number)


# Deferral


def _settings(config: Given) -> DeferralSettings:
    return DeferralSettings(
        enabled=config.get("enabled", True),
        threshold=config.get("threshold", DEFAULT_THRESHOLD),
        core=frozenset(config.get("core", CORE)),
        sources={source: Mode(mode) for source, mode in config.get("sources", {}).items()},
        tools={
            source: {name: Mode(mode) for name, mode in modes.items()}
            for source, modes in config.get("tools", {}).items()
        },
    )


def _deferral_policy(given: Given) -> JsonObject:
    tools = [_tool(fields) for fields in given["tools"]]
    settings = _settings(given["config"])
    decided = resolve_deferrals(tools, settings)
    local = compose(settle(tools), PromptSettings(Route.LOCAL, settings))
    return {
        "decisions": {
            one.tool.raw_name: {"mode": str(one.mode), "layer": str(one.layer)} for one in decided
        },
        "deferred": [tool.raw_name for tool in deferred_tools(decided)],
        "addLocalLoader": local.loader is not None,
    }


def _plan_mode(given: Given) -> JsonObject:
    tool = _tool({"name": given["tool"], **given})
    return {"admitted": is_admitted_to_plan(tool)}


def _preview_clipping(given: Given) -> JsonObject:
    clipped = preview(given["description"])
    return {"preview": clipped, "codePoints": len(clipped)}


def _deferred_block(given: Given) -> JsonObject:
    deferred = [_tool(fields) for fields in given["tools"] if fields["name"] in given["deferred"]]
    block = deferred_block(deferred)
    if block is None:
        return {"block": None}
    opening, *lines, closing = block.split("\n")
    return {"block": block, "open": opening, "close": closing, "lines": lines}


def _activation(given: Given) -> JsonObject:
    activations = Activations(journaled_loads(given["journal"]))
    permitted = given.get("permitted", given["deferred"])
    return {"active": list(activations.active(given["deferred"], permitted.__contains__))}


# Search


def _tool_search(given: Given) -> JsonObject:
    try:
        found = search_tools(given["query"], _scope(given), limit=given.get("limit"))
    except SearchError as error:
        return {"error": str(error)}
    return _found(found)


def _scope(given: Given) -> SearchScope:
    """The tools of a vector; where it names only what is deferred, those are all there are."""
    written = given.get("tools")
    if written is None:
        written = [{"name": name} for name in given["registered"]]
    elif isinstance(written, str):
        written = vector_fixtures("tool_search")[written]
    tools = [_tool(fields) for fields in written]
    names = [tool.raw_name for tool in tools]
    permitted = {*given.get("permitted", names), *given.get("active", ())}
    return SearchScope(
        tools,
        frozenset(given.get("deferred", names)),
        frozenset(given.get("active", ())),
        lambda tool: tool.raw_name in permitted,
    )


def _found(found: Found) -> JsonObject:
    names = found.details["loaded"]
    return {
        "order": names,
        "count": len(names),
        "text": found.text,
        "details": {"loaded": names},
        "loaded": names,
        "refused": list(found.refused),
        "unknown": list(found.unknown),
    }


# Prompts


def _catalog_order(given: Given) -> JsonObject:
    sections = {name: {"name": section} for name, section in given["namespaces"].items()}
    tools = [_tool({"name": name, "namespace": sections.get(name)}) for name in given["registered"]]
    catalog = settle(tools, numbered=False)
    return {
        "dropped": [clash.tool.raw_name for clash in catalog.clashes],
        "allTools": [tool.identifier for tool in catalog.tools],
        "promptOrder": [tool.raw_name for tool in prompt_order(catalog.tools)],
    }


def _exec_description(given: Given) -> JsonObject:
    text = ExecText(parse_messages(given.get("messages") or {}), always_mcp_types=False)
    if "defaultExecYieldTimeMs" in given:
        text = replace(text, default_yield_time_ms=given["defaultExecYieldTimeMs"])
    if "imageHelper" in given:
        text = replace(text, image_helper=given["imageHelper"])
    sizes = [fields.get("inputSchemaMaxBytes") or 0 for fields in given["nested"]]
    text = replace(text, input_max_bytes=max(sizes, default=0))
    deferred = [
        fields["name"] for fields in given["nested"] if fields.get("deferredPreview") is not None
    ]
    tools = settle(map(_tool, given["nested"]), numbered=False).tools
    return {"description": exec_description(tools, deferred, text)}


def _wait_schema(given: Given) -> JsonObject:
    tool = wait_tool(Messages(wait_parameters=given["parametersJson"]))
    return {
        "useBundled": tool.warning is not None,
        "warning": tool.warning,
        "schema": tool.parameters,
    }


def _model_metadata(given: Given) -> JsonObject:
    known = {slug: ModelFacts(use_responses_lite=lite) for slug, lite in given["table"].items()}
    facts = facts_of(given["model"], ModelFacts(use_responses_lite=given["override"]), known)
    return {"use_responses_lite": facts.use_responses_lite, "liteEnabled": facts.is_lite}


# Principals


class _Vector(Source):
    """The tools of a vector, which nobody calls."""

    id = "vector"

    def __init__(self, tools: Sequence[Tool]) -> None:
        self._tools = tools

    def tools(self) -> Sequence[Tool]:
        """As given."""
        return self._tools


def _principals(given: Given) -> JsonObject:
    if "steps" in given:
        return asyncio.run(_principal_steps(given["steps"]))
    toolbox = Toolbox()
    toolbox.add(_Vector([_tool(fields) for fields in given["nested"]]))
    writer = None if given["writer"] is None else _account(given["writer"])
    return {"declared": _declared(toolbox, writer), "static": _declared(toolbox, None)}


def _declared(toolbox: Toolbox, principal: str | None) -> list[str]:
    composed = compose(toolbox.catalog(principal), everybodys=toolbox.everybodys_tools())
    return [tool.raw_name for tool in composed.declared]


async def _principal_steps(steps: Sequence[Sequence[Any]]) -> JsonObject:
    """Each step in the session of its principal."""
    async with AsyncExitStack() as life:
        sessions = Partition(lambda principal: case_session(principal=principal), shared=True)
        opened: dict[str, Session] = {}
        results = []
        for principal, operation, *arguments in steps:
            try:
                room = sessions.of(principal)
            except PrincipalUnknownError as error:
                results.append({"error": str(error)})
                continue
            if principal not in opened:
                opened[principal] = await life.enter_async_context(room)
            results.append(await _STEPS[operation](opened[principal], *arguments))
        return {"results": results}


async def _store(session: Session, key: str, value: object) -> None:
    await _texts(session, f"store({json.dumps(key)}, {json.dumps(value)})")


async def _load(session: Session, key: str) -> Any:
    (shown,) = await _texts(
        session,
        f"const value = load({json.dumps(key)}); text(JSON.stringify(value) ?? 'undefined')",
    )
    return shown if shown == "undefined" else json.loads(shown)


async def _exec_yields(session: Session) -> str:
    cell = session.new_cell("await new Promise(() => {})")
    observation = await session.run(cell, Shown(), yield_time_ms=0)
    return f"cell {cell.id} {observation.status.value}"


async def _wait(session: Session, cell_id: str) -> str:
    observation = await session.wait(cell_id, Shown(), yield_time_ms=0)
    if observation.status is Status.RUNNING:
        return f"cell {cell_id} {observation.status.value}"
    return observation.error_text or observation.status.value


async def _texts(session: Session, script: str) -> list[str]:
    shown = Shown()
    observation = await session.run(session.new_cell(script), shown)
    assert observation.error_text is None, observation.error_text
    return [item.text for item in shown.items if isinstance(item, TextItem)]


_STEPS: dict[str, Callable[..., Awaitable[Any]]] = {
    "store": _store,
    "load": _load,
    "exec-yields": _exec_yields,
    "wait": _wait,
}

AREAS: dict[str, Callable[[Given], Any]] = {
    "deferral_policy": _deferral_policy,
    "plan_mode": _plan_mode,
    "preview_clipping": _preview_clipping,
    "deferred_block": _deferred_block,
    "activation": _activation,
    "tool_search": _tool_search,
    "catalog_order": _catalog_order,
    "exec_description": _exec_description,
    "wait_schema": _wait_schema,
    "model_metadata": _model_metadata,
    "principals": _principals,
}
"""How each area is answered."""
