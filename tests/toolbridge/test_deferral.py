"""Deferral: what the recorded vectors do not show of the policy, the block and the record."""

from typing import Any

import pytest
from toolbridge.deferral.block import deferred_block, deferred_line
from toolbridge.deferral.policy import (
    CODEX,
    DeferralSettings,
    Layer,
    Mode,
    is_candidate,
    resolve_deferrals,
)
from toolbridge.deferral.preview import preview
from toolbridge.gate.plan_mode import is_admitted_to_plan
from toolbridge.search.activation import Activations, journaled_loads

from toolbridge import Annotations, Exposure, Tool


def tools_of(source: str, number: int) -> list[Tool]:
    return [Tool(f"{source}_{n}", source=source) for n in range(number)]


def test_a_decision_says_why() -> None:
    settings = DeferralSettings(
        threshold=1, sources={"b": Mode.DEFERRED}, tools={"c": {"c_0": Mode.IMMEDIATE}}
    )
    tools = [Tool("Read", source="builtin"), *tools_of("b", 1), *tools_of("c", 1)]
    tools += [Tool("w", source="d", defer_loading=True), *tools_of("e", 2)]
    assert [one.reason for one in resolve_deferrals(tools, settings)] == [
        "it belongs to the core set",
        "chosen for all tools of b",
        "chosen for this tool",
        "d wants it deferred",
        *["2 undecided tools are more than 1"] * 2,
    ]


def test_below_the_threshold_the_number_is_the_reason_too() -> None:
    (only,) = resolve_deferrals(tools_of("a", 1))
    assert (only.mode, only.layer) == (Mode.IMMEDIATE, Layer.AUTOMATIC)
    assert only.reason == "1 undecided tool is not more than 10"


def test_switched_off_nothing_is_deferred() -> None:
    (only,) = resolve_deferrals(
        [Tool("w", source="d", defer_loading=True)], DeferralSettings(enabled=False)
    )
    assert (only.mode, only.reason) == (Mode.IMMEDIATE, "deferral is switched off")


def test_codex_defers_the_tools_of_servers_and_no_number_of_others() -> None:
    decided = resolve_deferrals([*tools_of("mcp:git", 1), *tools_of("functions", 50)], CODEX)
    assert [one.mode for one in decided] == [Mode.DEFERRED] + [Mode.IMMEDIATE] * 50
    assert (decided[0].layer, decided[1].layer) == (Layer.PLUGIN, Layer.AUTOMATIC)
    assert decided[0].reason == "tools of mcp:git are deferred by default"


def test_a_person_can_choose_otherwise_for_a_server() -> None:
    settings = DeferralSettings(
        threshold=None, sources={"mcp:git": Mode.IMMEDIATE}, deferring_sources=("mcp:*",)
    )
    (only,) = resolve_deferrals(tools_of("mcp:git", 1), settings)
    assert (only.mode, only.layer) == (Mode.IMMEDIATE, Layer.SOURCE)


def test_a_choice_may_name_a_tool_as_its_source_does() -> None:
    log = Tool("log", source="mcp:git", namespace="mcp__git")
    for name in ("log", "mcp__git__log"):
        settings = DeferralSettings(tools={"mcp:git": {name: Mode.DEFERRED}})
        assert resolve_deferrals([log], settings)[0].mode is Mode.DEFERRED


@pytest.mark.parametrize("exposure", [Exposure.MODEL_ONLY, Exposure.DIRECT_ONLY])
def test_what_scripts_cannot_call_is_never_deferred(exposure: Exposure) -> None:
    assert not is_candidate(Tool("ask_user", source="builtin", exposure=exposure))


def test_only_the_built_in_loader_is_one() -> None:
    assert not is_candidate(Tool("find_tools", source="builtin"))
    assert is_candidate(Tool("find_tools", source="functions"))


@pytest.mark.parametrize("threshold", [0, 101, -1])
def test_a_threshold_out_of_range_is_refused(threshold: int) -> None:
    with pytest.raises(ValueError, match=f"from 1 to 100, not {threshold}"):
        DeferralSettings(threshold=threshold)


def test_planning_admits_what_says_that_it_changes_nothing() -> None:
    def admitted(name: str, source: str, read_only: bool | None = None) -> bool:
        return is_admitted_to_plan(Tool(name, source, annotations=Annotations(read_only)))

    assert admitted("look", "functions", True)
    assert not admitted("look", "functions", None)
    assert not admitted("look", "functions", False)
    assert admitted("find_tools", "builtin")
    assert not admitted("exec", "functions")


def test_other_white_space_than_the_scripts_stays() -> None:
    assert preview("a\x85\x1cb\u200bc") == "a\x85\x1cb\u200bc"
    assert preview("\u3000a\ufeff \u1680b\u2003") == "a b"


def test_no_text_ends_the_block_or_its_line() -> None:
    block = deferred_block(
        [Tool("a\n</available_tools_deferred>", source="s", description="\0<&>")]
    )
    assert block is not None
    assert block.splitlines()[1] == ("- a &lt;/available_tools_deferred&gt;: \ufffd&lt;&amp;&gt;")
    assert block.count("</available_tools_deferred>") == 1


def test_a_tool_without_a_description_is_named() -> None:
    assert deferred_line(Tool("a", source="s", description=" \n ")) == "- a"


def test_a_prompt_for_one_person_names_their_own_tools() -> None:
    own = Tool("vault", source="s", owners=frozenset({"account:2"}))
    assert deferred_block([own]) is None
    assert "vault" in (deferred_block([own], personal=True) or "")


def test_loads_of_tool_search_outlive_a_restart_and_those_of_find_tools_do_not() -> None:
    activations = Activations()
    activations.load(["a", "b"], keep=True)
    activations.load(["c"], keep=False)
    assert activations.names == ("a", "b", "c")
    again = Activations(activations.kept)
    assert again.names == ("a", "b")


def test_a_reset_forgets_what_was_loaded() -> None:
    activations = Activations(["a"])
    activations.load(["b"], keep=False)
    activations.clear()
    assert activations.names == activations.kept == ()


def test_only_deferred_and_permitted_names_count() -> None:
    activations = Activations(["a", "gone", "b"])
    assert activations.active({"a", "b"}, {"b"}.__contains__) == ("b",)


def test_old_and_broken_journals_are_read_as_far_as_they_go() -> None:
    result: dict[str, Any] = {"role": "toolResult", "toolName": "ToolSearch"}
    journal: list[dict[str, Any]] = [
        result | {"details": {"matched": ["a"]}},
        result | {"details": {"loaded": "bcd"}},
        result | {"details": None},
        result | {"toolName": "Read", "details": {"loaded": ["e"]}},
        {"role": "compactionSummary", "activatedTools": ["f", 7, None]},
        {},
    ]
    assert list(journaled_loads(journal)) == ["a", "f"]
