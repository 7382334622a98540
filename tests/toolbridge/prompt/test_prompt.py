"""What a model is told: the texts, what replaces them, and the facts about models."""

import json
from typing import Any

import pytest
from codemode_rules.pragma import parse_exec_source
from codemode_rules.wait_arguments import parse_wait_arguments
from toolbridge.prompt import texts
from toolbridge.prompt.exec_tool import GRAMMAR, ExecText, exec_description
from toolbridge.prompt.messages import Messages, MessagesError, parse_messages
from toolbridge.prompt.model_facts import UNKNOWN, ModelFacts, facts_of
from toolbridge.prompt.wait_tool import INVALID_PARAMETERS, PARAMETERS, parse_parameters, wait_tool
from toolbridge.tools import Section

from toolbridge import Kind, Tool

HELPERS = (
    "exit text image audio generatedImage store load notify setTimeout clearTimeout yield_control"
)
MCP_RESULT = {
    "properties": {
        "content": {"type": "array", "items": {"type": "object"}},
        "isError": {"type": "boolean"},
        "_meta": {"type": "object"},
    }
}


# exec


def test_our_own_description_tells_every_helper_and_default() -> None:
    description = exec_description([], text=ExecText(default_yield_time_ms=4321))
    for helper in HELPERS.split():
        assert f"`{helper}(" in description
    for fact in ("`ALL_TOOLS`", "4321 ms", "10000", "`tools`", "Promise.all", "// @exec:"):
        assert fact in description
    assert "{{" not in description


def test_the_pragma_of_the_description_is_one() -> None:
    (line,) = [line for line in texts.EXEC.splitlines() if "@exec" in line]
    pragma = line.split("`")[1]
    parsed = parse_exec_source(f"{pragma}\ntext(1)")
    assert (parsed.yield_time_ms, parsed.max_output_tokens) == (10_000, 1_000)


@pytest.mark.parametrize("helper", [texts.IMAGE_HELPER_PLAIN, texts.IMAGE_HELPER_WITH_DETAIL])
def test_the_image_helper_is_told_as_the_model_takes_images(helper: str) -> None:
    assert f"- {helper}\n" in exec_description([], text=ExecText(image_helper=helper))


def test_a_replaced_text_is_not_searched_for_placeholders_again() -> None:
    messages = Messages(exec_description=f"{texts.IMAGE_HELPER}", deferred_guidance="")
    text = ExecText(messages, image_helper=texts.YIELD_TIME, always_mcp_types=False)
    assert exec_description([], text=text) == texts.YIELD_TIME


def test_placeholders_are_those_of_the_exec_text_alone() -> None:
    messages = Messages(exec_description="", deferred_guidance=texts.YIELD_TIME, mcp_types="")
    assert exec_description([], text=ExecText(messages)) == texts.YIELD_TIME


def test_shared_types_are_told_always_or_when_a_tool_gives_them_deferred_or_not() -> None:
    mcp = Tool("a", source="mcp:x", output_schema=MCP_RESULT)
    when_used = ExecText(always_mcp_types=False)
    assert texts.MCP_TYPES in exec_description([])
    assert texts.MCP_TYPES not in exec_description([Tool("b", source="s")], text=when_used)
    assert texts.MCP_TYPES in exec_description([mcp], {"a"}, when_used)


def test_deferring_changes_nothing_but_the_tools_own_section() -> None:
    tools = [Tool("a", source="s", description="A"), Tool("b", source="s", description="B")]
    assert exec_description(tools, {"b"}) == exec_description(tools[:1])
    assert exec_description(tools, {"a", "b"}) == exec_description([])


def test_sections_are_in_byte_order_with_their_heading_once() -> None:
    calendar = Section("calendar", " Use ISO dates.\n")
    tools = [
        Tool("b", source="s", section=calendar),
        Tool("plain", source="s", kind=Kind.FREEFORM),
        Tool("a", source="s", section=calendar),
        Tool("x", source="s", namespace="mcp__x"),
    ]
    lines = exec_description(tools).splitlines()
    assert [line for line in lines if line.startswith("#")] == [
        "### `plain`",
        "## calendar",
        "### `a`",
        "### `b`",
        "### `mcp__x__x`",
    ]
    assert lines[lines.index("## calendar") + 1] == "Use ISO dates."


def test_the_bound_of_argument_types_can_only_be_widened() -> None:
    wide = {
        "properties": {f"p{n}": {"type": "string", "description": "d" * 80} for n in range(200)}
    }
    tool = Tool("a", source="s", input_schema=wide)
    for bound in (None, 0, 10):
        assert "a(args: unknown)" in exec_description([tool], text=ExecText(input_max_bytes=bound))
    narrow = Tool("b", source="s", input_schema={"properties": {"path": {"type": "string"}}})
    assert "path?: string" in exec_description([narrow], text=ExecText(input_max_bytes=1))
    assert "p199?" in exec_description([tool], text=ExecText(input_max_bytes=40_000))


