"""Unfinished sources, and what must be offered at their cursor."""

import json
from pathlib import Path
from typing import Any

import pytest
from codemode_kernel.completion.reply import complete_reply
from codemode_kernel.completion.surroundings import Surroundings

from tests.kernel.completion.surroundings import SURROUNDINGS

TABLE = json.loads((Path(__file__).parent / "unfinished.json").read_text(encoding="utf-8"))
CASES = [case for name, cases in TABLE.items() if name != "help" for case in cases]


def complete(source: str, surroundings: Surroundings = SURROUNDINGS) -> dict[str, Any]:
    """The reply at the caret in `source`."""
    before, caret, after = source.partition("‸")
    assert caret
    return complete_reply(before + after, len(before), surroundings)


def test_the_table_is_long_enough() -> None:
    assert len({case["source"] for case in CASES}) == len(CASES) >= 80


@pytest.mark.parametrize("case", CASES, ids=[case["source"] for case in CASES])
def test_offers_what_belongs_at_the_cursor(case: dict[str, Any]) -> None:
    matches = complete(case["source"])["matches"]
    assert case.keys() & {"only", "first", "has", "lacks"}
    if "only" in case:
        assert sorted(matches) == sorted(case["only"])
    first = case.get("first", [])
    assert matches[: len(first)] == first
    assert set(case.get("has", [])) <= set(matches)
    assert not set(case.get("lacks", [])) & set(matches)


def test_positions_count_code_points() -> None:
    reply = complete("text('😀𝒳'); const é = tools.exec‸")
    assert (reply["cursor_start"], reply["cursor_end"]) == (28, 32)
    assert reply["matches"] == ["exec_command"]


def test_each_match_has_a_type_and_a_signature() -> None:
    reply = complete("tools.exec_c‸")
    (typed,) = reply["metadata"]["_jupyter_types_experimental"]
    assert typed["type"] == "function"
    assert typed["text"] == "exec_command"
    assert typed["signature"].startswith("({ cmd, workdir?, ")
    assert (typed["start"], typed["end"]) == (6, 12)


@pytest.mark.parametrize(
    "source, kind",
    [
        ("tex‸", "function"),
        ("const mine = 1; min‸", "instance"),
        ("con‸", "keyword"),
        ("tools.search_docs({qu‸", "property"),
        ('tools.search_docs({mode: "f‸', "value"),
        ("%wa‸", "magic"),
        ("%wait --a‸", "option"),
        ("%wait 2‸", "cell"),
    ],
)
def test_types_tell_sorts_apart(source: str, kind: str) -> None:
    types = complete(source)["metadata"]["_jupyter_types_experimental"]
    assert kind in [typed["type"] for typed in types]


def test_a_cell_is_shown_with_where_it_was_written() -> None:
    types = complete("%wait 2‸")["metadata"]["_jupyter_types_experimental"]
    assert types[0]["signature"].startswith("In [2], running, ")


@pytest.mark.parametrize("cursor", [-5, 99])
def test_a_cursor_outside_of_the_text_is_moved_to_its_edge(cursor: int) -> None:
    reply = complete_reply("tex", cursor, SURROUNDINGS)
    assert reply["cursor_end"] == (0 if cursor < 0 else 3)


def test_the_nearest_code_is_enough_in_a_very_long_script() -> None:
    line = "const a = await tools.exec_command({cmd: 'ls'});\n"
    reply = complete(line * 2000 + "tools.exec_c‸\n" + line * 2000)
    assert reply["matches"] == ["exec_command"]
