"""The loader `find_tools`: tells before it loads, and never splits what belongs together."""

import pytest
from toolbridge.errors import SearchError
from toolbridge.search.find_tools import Finder, State
from toolbridge.search.scope import SearchScope

from toolbridge import Tool

SHELL = [
    Tool(name, source="shell", description=f"{name} of a shell", group="shell")
    for name in ("exec_command", "write_stdin")
]
SCREEN = [
    Tool(name, source="screen", description="Of the screen", group="screen")
    for name in ("look", "click", "type")
]
DRAW = Tool("draw_image", source="images", description="Draws\nan image")
MANAGED = [tool.raw_name for tool in (*SHELL, *SCREEN, DRAW)]


def finder(
    *missing: Tool, loaded: tuple[str, ...] = (), refused: str = "", atomic: tuple[str, ...] = ()
) -> Finder:
    tools = [tool for tool in (*SHELL, *SCREEN, DRAW) if tool not in missing]
    tools.append(Tool("other", source="s", description="an image too"))
    scope = SearchScope(
        tools, frozenset(MANAGED), frozenset(loaded), lambda tool: tool.raw_name != refused
    )
    return Finder(MANAGED, scope, atomic)


def test_a_query_tells_matches_and_loads_nothing() -> None:
    finding = finder().find("image")
    assert finding.value == {
        "matches": [{"name": "draw_image", "summary": "Draws an image", "state": "eligible"}],
        "loaded": [],
        "rejected": [],
    }


def test_states_are_told_with_the_reason() -> None:
    found = finder(DRAW, loaded=("click",), refused="look").find("draw screen")
    states = {match.name: (match.state, match.reason) for match in found.matches}
    assert states == {
        "draw_image": (State.UNAVAILABLE, "it is not offered"),
        "look": (State.UNAVAILABLE, "it is not permitted here"),
        "click": (State.ACTIVE, ""),
        "type": (State.ELIGIBLE, ""),
    }
    assert "unavailable: it is not offered" in str(found.value)


def test_a_query_gives_at_most_eight() -> None:
    tools = [Tool(f"t{n}", source="s", description="word") for n in range(20)]
    names = [tool.raw_name for tool in tools]
    scope = SearchScope(tools, frozenset(names))
    assert len(Finder(names, scope).find("word").matches) == 8


def test_a_load_takes_exact_managed_names() -> None:
    finding = finder().find(load=["draw_image", "Draw_Image", "other"])
    assert finding.loaded == ("draw_image",)
    assert finding.rejected == {
        "Draw_Image": "it is not managed here",
        "other": "it is not managed here",
    }


def test_what_is_active_is_not_loaded_again() -> None:
    assert finder(loaded=("draw_image",)).find(load=["draw_image"]).loaded == ()


def test_one_of_a_pair_is_loaded_alone_when_the_other_could_be() -> None:
    assert finder().find(load=["write_stdin"]).loaded == ("write_stdin",)


def test_one_of_a_pair_is_rejected_when_the_other_could_not_be() -> None:
    rejected = finder(refused="exec_command").find(load=["write_stdin", "exec_command"]).rejected
    assert rejected == {
        "write_stdin": "exec_command, which it needs: it is not permitted here",
        "exec_command": "it is not permitted here",
    }


def test_an_atomic_group_is_loaded_whole_or_not_at_all() -> None:
    assert finder(atomic=("screen",)).find(load=["click"]).loaded == ("look", "click", "type")
    finding = finder(refused="type", atomic=("screen",)).find(load=["click", "look"])
    assert finding.loaded == ()
    assert finding.rejected.keys() == {"click", "look"}


def test_a_part_of_an_atomic_group_cannot_be_managed() -> None:
    scope = SearchScope(SCREEN, frozenset())
    with pytest.raises(SearchError, match="`look` can be deferred only together with click, type"):
        Finder(["look"], scope, ["screen"])


def test_a_call_that_asks_for_nothing_is_refused() -> None:
    with pytest.raises(SearchError, match="needs `query` or `load`"):
        finder().find()
