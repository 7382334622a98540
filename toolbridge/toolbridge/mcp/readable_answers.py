"""Ends a request at once when its answer cannot be read.

The SDK drops a line on a server's stdout that is no message of the protocol, and what waits for it
waits for its whole limit. Where such a line still says which request it answers, an error of the
protocol stands for it. Of a list of tools, those that can be read are kept: one bad tool does not
cost the others.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from types import TracebackType
from typing import Any, Self

from mcp.shared.message import SessionMessage
from mcp_types import JSONRPCError, JSONRPCResponse
from pydantic import ValidationError

from toolbridge.json_values import NotJsonError, strict_json
from toolbridge.mcp.no_answer import no_answer

Item = SessionMessage | Exception


class ReadableAnswers:
    """A stream of what a server says, in which every answer is a message."""

    def __init__(self, stream: Any, note: Callable[[ValidationError], None]) -> None:
        """`note` is told of each answer that is none."""
        self._stream = stream
        self._note = note

    @property
    def last_context(self) -> Any:
        """Of the stream, where it has one."""
        return getattr(self._stream, "last_context", None)

    async def receive(self) -> Item:
        """The next one."""
        return self._readable(await self._stream.receive())

    async def aclose(self) -> None:
        """Take no more."""
        await self._stream.aclose()

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> Item:
        return self._readable(await self._stream.__anext__())

    async def __aenter__(self) -> Self:
        await self._stream.__aenter__()
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        await self._stream.__aexit__(kind, error, traceback)

    def _readable(self, item: Item) -> Item:
        if not isinstance(item, ValidationError):
            return item
        said = next(_answers_in(item), None)
        if said is None:
            return item
        self._note(item)
        listing = _readable_listing(said)
        if listing is not None:
            return SessionMessage(JSONRPCResponse(jsonrpc="2.0", id=said["id"], result=listing))
        error = no_answer("an answer that is no message of the protocol")
        return SessionMessage(JSONRPCError(jsonrpc="2.0", id=said["id"], error=error))


def _readable_listing(said: dict[str, Any]) -> dict[str, Any] | None:
    """The result that lists tools, without those that no message can hold; None for other answers
    and for a list that is wrong in another way."""
    result = said.get("result")
    if said.get("jsonrpc") != "2.0" or not isinstance(result, dict):
        return None
    if not isinstance(result.get("tools"), list):
        return None
    listing = {**result, "tools": [tool for tool in result["tools"] if _is_json(tool)]}
    return listing if _is_json(listing) else None


def _is_json(value: Any) -> bool:
    try:
        strict_json(value)
    except NotJsonError:
        return False
    return True


def _answers_in(error: ValidationError) -> Iterator[dict[str, Any]]:
    """The refused line where it answers a request, with the request's id; else nothing."""
    for fault in error.errors(include_url=False, include_context=False):
        said = fault["input"]
        if isinstance(said, str | bytes):
            try:
                said = json.loads(said)
            except (ValueError, RecursionError):
                continue
        if isinstance(said, dict) and "method" not in said and said.keys() & {"result", "error"}:
            answered = said.get("id")
            if isinstance(answered, int | str) and not isinstance(answered, bool):
                yield said
