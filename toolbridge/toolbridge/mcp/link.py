"""One connection to a server, on the official SDK.

Nothing but this module and what it is made of imports the SDK, and all of it is imported in a thread
when the first server starts: it takes seconds. The block of `open_link` is entered and left by one
task; the methods of the `Link` may be called from others.

Answers are passed on as the server sent them. The SDK checks them against the protocol first, which
is no reason to lose what was said, so they are noted before that.
"""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from contextvars import ContextVar
from importlib.metadata import version
from typing import Any

import anyio
import httpx2
import mcp_types as types
from mcp.client.session import ClientRequestContext, ClientSession, IncomingMessage
from mcp.client.stdio import StdioServerParameters, stdio_client
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.exceptions import MCPError
from mcp.shared.jsonrpc_dispatcher import JSONRPCDispatcher
from mcp.shared.transport_context import TransportContext
from pydantic import TypeAdapter, ValidationError

from toolbridge.calls import Progress
from toolbridge.gate.inquiries import Inquiry, Reply
from toolbridge.mcp.http_client import HttpClient
from toolbridge.mcp.listing import Listing
from toolbridge.mcp.no_answer import what_came_instead
from toolbridge.mcp.program_path import program_path
from toolbridge.mcp.readable_answers import ReadableAnswers
from toolbridge.mcp.settings import Http, ServerSettings, Stdio
from toolbridge.mcp.stderr import StderrTail

OnElicit = Callable[[Inquiry], Awaitable[Reply]]

MAX_PAGES = 100
"""Pages of a list that are read; a server that always names another one would never end."""

MAX_EVENT_BYTES = 64 * 1024 * 1024
"""Longest message over HTTP, as on the wire to the host."""

HTTP_TIMEOUT_S = 30.0
"""To connect and to send. How long an answer may take is each call's own affair."""

LOGGERS = ("mcp", "client", "httpx2")
"""Of the SDK. What they say is in our own errors, or in the kept stderr; they would print it."""

_ANSWER: TypeAdapter[Any] = TypeAdapter(dict[str, Any])
_received: ContextVar[list[dict[str, Any]] | None] = ContextVar("_received", default=None)


class CallRejected(Exception):
    """The server answered with an error of the protocol."""

    def __init__(self, code: int, message: str) -> None:
        super().__init__(message)
        self.code = code


class LinkLost(Exception):
    """The connection ended before an answer came; the text says how."""


class NoAnswer(Exception):
    """Something came in the answer's place, and no answer will; the text says what it was."""


class SessionForgotten(LinkLost):
    """The server does not know this connection any more; it did nothing of what was asked."""


LOST = ("Connection closed", "SSE stream ")
"""How the SDK's own errors of code -32000 begin. Servers use that code for errors of theirs."""

NO_MESSAGE = "Failed to parse SSE message"
"""How the SDK's error of code -32700 begins for an event that is no message."""

FORGOTTEN = "Session terminated"
"""What the SDK says for an HTTP 404 within a session."""


class Link:
    """A server that has been greeted."""

    def __init__(self, session: ClientSession, over: anyio.Event) -> None:
        self._session = session
        self._over = over

    async def wait_lost(self) -> None:
        """Wait until the server can be reached no more."""
        await self._over.wait()

    async def listing(self) -> Listing:
        """Ask for all that it offers. Raises `CallRejected`, `LinkLost`, `NoAnswer`."""
        session = self._session
        capabilities = session.server_capabilities
        tools: list[dict[str, Any]] = []
        if capabilities is not None and capabilities.tools is not None:
            tools = await self._pages(types.ListToolsRequest, "tools")
        info = session.server_info
        return Listing(
            tools=tuple(tools),
            instructions=session.instructions or "",
            has_resources=capabilities is not None and capabilities.resources is not None,
            server=f"{info.name} {info.version}" if info else "",
        )

    async def call_tool(
        self, name: str, arguments: dict[str, Any], on_progress: Callable[[Progress], None]
    ) -> dict[str, Any]:
        """Call a tool, once; the answer as it came.

        Cancelling the task tells the server. Raises `CallRejected`, `LinkLost`, `NoAnswer`.
        """

        async def progress(done: float, total: float | None, message: str | None) -> None:
            told = Progress.told(done, total, message)
            if told is not None:
                on_progress(told)

        params = types.CallToolRequestParams(name=name, arguments=arguments)
        return await self._ask(types.CallToolRequest(params=params), progress)

    async def list_resources(self, cursor: str | None) -> dict[str, Any]:
        """One page of resources. Raises `CallRejected`, `LinkLost`, `NoAnswer`."""
        return await self._ask(types.ListResourcesRequest(params=_page(cursor)))

    async def list_resource_templates(self, cursor: str | None) -> dict[str, Any]:
        """One page of templates. Raises `CallRejected`, `LinkLost`, `NoAnswer`."""
        return await self._ask(types.ListResourceTemplatesRequest(params=_page(cursor)))

    async def read_resource(self, uri: str) -> dict[str, Any]:
        """The contents of a resource. Raises `CallRejected`, `LinkLost`, `NoAnswer`."""
        params = types.ReadResourceRequestParams(uri=uri)
        return await self._ask(types.ReadResourceRequest(params=params))

    async def _pages(self, request: Any, name: str) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = []
        cursor = None
        for _ in range(MAX_PAGES):
            answer = await self._ask(request(params=_page(cursor)))
            items = answer.get(name)
            if isinstance(items, list):
                found += [item for item in items if isinstance(item, dict)]
            cursor = answer.get("nextCursor")
            if not isinstance(cursor, str):
                break
        return found

    async def _ask(self, request: Any, on_progress: Any = None) -> dict[str, Any]:
        received: list[dict[str, Any]] = []
        reset = _received.set(received)
        try:
            await self._session.send_request(request, _ANSWER, progress_callback=on_progress)
        except ValidationError:
            if not received:
                raise
        except MCPError as error:
            raise _failure(error.code, error.message) from None
        finally:
            _received.reset(reset)
        return received[-1]


