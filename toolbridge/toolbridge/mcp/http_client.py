"""Ends a request over HTTP at once when what came for it is no answer.

The SDK hands on whatever message a server sends and waits for the one that has the request's id.
When a proxy answers with a page, or a server with another message, that one never comes; but over
HTTP each request has a response of its own, so nothing more will. Such a response is replaced by an
error of the protocol that says what was there instead. Streams of events are left to the SDK, which
ends a request with its stream.
"""

from __future__ import annotations

from typing import Any, Literal

import httpx2
import msgspec
from msgspec import UNSET, UnsetType

from toolbridge.mcp.no_answer import no_answer

JSON = "application/json"
EVENTS = "text/event-stream"


class _Request(msgspec.Struct):
    """What is read of a message that is sent; only requests have an id and a method."""

    id: int | str | None = None
    method: str | None = None


class _Error(msgspec.Struct):
    code: int
    message: str
    data: Any = None


class _Answer(msgspec.Struct, kw_only=True):
    """What is read of a response's body."""

    jsonrpc: Literal["2.0"]
    id: int | str | None
    result: dict[str, msgspec.Raw] | UnsetType = UNSET
    error: _Error | UnsetType = UNSET


class HttpClient(httpx2.AsyncClient):
    """The client of the SDK's transport, in which every response to a request holds an answer."""

    async def send(self, request: httpx2.Request, **options: Any) -> httpx2.Response:
        """Send a message. Redirects and refusals (4xx) are for the SDK, which tells them apart."""
        response = await super().send(request, **options)
        request_id = _request_id(request)
        if request_id is None or response.is_redirect or response.is_client_error:
            return response
        kind = _media_type(response)
        if response.is_success and kind == EVENTS:
            return response
        try:
            # Nothing else can hold an answer, and a page may be of any length.
            body = await response.aread() if kind == JSON else b""
        finally:
            await response.aclose()
        answer = _answer_in(body, request_id)
        if answer is None:
            what = f"HTTP {response.status_code} with {_described(kind, body)}"
            error = no_answer(what)
            return _refusal(request, request_id, error.code, error.message)
        if answer.id is None and answer.error is not UNSET:
            # Refused before its id was read; it can be about nothing but this request.
            return _refusal(request, request_id, answer.error.code, answer.error.message)
        return response


def _request_id(request: httpx2.Request) -> int | str | None:
    if request.method != "POST":
        return None
    sent = msgspec.json.decode(request.content, type=_Request)
    return None if sent.method is None else sent.id


def _answer_in(body: bytes, request_id: int | str) -> _Answer | None:
    """The answer to the request; None when the body is none."""
    try:
        answer = msgspec.json.decode(body, type=_Answer)
    except msgspec.DecodeError:
        return None
    if (answer.result is UNSET) == (answer.error is UNSET):
        return None
    if answer.id is None:
        return answer if answer.error is not UNSET else None
    return answer if str(answer.id) == str(request_id) else None


def _media_type(response: httpx2.Response) -> str:
    written = str(response.headers.get("content-type", ""))
    return written.partition(";")[0].strip().lower()


def _described(kind: str, body: bytes) -> str:
    if kind == JSON:
        return f"{kind} that does not answer the request" if body else "an empty body"
    return kind or "no content type"


def _refusal(
    request: httpx2.Request, request_id: int | str, code: int, message: str
) -> httpx2.Response:
    error = {"code": code, "message": message}
    body = {"jsonrpc": "2.0", "id": request_id, "error": error}
    return httpx2.Response(200, json=body, request=request)