def test_the_grammar_begins_and_ends_with_a_new_line() -> None:
    assert GRAMMAR.startswith("\nstart: ")
    assert GRAMMAR.endswith("SOURCE: /[\\s\\S]+/\n")


# wait


def test_our_own_wait_takes_what_the_kernel_takes() -> None:
    tool = wait_tool()
    assert tool.warning is None
    assert tool.parameters["required"] == ["cell_id"]
    example = {"cell_id": "1", "yield_time_ms": 5, "max_tokens": 6, "terminate": True}
    assert example.keys() == tool.parameters["properties"].keys()
    assert parse_wait_arguments(json.dumps(example)).max_tokens == 6
    for name in example:
        assert f"`{name}" in tool.description


def test_the_texts_of_wait_can_be_replaced_and_taken_out() -> None:
    assert wait_tool(Messages(wait_description="")).description == ""
    assert wait_tool(Messages(wait_description=texts.YIELD_TIME)).description == texts.YIELD_TIME
    own = wait_tool(Messages(wait_parameters='{"type":"object"}'))
    assert (own.parameters, own.warning) == ({"type": "object"}, None)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "null",
        '{"type":"object","enum":[NaN]}',
        '{"type":"object","properties":[]}',
        '{"type":"object","properties":{"a":null}}',
        '{"type":"object","properties":{"a":{"type":"text"}}}',
        '{"type":"object","properties":{"a":{"type":[1]}}}',
        '{"type":"object","properties":{"a":{"description":1}}}',
        '{"type":"object","properties":{"a":{"items":true}}}',
        '{"type":"object","properties":{"a":{"anyOf":[true]}}}',
        '{"type":"object","properties":{"a":{"enum":{}}}}',
        '{"type":"object","additionalProperties":1}',
        '{"type":null}',
        '{"type":"array"}',
        '{"type":"object","items":' * 3000 + "{}" + "}" * 3000,
    ],
)
def test_parameters_that_the_wire_cannot_hold_leave_ours(text: str) -> None:
    tool = wait_tool(Messages(wait_parameters=text))
    assert (tool.parameters, tool.warning) == (PARAMETERS, INVALID_PARAMETERS)


def test_null_options_are_left_out() -> None:
    text = '{"type":"object","description":null,"items":{"type":null,"enum":[null]}}'
    assert parse_parameters(text) == {"type": "object", "items": {"enum": [None]}}


def test_other_properties_are_a_schema_or_a_boolean() -> None:
    text = '{"type":"object","additionalProperties":{"type":"string","x":1}}'
    assert parse_parameters(text) == {
        "type": "object",
        "additionalProperties": {"type": "string"},
    }


# Replacements


def test_messages_are_read_in_the_spelling_of_model_catalogs() -> None:
    config = {
        "exec": {"description": "E", "parameters": {"retired": True}},
        "wait": {"description": "", "parameters": "{}"},
        "deferred_nested_tools_guidance": " ",
        "mcp_typescript_preamble": None,
    }
    assert parse_messages(config) == Messages("E", "", "{}", " ", None)


@pytest.mark.parametrize(
    "config, message",
    [
        ({"execute": {}}, "messages: `execute` is unknown"),
        ({"wait": {"grammar": ""}}, "messages: `wait.grammar` is unknown"),
        ({"wait": "x"}, "messages: `wait` is unknown"),
        ({"wait": {"parameters": {}}}, "messages: `wait.parameters` has to be a string"),
    ],
)
def test_messages_that_cannot_be_read_are_refused(config: dict[str, Any], message: str) -> None:
    with pytest.raises(MessagesError) as refused:
        parse_messages(config)
    assert str(refused.value) == message


# Models


@pytest.mark.parametrize(
    "model, lite",
    [
        ("gpt-6-astra", True),
        ("openai/gpt-5.6-luna-2026", True),
        ("gpt-5.5-mini", False),
        ("gpt-daybreak-red-latest", True),
        ("some-model", None),
        ("", None),
        ("openai/", None),
        ("/gpt-6-sol", None),
        ("öpen/gpt-6-sol", None),
    ],
)
def test_a_model_is_known_by_its_longest_slug(model: str, lite: bool | None) -> None:
    assert facts_of(model).use_responses_lite is lite


def test_the_longest_slug_decides() -> None:
    known = {"m": ModelFacts(input_schema_max_bytes=1), "m-2": ModelFacts(input_schema_max_bytes=2)}
    assert facts_of("m-2-x", known=known).input_schema_max_bytes == 2
    assert facts_of("m-3", known=known).input_schema_max_bytes == 1


def test_overrides_win_one_by_one() -> None:
    facts = facts_of("gpt-6-sol", ModelFacts(input_schema_max_bytes=0))
    assert facts == ModelFacts(use_responses_lite=True, input_schema_max_bytes=0)
    assert facts_of("unheard-of") == UNKNOWN
