"""One spelling for every argument: other dialects' names are turned into ours.

Rules, questions and approvals see this spelling only, so that a call cannot slip past a rule about
`cmd` by saying `command`.
"""

from __future__ import annotations

from collections.abc import Mapping

from toolbridge.errors import ArgumentsRefusedError
from toolbridge.json_values import JsonValue

EXEC_ALIASES: Mapping[str, str] = {
    "command": "cmd",
    "cwd": "workdir",
    "yieldTimeMs": "yield_time_ms",
    "maxOutputTokens": "max_output_tokens",
    "maxOutputBytes": "max_output_bytes",
}
STDIN_ALIASES: Mapping[str, str] = {
    "sessionId": "session_id",
    "input": "chars",
    "yieldTimeMs": "yield_time_ms",
    "maxOutputTokens": "max_output_tokens",
    "maxOutputBytes": "max_output_bytes",
    "closeStdin": "close_stdin",
}


def canonical(
    arguments: Mapping[str, JsonValue], aliases: Mapping[str, str]
) -> dict[str, JsonValue]:
    """`arguments` under our names, in their order.

    The same value under two names counts once; two values for one thing raise
    `ArgumentsRefusedError`.
    """
    read: dict[str, JsonValue] = {}
    spelled: dict[str, str] = {}
    for name, value in arguments.items():
        ours = aliases.get(name, name)
        if ours in read and not _same(read[ours], value):
            raise ArgumentsRefusedError(
                f"failed to parse function arguments: `{spelled[ours]}` and `{name}` mean the same "
                "and hold different values"
            )
        read.setdefault(ours, value)
        spelled.setdefault(ours, name)
    return read


def _same(one: JsonValue, other: JsonValue) -> bool:
    """Whether two values are one in JSON, where `true` is not 1."""
    return type(one) is type(other) and one == other
