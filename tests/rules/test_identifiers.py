"""The names under which tools are called."""

import pytest
from codemode_rules.identifiers import normalise
from hypothesis import given
from hypothesis import strategies as st


@pytest.mark.parametrize(
    "name, identifier",
    [("1st", "_st"), ("a1", "a1"), ("a\nb\n", "a_b_"), ("😀", "_"), ("\n", "_"), ("-9", "_9")],
)
def test_every_refused_code_point_becomes_one_underscore(name: str, identifier: str) -> None:
    assert normalise(name) == identifier


@given(st.text(min_size=1))
def test_an_identifier_is_ascii_of_the_same_length_and_stays_as_it_is(name: str) -> None:
    identifier = normalise(name)
    assert len(identifier) == len(name)
    assert identifier.isascii()
    assert identifier.replace("$", "_").isidentifier()
    assert normalise(identifier) == identifier
