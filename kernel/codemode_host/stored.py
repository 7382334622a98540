"""Stored values, by key: those of a session and those a running cell has written (contract 5)."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec
from msgspec import Struct

MAX_STORED_BYTES = 60 * 1024 * 1024
"""What a session keeps: together with a source of a whole frame it fits a worker's `START`."""


class _Value(Struct, frozen=True, gc=False):
    """JSON text, and the bytes that key and text take in a worker frame."""

    text: str
    size: int


class Stored:
    """JSON texts by key, in the order in which their keys were first stored; bounded."""

    def __init__(self) -> None:
        self._values: dict[str, _Value] = {}
        self._bytes = 0

    def put(self, key: str, text: str, size: int) -> bool:
        """Store `text` under `key`, which take `size` bytes in a worker frame, if it fits."""
        return self._merge({key: _Value(text, size)})

    def merge(self, later: Stored) -> bool:
        """Store all of `later` if it fits, else nothing; the last write of a key counts."""
        return self._merge(later._values)

    def remove(self, key: str) -> None:
        """Forget the value of `key`, if there is one."""
        value = self._values.pop(key, None)
        if value is not None:
            self._bytes -= value.size

    def clear(self) -> None:
        self._values.clear()
        self._bytes = 0

    def texts(self) -> dict[str, str]:
        return {key: value.text for key, value in self._values.items()}

    def raws(self) -> dict[str, msgspec.Raw]:
        return {key: msgspec.Raw(value.text.encode()) for key, value in self._values.items()}

    def _merge(self, values: Mapping[str, _Value]) -> bool:
        growth = sum(value.size for value in values.values())
        growth -= sum(self._values[key].size for key in values.keys() & self._values.keys())
        if self._bytes + growth > MAX_STORED_BYTES:
            return False
        self._values.update(values)
        self._bytes += growth
        return True
