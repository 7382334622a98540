"""Searches for tools: any query, any number of tools."""

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st
from toolbridge.errors import SearchError
from toolbridge.search.index import ToolIndex
from toolbridge.search.okapi import Okapi
from toolbridge.search.scope import SearchScope
from toolbridge.search.terms import terms_of, tool_text
from toolbridge.search.tool_search import search_tools

from toolbridge import Tool


def tool(name: str, description: str = "", **more: Any) -> Tool:
    return Tool(name, source="s", description=description, **more)


def scope_of(*tools: Tool, **more: Any) -> SearchScope:
    return SearchScope(tools, frozenset(one.raw_name for one in tools), **more)


def found(query: str, *tools: Tool) -> list[str]:
    return [one.raw_name for one in search_tools(query, scope_of(*tools)).loaded]


# Words


@pytest.mark.parametrize(
    "text, terms",
    [
        ("DiscordCreateChannel", ["discord", "create", "channel"]),
        ("parseHTTPResponse2Json", ["parse", "http", "response2", "json"]),
        ("mcp__git__list-issues", ["mcp", "git", "list", "issue"]),
        ("queries boxes matches glass is", ["query", "box", "match", "glass"]),
        ("classes gas bus has", ["class", "gas", "bus", "has"]),
        ("Größe der Datei", ["größe", "der", "datei"]),
        ("天气 forecast", ["天", "气", "forecast"]),
        ("the of a", []),
        ("", []),
    ],
)
def test_a_text_has_these_terms(text: str, terms: list[str]) -> None:
    assert terms_of(text) == terms


def test_a_tool_is_found_by_its_parameters_at_any_depth() -> None:
    schema = {
        "properties": {
            "filters": {
                "items": {"anyOf": [{"oneOf": [{"properties": {"zipcode": {}}}]}, {"type": "null"}]}
            }
        }
    }
    assert found("zipcode", tool("a", input_schema=schema), tool("b")) == ["a"]


def test_a_schema_that_holds_itself_is_read_to_an_end() -> None:
    schema: dict[str, Any] = {"description": "inner"}
    schema["items"] = schema
    assert "inner" in tool_text(tool("a", input_schema=schema))


# Numbers of tools


def test_no_tools_no_results() -> None:
    assert found("anything") == []


def test_the_only_tool_is_found_by_its_words() -> None:
    assert found("note", tool("read_note")) == ["read_note"]


def test_among_two_tools_each_is_found_by_its_own_and_their_common_words() -> None:
    two = tool("read_note"), tool("write_note")
    assert found("write", *two) == ["write_note"]
    assert found("read note", *two) == ["read_note", "write_note"]


def test_among_ten_thousand_tools_the_one_is_first() -> None:
    many = [tool(f"tool_{n}", f"does thing {n}") for n in range(10_000)]
    many[7_000] = tool("make_tea", "boils water")
    assert found("boil some tea water", *many)[0] == "make_tea"


def test_equals_keep_their_order_of_registration_however_many() -> None:
    many = [tool(f"t{n}", "same words" if n % 2 else "same words, and others") for n in range(200)]
    assert ToolIndex(many).ranked("same words") == many[1::2] + many[::2]


# Names


def test_an_exact_name_comes_first_whatever_else_matches() -> None:
    tools = tool("list_all", "list list files files"), tool("list_files"), tool("files_list")
    assert found("List_Files", *tools)[0] == "list_files"


def test_a_name_is_exact_without_its_namespace_and_as_scripts_write_it() -> None:
    named = tool("get-it", namespace="mcp__x")
    others = tool("get", "get it get it"), tool("it", "get it")
    for query in ("get-it", "mcp__x__get-it", "mcp__x__get_it"):
        assert found(query, *others, named)[0] == "mcp__x__get-it"


def test_a_name_of_stop_words_can_be_said_exactly() -> None:
    assert found("the", tool("the")) == ["the"]


# Choosing


def test_select_takes_raw_names_and_identifiers() -> None:
    dashed = tool("a-b")
    assert found("select:a_b", dashed) == found("SELECT: a-b ,", dashed) == ["a-b"]


