"""Whom things belong to.

A principal is one person as a kernel knows them, a plain string. Cells, stored values, approvals,
personal tools and loaded tools belong to one. A kernel of one writer knows no names: its only
principal is None. A shared one refuses whoever it cannot name, because the alternative is a bucket
that strangers share.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, TypeVar

from toolbridge.errors import PrincipalUnknownError
from toolbridge.tools import Tool

ACCOUNT_REALM = "account"

T = TypeVar("T")


def principal_of(
    *, account: object = None, platform: str | None = None, sender: object = None
) -> str:
    """The principal of a turn: `account:ID`, or `PLATFORM:SENDER` for somebody without one.

    Raises `PrincipalUnknownError` when neither is known.
    """
    if _is_named(account):
        return f"{ACCOUNT_REALM}:{account}"
    if platform and _is_named(sender):
        return f"{platform}:{sender}"
    raise PrincipalUnknownError


def belongs_to(tool: Tool, principal: str | None) -> bool:
    """Whether `principal` may see and call `tool`. No rule and no setting widens this."""
    return tool.owners is None or principal in tool.owners


class Partition(Generic[T]):
    """One `T` for each principal, made when its principal is first met."""

    def __init__(self, make: Callable[[str | None], T], *, shared: bool) -> None:
        self._make = make
        self._shared = shared
        self._parts: dict[str | None, T] = {}

    def of(self, principal: str | None) -> T:
        """What is `principal`'s own.

        Raises `PrincipalUnknownError` for nobody in particular, where several people share.
        """
        if self._shared and not principal:
            raise PrincipalUnknownError
        if principal not in self._parts:
            self._parts[principal] = self._make(principal)
        return self._parts[principal]

    def drop(self, principal: str | None) -> T | None:
        """Forget what is `principal`'s and give it back, to be closed; None: there was nothing."""
        return self._parts.pop(principal, None)

    def all(self) -> list[T]:
        """What everybody has."""
        return list(self._parts.values())


def _is_named(value: object) -> bool:
    return value is not None and value != ""
