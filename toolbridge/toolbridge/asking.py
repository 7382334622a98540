"""Puts a call before the gate and, where the gate says so, before a person.

One question at a time, in the order of the calls. The gate, the tool and the cell are looked at
again after every wait, because all of them may have changed meanwhile.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, replace

from toolbridge.approvals import Answer, Approval, ApprovalRequest
from toolbridge.calls import CallContext, CallEvent, CallState, ToolCall
from toolbridge.errors import NobodyThereError, PolicyRefusedError, ToolUnavailableError
from toolbridge.gate import Decision, Verdict
from toolbridge.inquiries import Inquiry, Reply, ReplyAction
from toolbridge.json_values import JsonValue
from toolbridge.tools import Tool


@dataclass(frozen=True, slots=True)
class Admission:
    """A call whose arguments were found good, and how to look at it."""

    call: ToolCall
    tool: Tool
    """The tool as it is offered now."""
    arguments: JsonValue
    present: Callable[[], str]
    """Gives the call in words for the person."""
    look: Callable[[], Verdict]
    """Asks the gate as it is now; raises `ToolUnavailableError` when the tool is gone."""


TIMEOUT_S = 6 * 3600.0
"""How long a person has to answer a free question, in seconds."""


class Questions:
    """Decides whether calls may run. Remembers what a person allowed for the session."""

    def __init__(self, timeout_s: float = TIMEOUT_S) -> None:
        self.timeout_s = timeout_s
        """How long a free question stays open, in seconds; the time in the queue does not count."""
        self._turn = asyncio.Lock()
        self._granted: set[tuple[str, str, str | None]] = set()

    def forget(self) -> None:
        """Forget what was allowed for the session."""
        self._granted.clear()

    async def decide(self, admission: Admission, context: CallContext) -> Approval:
        """Wait until the call may run, and say why it may.

        Raises `PolicyRefusedError` or `ToolUnavailableError`; nothing has run then.
        """
        approval = self._standing(admission, context)
        if approval is not None:
            return approval
        if context.asker is None:
            raise _nobody(admission)
        context.on_event(CallEvent(admission.call, CallState.ASKING))
        with context.asking():
            async with self._turn:
                # Another question may have settled this one, or its reason to be asked at all.
                approval = self._standing(admission, context)
                if approval is not None:
                    return approval
                return await self._ask(admission, context)

    def _standing(self, admission: Admission, context: CallContext) -> Approval | None:
        """What rules and earlier answers say now; None: a person has to be asked."""
        _require_open(context)
        verdict = admission.look()
        if verdict.decision is Decision.DENY:
            raise _refused(admission, verdict.reason)
        if verdict.decision is Decision.ALLOW:
            return Approval.RULE
        granted = _grant_key(admission, context) in self._granted
        return Approval.SESSION if granted else None

    def look_again(self, admission: Admission, context: CallContext) -> None:
        """Once more before the effect; see `CallContext.look_again`. Asks nobody."""
        _require_open(context)
        verdict = admission.look()
        if verdict.decision is Decision.DENY:
            raise _refused(admission, verdict.reason)

    async def inquire(self, inquiry: Inquiry, call: ToolCall, context: CallContext) -> Reply:
        """Put a free question that serves `call`; see `CallContext.inquire`."""
        if context.asker is None:
            raise NobodyThereError("nobody is there to ask")
        inquiry = replace(inquiry, cell_id=call.cell_id, principal=context.principal)
        with context.asking():
            async with self._turn:
                _require_open(context)
                try:
                    async with asyncio.timeout(self.timeout_s):
                        reply = await context.asker.inquire(inquiry)
                except TimeoutError:
                    reply = Reply(ReplyAction.CANCEL)
                _require_open(context)
                return reply

    async def _ask(self, admission: Admission, context: CallContext) -> Approval:
        assert context.asker is not None, "decide() refuses when nobody is there"
        question = ApprovalRequest(
            tool=admission.tool,
            arguments=admission.arguments,
            text=admission.present(),
            reason=admission.look().reason,
            call_id=admission.call.id,
            cell_id=admission.call.cell_id,
            principal=context.principal,
        )
        try:
            answer = await context.asker.ask(question)
        except NobodyThereError:
            raise _nobody(admission) from None
        self._standing(admission, context)
        if answer is Answer.NO:
            raise _refused(admission, "the person who was asked said no")
        if answer is Answer.SESSION:
            self._granted.add(_grant_key(admission, context))
            return Approval.SESSION
        return Approval.ONCE


def _grant_key(admission: Admission, context: CallContext) -> tuple[str, str, str | None]:
    return admission.tool.source, admission.tool.raw_name, context.principal


def _require_open(context: CallContext) -> None:
    if not context.cell_is_open():
        raise ToolUnavailableError("code mode nested tool call cancelled")


def _refused(admission: Admission, reason: str) -> PolicyRefusedError:
    return PolicyRefusedError(f"policy refused `{admission.tool.spoken_name}`: {reason}")


def _nobody(admission: Admission) -> PolicyRefusedError:
    return _refused(
        admission,
        "it needs a person's approval and nobody is there to ask; a gate rule can allow it",
    )