def test_select_tells_loaded_active_refused_and_unknown_apart() -> None:
    tools = tool("a", "first\nsecond"), tool("b"), tool("c")
    scope = scope_of(*tools, loaded=frozenset({"b"}), is_permitted=lambda one: one.name != "c")
    outcome = search_tools("select:a,b,c,d,d", scope)
    assert outcome.details == {
        "loaded": ["a"],
        "active": ["b"],
        "refused": ["c"],
        "unknown": ["d"],
    }
    assert outcome.text == (
        "Loaded 1 tool. They are available from your next call:\n- a: first\n"
        "Callable already: b\nNot permitted here: c\nNo such tool: d"
    )


def test_select_without_names_finds_nothing() -> None:
    assert search_tools("select: , ", scope_of(tool("a"))).text == "No matching tools found."


def test_words_find_neither_what_is_loaded_nor_what_is_not_permitted() -> None:
    tools = tool("note_a"), tool("note_b"), tool("note_c")
    scope = scope_of(
        *tools, loaded=frozenset({"note_a"}), is_permitted=lambda one: one.name != "note_b"
    )
    assert [one.name for one in search_tools("note", scope, limit=1).loaded] == ["note_c"]
    assert search_tools("note_b", scope).loaded == (tools[2],)


@pytest.mark.parametrize("query", ["", "  \n"])
def test_a_query_without_words_is_refused(query: str) -> None:
    with pytest.raises(SearchError, match=r"^query must not be empty$"):
        search_tools(query, scope_of())


@pytest.mark.parametrize("limit", [0, -1, 1.5, float("nan"), float("inf"), True, "3"])
def test_a_limit_that_is_no_positive_integer_is_refused(limit: Any) -> None:
    with pytest.raises(SearchError, match=r"^limit must be a positive integer$"):
        search_tools("x", scope_of(), limit=limit)


def test_a_whole_number_with_a_point_is_a_limit() -> None:
    assert (
        len(search_tools("a", scope_of(tool("a1", "a b"), tool("b1", "b")), limit=1.0).loaded) <= 1
    )


# Anything

ANYTHING = settings(max_examples=50, deadline=None)
WORDS = st.text(max_size=40)
TOOLS = st.lists(
    st.builds(
        tool,
        st.text(min_size=1, max_size=12),
        WORDS,
        input_schema=st.none()
        | st.dictionaries(
            st.sampled_from(["description", "properties", "items", "anyOf"]),
            st.recursive(
                st.none() | st.text(max_size=8),
                lambda below: (
                    st.lists(below, max_size=3)
                    | st.dictionaries(st.text(max_size=8), below, max_size=3)
                ),
                max_leaves=6,
            ),
        ),
    ),
    max_size=6,
    unique_by=lambda one: one.raw_name,
)


@ANYTHING
@given(TOOLS, WORDS)
def test_a_search_never_fails_and_always_says_the_same(tools: list[Tool], query: str) -> None:
    assume(query.strip())
    scope = scope_of(*tools)
    first = search_tools(query, scope)
    again = search_tools(query, scope_of(*(replace(one) for one in tools)))
    assert first.details == again.details
    assert first.text == again.text
    assert set(first.details["loaded"]) <= scope.deferred


@ANYTHING
@example([["a"], ["a", "a", *"bcdbcd"], ["b"] * 300], {2}, ["a"])
@given(
    st.lists(st.lists(st.sampled_from("abcd"), min_size=1, max_size=9), min_size=1, max_size=9),
    st.sets(st.integers(0, 8)),
    st.lists(st.sampled_from("abcde"), unique=True),
)
def test_what_is_left_out_has_no_say_in_the_ranking(
    documents: list[list[str]], out: set[int], terms: list[str]
) -> None:
    kept = [at for at in range(len(documents)) if at not in out]
    ranked = Okapi(documents).best(terms, out.intersection(range(len(documents))))
    if not kept:
        assert ranked == []
        return
    assert ranked == [kept[at] for at in Okapi([documents[at] for at in kept]).best(terms)]


@ANYTHING
@given(TOOLS.filter(bool), st.data())
def test_every_tool_is_first_under_its_own_name(tools: list[Tool], data: st.DataObject) -> None:
    wanted = data.draw(st.sampled_from(tools))
    name = wanted.raw_name.strip()
    ranked = ToolIndex(tools).ranked(name) if name else []
    same = [one for one in tools if name.casefold() in _names(one)]
    assert ranked[: len(same)] == same


def _names(one: Tool) -> set[str]:
    return {one.raw_name.casefold(), one.identifier.casefold(), one.name.casefold()}
