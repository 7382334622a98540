"""The error that stands for an answer which is none, and how it is told from a server's own."""

from __future__ import annotations

from mcp_types import CONNECTION_CLOSED, ErrorData

_BEGINNING = "no answer of MCP: "


def no_answer(instead: str) -> ErrorData:
    """An error of the protocol, in place of an answer; `instead` says what came."""
    return ErrorData(code=CONNECTION_CLOSED, message=_BEGINNING + instead)


def what_came_instead(code: int, message: str) -> str | None:
    """What `no_answer` was told; None for any other error."""
    if code != CONNECTION_CLOSED or not message.startswith(_BEGINNING):
        return None
    return message.removeprefix(_BEGINNING)
