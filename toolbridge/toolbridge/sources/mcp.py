"""The tools of one MCP server. The connection is `toolbridge.mcp`'s affair."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Sequence
from contextlib import AbstractAsyncContextManager, nullcontext, suppress
from dataclasses import dataclass, field
from typing import Any

from codemode_rules.identifiers import normalise

from toolbridge.calls import CallContext, Progress, ToolCall
from toolbridge.errors import NobodyThereError, OutcomeUnknownError, ToolUnavailableError
from toolbridge.gate.inquiries import Inquiry, Reply, ReplyAction
from toolbridge.json_values import JsonValue
from toolbridge.mcp.call_clock import CallClock
from toolbridge.mcp.connection import Condition, Connection
from toolbridge.mcp.listing import Listing, namespace_of, source_id, tools_of
from toolbridge.mcp.results import call_result, complaint, error_result
from toolbridge.mcp.settings import ServerSettings
from toolbridge.sources.base import Source
from toolbridge.tools import Tool

GLANCE_S = 10.0
"""How long code that only looks through the tools waits for a server that is starting, in seconds:
as long as the Codex CLI gives a server by default."""

LOOKS_THROUGH_TOOLS = re.compile(r"\bALL_TOOLS\b|\btools\b(?!\s*\??\.\s*\w)")
"""Code that may reach a tool without naming its server."""


@dataclass(eq=False)
class _UnderWay:
    """A call that the server has."""

    call: ToolCall
    context: CallContext
    clock: CallClock
    questions: set[asyncio.Task[Reply]] = field(default_factory=set)


class McpSource(Source):
    """One server. Arguments go to it unchecked: it has the schema, and checks them itself."""

    def __init__(
        self,
        settings: ServerSettings,
        workdir: str,
        *,
        keeps_audio: bool = True,
    ) -> None:
        """Nothing is started; `connection.begin` does that, or the first call.

        `workdir` is where the program runs unless it names another folder.
        """
        self.id = source_id(settings.name)
        self.settings = settings
        self.connection = Connection(settings, workdir, self._elicit, self._take_listing)
        self._keeps_audio = keeps_audio
        self._tools: Sequence[Tool] = ()
        self._turn = asyncio.Lock()
        self._was_looked_for = False
        self._under_way: list[_UnderWay] = []

    @property
    def listing(self) -> Listing:
        """What the server said of itself last."""
        return self.connection.listing

    def tools(self) -> Sequence[Tool]:
        """What the server listed last, in its order; also while it is being started again."""
        return self._tools

    def admit(self, tool: Tool, arguments: JsonValue) -> JsonValue:
        return arguments

    def prepare(self, code: str) -> Awaitable[None] | None:
        """Start the server; `code` that names it waits for it, other code that looks through the
        tools a moment, once, and what needs no tools of a server not at all."""
        connection = self.connection
        is_named = normalise(namespace_of(self.settings.name)) in code
        if connection.condition is Condition.IDLE or (is_named and connection.may_try_again):
            connection.begin()
        if not connection.is_settling:
            return None
        if is_named:
            return connection.settled()
        if self._was_looked_for or not LOOKS_THROUGH_TOOLS.search(code):
            return None
        self._was_looked_for = True
        return _at_most(GLANCE_S, connection.settled())

    async def call(self, call: ToolCall, admitted: Any, context: CallContext) -> JsonValue:
        """Send the call, once.

        Raises `OutcomeUnknownError` when the server is lost or silent for too long after that, or
        sends what is no answer, and `ToolUnavailableError` when it cannot be reached before.
        """
        async with self._queue():
            link = await self.connection.link()
            context.look_again()
            under_way = _UnderWay(call, context, CallClock(self.settings.call_timeout_s))
            self._under_way.append(under_way)
            try:
                result = await self._ask(link, under_way, admitted)
            finally:
                self._under_way.remove(under_way)
                for question in under_way.questions:
                    question.cancel()
        complaint_of_result = complaint(call.tool, result)
        if complaint_of_result is not None:
            context.warn(complaint_of_result)
        return result

    async def close(self) -> None:
        await self.connection.close()

    def _queue(self) -> AbstractAsyncContextManager[None]:
        return nullcontext() if self.settings.parallel else self._turn

    async def _ask(self, link: Any, under_way: _UnderWay, arguments: Any) -> dict[str, JsonValue]:
        from toolbridge.mcp.link import CallRejected, LinkLost, NoAnswer, SessionForgotten

        server, tool, clock = self.settings.name, under_way.call.tool.name, under_way.clock

        def progress(told: Progress) -> None:
            clock.start_anew()
            under_way.context.on_progress(told)

        try:
            async with clock:
                answer = await link.call_tool(tool, arguments, progress)
        except CallRejected as error:
            return error_result(server, tool, error.code, str(error))
        except NoAnswer as error:
            raise OutcomeUnknownError(_unanswered(server, tool, str(error))) from None
        except SessionForgotten:
            self.connection.give_up(link)
            raise ToolUnavailableError(_forgotten(server)) from None
        except LinkLost:
            self.connection.give_up(link)
            raise OutcomeUnknownError(_unknown(server, tool, "the connection ended")) from None
        except TimeoutError:
            if not clock.has_run_out:
                raise
            why = f"no answer came within {self.settings.call_timeout_s:g} s"
            raise OutcomeUnknownError(_unknown(server, tool, why)) from None
        return call_result(answer, keeps_audio=self._keeps_audio)

    def _take_listing(self) -> None:
        self._tools = tools_of(self.connection.listing, self.settings)
        self.description = self.connection.listing.instructions
        self.changed()

    async def _elicit(self, inquiry: Inquiry) -> Reply:
        """Put a question of the server to whoever made the newest call that it has.

        The protocol does not say which call a question is about; a server takes one at a time
        unless it was configured otherwise.
        """
        if not self._under_way:
            return Reply(ReplyAction.DECLINE)
        under_way = self._under_way[-1]
        asking = asyncio.create_task(_put(inquiry, under_way))
        under_way.questions.add(asking)
        asking.add_done_callback(under_way.questions.discard)
        await asyncio.wait([asking])
        return Reply(ReplyAction.CANCEL) if asking.cancelled() else asking.result()


async def _put(inquiry: Inquiry, under_way: _UnderWay) -> Reply:
    try:
        with under_way.clock.stopped():
            return await under_way.context.inquire(inquiry)
    except NobodyThereError:
        return Reply(ReplyAction.DECLINE)
    except ToolUnavailableError:
        return Reply(ReplyAction.CANCEL)


async def _at_most(limit_s: float, waiting: Awaitable[None]) -> None:
    with suppress(TimeoutError):
        await asyncio.wait_for(waiting, limit_s)


def _forgotten(server: str) -> str:
    return (
        f"MCP server `{server}` has forgotten this session, and the call did not run; "
        "the next one is made in a new session"
    )


def _unanswered(server: str, tool: str, what: str) -> str:
    return (
        f"MCP server `{server}` gave no answer for tool `{tool}`: what came is {what}. "
        "Whether the call had its effect is not known; it is not sent again"
    )


def _unknown(server: str, tool: str, why: str) -> str:
    return (
        f"MCP server `{server}` was lost while tool `{tool}` ran: {why}. "
        "Whether the call had its effect is not known; it is not sent again"
    )
