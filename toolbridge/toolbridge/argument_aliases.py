"""One spelling for every argument: other dialects' names are turned into a tool's own.

Rules, questions and approvals see this spelling only, so that a call cannot slip past a rule about
`cmd` by saying `command`.
"""

from __future__ import annotations

from collections.abc import Mapping

from toolbridge.errors import ArgumentsRefusedError
from toolbridge.json_values import JsonValue


def canonical(
    arguments: Mapping[str, JsonValue], aliases: Mapping[str, str]
) -> dict[str, JsonValue]:
    """`arguments` under their own names, in their order; `aliases` gives the name for an alias.

    The same value under two names counts once; two values for one thing raise
    `ArgumentsRefusedError`.
    """
    read: dict[str, JsonValue] = {}
    spelled: dict[str, str] = {}
    for name, value in arguments.items():
        own = aliases.get(name, name)
        if own in read and not _same(read[own], value):
            raise ArgumentsRefusedError(
                f"failed to parse function arguments: `{spelled[own]}` and `{name}` mean the same "
                "and hold different values"
            )
        read.setdefault(own, value)
        spelled.setdefault(own, name)
    return read


def _same(one: JsonValue, other: JsonValue) -> bool:
    """Whether two values are one in JSON, where `true` is not 1."""
    return type(one) is type(other) and one == other
