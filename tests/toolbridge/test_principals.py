"""Who is who, and what is whose."""

import pytest
from toolbridge.errors import PrincipalUnknownError
from toolbridge.principals import Partition, belongs_to, principal_of

from toolbridge import Tool


def test_an_account_names_its_principal_whatever_the_platform() -> None:
    assert principal_of(account=2, platform="chat", sender="x") == "account:2"


def test_somebody_without_an_account_is_named_by_platform_and_sender() -> None:
    assert principal_of(platform="chat", sender="x") == "chat:x"


def test_the_account_number_zero_is_an_account() -> None:
    assert principal_of(account=0) == "account:0"


@pytest.mark.parametrize(
    "who", [{}, {"platform": "chat"}, {"sender": "x"}, {"account": "", "platform": "", "sender": 1}]
)
def test_nobody_in_particular_is_refused(who: dict[str, str]) -> None:
    with pytest.raises(PrincipalUnknownError, match="does not say who sends it"):
        principal_of(**who)


def test_a_personal_tool_belongs_to_its_owners_alone() -> None:
    vault = Tool("vault", source="s", owners=frozenset({"account:2"}))
    assert belongs_to(vault, "account:2")
    assert not belongs_to(vault, "account:3")
    assert not belongs_to(vault, None)
    assert belongs_to(Tool("read", source="s"), None)


def test_everybody_has_one_part_of_their_own() -> None:
    parts = Partition[list[str]](lambda principal: [], shared=True)
    parts.of("chat:a").append("hers")
    assert parts.of("chat:a") == ["hers"]
    assert parts.of("chat:b") == []
    assert len(parts.all()) == 2


@pytest.mark.parametrize("nobody", [None, ""])
def test_strangers_share_no_part(nobody: str | None) -> None:
    parts = Partition[list[str]](lambda principal: [], shared=True)
    with pytest.raises(PrincipalUnknownError):
        parts.of(nobody)
    assert parts.all() == []


def test_the_only_writer_needs_no_name() -> None:
    parts = Partition[list[str]](lambda principal: [], shared=False)
    assert parts.of(None) is parts.of(None)


def test_a_dropped_part_is_given_back_and_made_anew() -> None:
    parts = Partition[list[str]](lambda principal: [], shared=True)
    part = parts.of("chat:a")
    assert parts.drop("chat:a") is part
    assert parts.drop("chat:a") is None
    assert parts.of("chat:a") is not part
