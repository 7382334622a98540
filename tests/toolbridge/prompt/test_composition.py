"""One caller's composition: decisions, texts and costs that agree with each other."""

from dataclasses import replace

import pytest
from toolbridge.deferral.policy import DeferralSettings, Layer, Mode
from toolbridge.prompt.changes import changes
from toolbridge.prompt.composition import (
    SEED_PROMPT,
    Composition,
    PromptSettings,
    Route,
    compose,
    definition_text,
)
from toolbridge.prompt.cost import PromptCost, text_tokens
from toolbridge.search.tool_search import TOOL_SEARCH, search_tools

from tests.toolbridge.boxes import StubSource
from toolbridge import Exposure, Tool, Toolbox

ASK = Tool("ask_user", source="s", exposure=Exposure.MODEL_ONLY)
LOCAL = replace(SEED_PROMPT, route=Route.LOCAL)


def many(number: int) -> list[Tool]:
    return [
        Tool(f"z_{n:02}", source="s", description=f"Does a thing called number {n}. " * 5)
        for n in range(number)
    ]


def composed(tools: list[Tool], settings: PromptSettings = SEED_PROMPT) -> Composition:
    toolbox = Toolbox()
    toolbox.add(StubSource("s", tools))
    return compose(toolbox.catalog(), settings)


def test_code_mode_has_neither_loader_nor_block() -> None:
    composition = composed(many(11))
    assert len(composition.deferred) == 11
    assert (composition.loader, composition.block) == (None, None)
    assert "z_00" not in composition.exec_description


def test_the_local_route_has_both_when_something_is_deferred() -> None:
    composition = composed([*many(11), ASK], LOCAL)
    assert composition.loader is TOOL_SEARCH
    assert (composition.block or "").count("\n- z_") == 11
    assert "ask_user" not in (composition.block or "")
    small = composed(many(10), LOCAL)
    assert (small.loader, small.block) == (None, None)


def test_every_route_reads_the_same_decisions() -> None:
    here, there = composed([*many(11), ASK]), composed([*many(11), ASK], LOCAL)
    assert here.deferred_names == there.deferred_names
    assert [one.tool.name for one in there.tools if one.deferral is None] == ["ask_user"]


def test_tools_keep_their_order_of_registration_and_prompts_do_not() -> None:
    tools = [Tool("b", source="s"), Tool("a", source="s")]
    composition = composed(tools)
    assert [one.tool.name for one in composition.tools] == ["b", "a"]
    assert [tool.name for tool in composition.declared] == ["a", "b"]


def test_a_deferred_tool_has_a_preview_and_a_declared_one_none() -> None:
    settings = replace(SEED_PROMPT, deferral=DeferralSettings(tools={"s": {"z_00": Mode.DEFERRED}}))
    first, second = composed(many(2), settings).tools
    assert first.deferral is not None
    assert first.deferral.layer is Layer.TOOL
    assert (first.deferred_preview or "").startswith("Does a thing")
    assert second.deferred_preview is None


def test_a_renamed_tool_is_decided_about_under_its_own_name() -> None:
    settings = replace(SEED_PROMPT, deferral=DeferralSettings(tools={"s": {"a.b": Mode.DEFERRED}}))
    composition = composed([Tool("a-b", source="s"), Tool("a.b", source="s")], settings)
    assert [tool.identifier for tool in composition.deferred] == ["a_b_2"]


def test_what_a_prompt_costs_is_what_it_says() -> None:
    composition = composed(many(11))
    cost = composition.cost
    everything = replace(SEED_PROMPT, deferral=DeferralSettings(enabled=False))
    assert cost.declared == text_tokens(composition.exec_description)
    assert cost.all_declared == text_tokens(composed(many(11), everything).exec_description)
    assert (cost.loader, cost.block) == (0, 0)
    assert 0 < cost.saved == cost.all_declared - cost.deferred


def test_the_local_route_pays_for_loader_and_block() -> None:
    composition = composed(many(11), LOCAL)
    cost = composition.cost
    assert cost.declared == 0
    assert cost.loader == text_tokens(definition_text(TOOL_SEARCH))
    assert cost.block == text_tokens(composition.block or "")
    assert cost.all_declared == sum(one.tokens for one in composition.tools)


def test_nothing_deferred_saves_nothing() -> None:
    cost = composed(many(2)).cost
    assert (cost.saved, cost.search, cost.break_even) == (0, 0, None)


def test_at_the_break_even_both_ways_cost_the_same() -> None:
    cost = PromptCost(all_declared=1000, declared=100, loader=80, block=20, search=100)
    assert cost.break_even == pytest.approx(800 / 300)
    requests = 10
    searches = requests * (cost.break_even or 0)
    without = requests * cost.all_declared
    assert requests * cost.deferred + searches * (cost.deferred + cost.search) == pytest.approx(
        without
    )


def test_deferral_that_costs_more_breaks_even_at_no_search() -> None:
    assert PromptCost(all_declared=10, declared=0, loader=80).break_even == 0


def test_a_search_in_a_composition_finds_what_is_deferred() -> None:
    composition = composed(many(11))
    scope = composition.scope(loaded=["z_03"])
    found = search_tools("number 3", scope, composition.index)
    assert "z_03" not in found.details["loaded"]
    assert len(found.loaded) == 8


def test_the_decision_is_the_same_whoever_writes() -> None:
    own = [Tool(f"own_{n}", source="s", owners=frozenset({"account:2"})) for n in range(8)]
    toolbox = Toolbox()
    toolbox.add(StubSource("s", [*many(4), *own]))
    settings = replace(SEED_PROMPT, shared=True)
    everybodys = toolbox.everybodys_tools()
    hers = compose(toolbox.catalog("account:2"), settings, everybodys)
    theirs = compose(toolbox.catalog("account:3"), settings, everybodys)
    assert len(hers.deferred) == 12
    assert len(theirs.deferred) == 4
    assert not any("own_" in one.declaration for one in theirs.tools)


def test_a_shared_block_names_no_personal_tool() -> None:
    tools = [*many(1), replace(many(1)[0], name="own", identifier="own", owners=frozenset({"a:1"}))]
    toolbox = Toolbox()
    toolbox.add(StubSource("s", tools))
    deferral = DeferralSettings(sources={"s": Mode.DEFERRED})
    for shared in (True, False):
        settings = replace(LOCAL, deferral=deferral, shared=shared)
        block = compose(toolbox.catalog("a:1"), settings).block or ""
        assert ("own" in block) is not shared


def test_what_happened_to_several_tools_is_told_once() -> None:
    before, after = composed(many(2)), composed(many(7))
    (clause,) = changes(before, after)
    assert clause.startswith("`z_02`, `z_03`, `z_04` and 2 more are new, declared: 7 ")
    assert changes(after, composed(many(5))) == ("`z_05` and `z_06` are gone",)


def test_changes_are_told_with_their_reason() -> None:
    before = composed([Tool("a", source="s"), Tool("b", source="s"), Tool("c", source="s")])
    settings = replace(SEED_PROMPT, deferral=DeferralSettings(tools={"s": {"c": Mode.DEFERRED}}))
    after = composed(
        [Tool("b", source="s", description="other"), Tool("c", source="s"), Tool("d", source="s")],
        settings,
    )
    assert changes(before, after) == (
        "`a` is gone",
        "`b` has another declaration",
        "`c` is now deferred: chosen for this tool",
        "`d` is new, declared: 2 undecided tools are not more than 10",
    )
    assert changes(before, before) == ()
