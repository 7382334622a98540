"""A memory for ids that were used, bounded so that a long-lived connection does not grow."""

from __future__ import annotations

from collections import deque
from collections.abc import Hashable
from typing import Generic, TypeVar

T = TypeVar("T", bound=Hashable)

REMEMBERED_IDS = 4096
"""Requests and sessions each: how far back a reuse is noticed (contract 11.7)."""


class Recent(Generic[T]):
    """The last `limit` values that were added."""

    def __init__(self, limit: int = REMEMBERED_IDS) -> None:
        self._limit = limit
        self._order: deque[T] = deque()
        self._known: set[T] = set()

    def __contains__(self, value: T) -> bool:
        return value in self._known

    def add(self, value: T) -> None:
        """Remember `value`, which must not be known yet."""
        self._known.add(value)
        self._order.append(value)
        if len(self._order) > self._limit:
            self._known.discard(self._order.popleft())
