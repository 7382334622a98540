"""What people have said for the rest of the session: yes or no to a tool of a source.

Answers for the same arguments are kept by a hash of the arguments' canonical JSON, so that no
secret is kept for it.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

from toolbridge.gate.approvals import Answer
from toolbridge.json_values import JsonValue
from toolbridge.tools import Tool


@dataclass(frozen=True, slots=True)
class Grant:
    """One answer that is remembered: SESSION, SAME or NEVER."""

    answer: Answer
    tool: str
    """Raw name."""
    source: str
    principal: str | None
    arguments: JsonValue = None
    """With SAME: those of the call it was said about, without secret values."""


_Key: TypeAlias = tuple[str, str, str | None, str]


class Grants:
    """The answers of one toolbox. They belong to whoever gave them."""

    def __init__(self) -> None:
        self._by_key: dict[_Key, Grant] = {}

    def remember(
        self,
        answer: Answer,
        tool: Tool,
        arguments: JsonValue,
        principal: str | None,
        *,
        shown: JsonValue,
    ) -> None:
        """Keep an answer for the session; `shown` is `arguments` without secret values."""
        same = answer is Answer.SAME
        grant = Grant(answer, tool.raw_name, tool.source, principal, shown if same else None)
        self._by_key[_key(tool, principal, arguments if same else None)] = grant

    def about(self, tool: Tool, arguments: JsonValue, principal: str | None) -> Grant | None:
        """The answer that covers a call."""
        if not self._by_key:
            return None
        whole = self._by_key.get(_key(tool, principal, None))
        return whole or self._by_key.get(_key(tool, principal, arguments))

    def of(self, principal: str | None) -> Sequence[Grant]:
        """Everything that `principal` said, oldest first."""
        return [grant for grant in self._by_key.values() if grant.principal == principal]

    def clear(self) -> None:
        """Forget everything."""
        self._by_key.clear()


def _key(tool: Tool, principal: str | None, arguments: JsonValue) -> _Key:
    return tool.source, tool.raw_name, principal, _digest(arguments)


def _digest(arguments: JsonValue) -> str:
    """Of the canonical JSON; empty for "whatever the arguments are"."""
    if arguments is None:
        return ""
    text = json.dumps(arguments, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()