def _failure(code: int, message: str) -> Exception:
    """What an error means that the SDK gives for a request: most are the server's own."""
    instead = what_came_instead(code, message)
    if instead is not None:
        return NoAnswer(instead)
    if code == types.PARSE_ERROR and message.startswith(NO_MESSAGE):
        return NoAnswer("an event that is no message")
    if code == types.CONNECTION_CLOSED and message.startswith(LOST):
        return LinkLost(message)
    if code == types.INVALID_REQUEST and message == FORGOTTEN:
        return SessionForgotten(message)
    return CallRejected(code, message)


class _Dispatcher(JSONRPCDispatcher[TransportContext]):
    """Notes each answer before it is checked, and says when no more can come."""

    def __init__(self, *streams: Any) -> None:
        super().__init__(*streams)
        self.over = anyio.Event()

    async def send_raw_request(self, *arguments: Any, **options: Any) -> dict[str, Any]:
        answer = await super().send_raw_request(*arguments, **options)
        received = _received.get()
        if received is not None:
            received.append(dict(answer))
        return answer

    async def run(self, *arguments: Any, **options: Any) -> None:
        try:
            await super().run(*arguments, **options)
        finally:
            self.over.set()


@asynccontextmanager
async def open_link(
    settings: ServerSettings,
    workdir: str,
    stderr: StderrTail,
    on_elicit: OnElicit,
    on_list_changed: Callable[[], None],
) -> AsyncIterator[Link]:
    """Start or reach the server and greet it; leaving the block ends it.

    Raises what keeps it from being reached: `OSError`, `CallRejected`, `LinkLost`, and others of the
    SDK, most often in a group.
    """

    async def answer(
        context: ClientRequestContext, params: types.ElicitRequestParams
    ) -> types.ElicitResult:
        said = await on_elicit(_inquiry(settings.name, params))
        # An accepted form has content even if nothing was filled in; a page to visit never has.
        is_form = isinstance(params, types.ElicitRequestFormParams)
        content: Any = said.content if is_form and isinstance(said.content, dict) else None
        return types.ElicitResult(action=said.action.value, content=content)

    def note(error: ValidationError) -> None:
        stderr.note(f"[stdout] {_refused_input(error)}")

    async def hear(message: IncomingMessage) -> None:
        if isinstance(message, ValidationError):
            note(message)
        elif isinstance(message, types.ToolListChangedNotification):
            on_list_changed()

    _quieten()
    async with AsyncExitStack() as stack:
        read, write = await stack.enter_async_context(_transport(settings, workdir, stderr))
        dispatcher = _Dispatcher(ReadableAnswers(read, note), write)
        session = await stack.enter_async_context(
            ClientSession(
                dispatcher=dispatcher,
                elicitation_callback=answer,
                message_handler=hear,
                client_info=types.Implementation(
                    name="codemode-kernel", version=version("codemode-kernel")
                ),
            )
        )
        await _greet(session)
        yield Link(session, dispatcher.over)


async def _greet(session: ClientSession) -> None:
    try:
        await session.initialize()
    except MCPError as error:
        if error.code == types.CONNECTION_CLOSED:
            raise LinkLost("it ended before it answered") from None
        if error.code not in (types.UNSUPPORTED_PROTOCOL_VERSION, types.METHOD_NOT_FOUND):
            raise _failure(error.code, error.message) from None
        await session.discover()


@asynccontextmanager
async def _transport(
    settings: ServerSettings, workdir: str, stderr: StderrTail
) -> AsyncIterator[tuple[Any, Any]]:
    match settings.transport:
        case Stdio(command, args, env, cwd):
            parameters = StdioServerParameters(
                command=command,
                args=list(args),
                env={"PATH": program_path(), **env},
                cwd=cwd or workdir,
            )
            async with AsyncExitStack() as stack:
                file = await stack.enter_async_context(stderr.piped())
                streams = await stack.enter_async_context(stdio_client(parameters, errlog=file))
                file.close()
                yield streams
        case Http(url, headers):
            timeout = httpx2.Timeout(HTTP_TIMEOUT_S, read=None)
            async with (
                HttpClient(headers=dict(headers), timeout=timeout) as client,
                streamable_http_client(
                    url, http_client=client, max_sse_event_size=MAX_EVENT_BYTES
                ) as streams,
            ):
                yield streams


def _page(cursor: str | None) -> types.PaginatedRequestParams | None:
    return None if cursor is None else types.PaginatedRequestParams(cursor=cursor)


def _inquiry(server: str, params: types.ElicitRequestParams) -> Inquiry:
    asked_by = f"MCP server {server}"
    if isinstance(params, types.ElicitRequestURLParams):
        message = f"{params.message}\nIt wants you to open this page:\n{params.url}"
        return Inquiry(message, asked_by, form={"type": "object", "properties": {}})
    said = params.model_dump(by_alias=True, mode="json", exclude_unset=True)
    return Inquiry(params.message, asked_by, form=said.get("requestedSchema", {}))


def _refused_input(error: ValidationError) -> str:
    """The line that is no message, such as a banner on stdout."""
    return str(error.errors(include_url=False)[0]["input"])[:1000]


def _quieten() -> None:
    for name in LOGGERS:
        logger = logging.getLogger(name)
        if not logger.handlers:
            logger.addHandler(logging.NullHandler())
            logger.propagate = False
