"""Puts a call before the gate and, where the gate says so, before a person.

One question at a time, in the order of the calls; free questions (`toolbridge.gate.inquiries`) stand
in the same queue. The gate, the tool and the cell are looked at again after every wait, because all
of them may have changed meanwhile.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from toolbridge.calls import CallContext, CallEvent, CallState, ToolCall
from toolbridge.errors import (
    NobodyThereError,
    PolicyRefusedError,
    ToolError,
    ToolUnavailableError,
)
from toolbridge.gate.approvals import Answer, Approval, ApprovalRequest
from toolbridge.gate.explanations import Explanation
from toolbridge.gate.gate import Decision, Verdict
from toolbridge.gate.grants import Grants
from toolbridge.gate.inquiries import Inquiry, Reply, ReplyAction
from toolbridge.json_values import JsonValue
from toolbridge.masking import without_secrets
from toolbridge.secret_values import SecretValues
from toolbridge.tools import Annotations, Tool

TIMEOUT_S = 6 * 3600.0
"""How long a person may think about any question, in seconds."""

REMEMBERED = 50
"""Calls that were asked about or refused lately and can be explained."""


@dataclass(frozen=True, slots=True)
class Admission:
    """A call whose arguments were found good, and how to look at it."""

    call: ToolCall
    tool: Tool
    """The tool as it is offered now."""
    arguments: JsonValue
    effects: Annotations
    present: Callable[[JsonValue], str]
    """Gives a call with such arguments in words for the person."""
    look: Callable[[], Verdict]
    """Asks the gate as it is now; raises `ToolUnavailableError` when the tool is gone."""

    @property
    def shown_arguments(self) -> JsonValue:
        """The arguments without the values of secret fields."""
        return without_secrets(self.arguments, self.tool.input_secrets)

    @property
    def secrets(self) -> SecretValues:
        """The values of secret fields, for texts that may quote them."""
        return SecretValues.of(self.arguments, self.tool.input_secrets)


class Questions:
    """Decides whether calls may run, and puts questions to the person."""

    def __init__(self, timeout_s: float = TIMEOUT_S) -> None:
        self.timeout_s = timeout_s
        """How long a question stays open, in seconds; the time in the queue does not count."""
        self.grants = Grants()
        """What people allowed and forbade for the session."""
        self._turn = asyncio.Lock()
        self._lately: deque[tuple[str | None, Explanation]] = deque(maxlen=REMEMBERED)

    def lately(self, principal: str | None) -> Sequence[Explanation]:
        """The calls of `principal` that were asked about or refused, oldest first."""
        return [explanation for owner, explanation in self._lately if owner == principal]

    def forget(self) -> None:
        """Forget what was said for the session, and what there was to explain."""
        self.grants.clear()
        self._lately.clear()

    async def decide(self, admission: Admission, context: CallContext) -> Approval:
        """Wait until the call may run, and say why it may.

        Raises `PolicyRefusedError` or `ToolUnavailableError`; nothing has run then.
        """
        try:
            approval = self._standing(admission, context)
            if approval is None:
                approval = await self._put(admission, context)
                self._note(admission, context, f"asked: {approval}")
            return approval
        except PolicyRefusedError as error:
            self._note(admission, context, str(error))
            raise
        except asyncio.CancelledError:
            self._note(admission, context, "withdrawn: the call was stopped first")
            raise

    async def _put(self, admission: Admission, context: CallContext) -> Approval:
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
        grant = self.grants.about(admission.tool, admission.arguments, context.principal)
        if grant is None:
            return None
        if grant.answer is Answer.NEVER:
            raise _refused(admission, "the person said no to all its calls in this session")
        return Approval(grant.answer)

    async def _ask(self, admission: Admission, context: CallContext) -> Approval:
        while True:
            answer = await self._answer(admission, context)
            approval = self._standing(admission, context)
            if answer is not Answer.AGAIN:
                return self._settle(answer, admission, context)
            if approval is not None:
                return approval

    async def _answer(self, admission: Admission, context: CallContext) -> Answer:
        assert context.asker is not None, "_put() refuses when nobody is there"
        shown = admission.shown_arguments
        question = ApprovalRequest(
            tool=admission.tool,
            arguments=shown,
            text=admission.present(shown),
            reason=admission.look().reason,
            call_id=admission.call.id,
            cell_id=admission.call.cell_id,
            principal=context.principal,
        )
        try:
            async with asyncio.timeout(self.timeout_s):
                return await context.asker.ask(question)
        except NobodyThereError:
            raise _nobody(admission) from None
        except TimeoutError:
            raise _refused(admission, "nobody has answered in time") from None

    def _settle(self, answer: Answer, admission: Admission, context: CallContext) -> Approval:
        if answer in (Answer.SESSION, Answer.SAME, Answer.NEVER):
            self.grants.remember(
                answer,
                admission.tool,
                admission.arguments,
                context.principal,
                shown=admission.shown_arguments,
            )
        if answer in (Answer.NO, Answer.NEVER):
            raise _refused(admission, "the person who was asked said no")
        return Approval(answer)

    def look_again(self, admission: Admission, context: CallContext, approval: Approval) -> None:
        """Once more before the effect; see `CallContext.look_again`. Asks nobody.

        `approval` is why the call was let through: one that a rule allowed, and none does any more,
        was never put to a person.
        """
        _require_open(context)
        verdict = admission.look()
        if verdict.decision is Decision.DENY:
            raise _refused(admission, verdict.reason)
        if approval is Approval.RULE and self._standing(admission, context) is None:
            raise _refused(admission, "what allowed it does not hold any more")

    async def inquire(self, inquiry: Inquiry, call: ToolCall, context: CallContext) -> Reply:
        """Put a free question that serves `call`; see `CallContext.inquire`."""
        if context.asker is None:
            raise NobodyThereError("nobody is there to ask")
        secrets = SecretValues.of(call.input, call.tool.input_secrets)
        inquiry = replace(
            inquiry,
            message=secrets.left_out_of(inquiry.message),
            cell_id=call.cell_id,
            principal=context.principal,
        )
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

    def _note(self, admission: Admission, context: CallContext, ending: str) -> None:
        try:
            verdict = admission.look()
        except ToolError:
            return  # the tool is gone, and the gate has nothing to say of it
        grants = self.grants
        explanation = Explanation(
            tool=admission.tool,
            arguments=admission.shown_arguments,
            effects=admission.effects,
            verdict=verdict,
            grant=grants.about(admission.tool, admission.arguments, context.principal),
            call_id=admission.call.id,
            cell_id=admission.call.cell_id,
            ending=admission.secrets.left_out_of(ending),
        )
        self._lately.append((context.principal, explanation))


def _require_open(context: CallContext) -> None:
    if not context.cell_is_open():
        raise ToolUnavailableError("code mode nested tool call cancelled")


def _refused(admission: Admission, reason: str) -> PolicyRefusedError:
    return PolicyRefusedError(f"policy refused `{admission.tool.identifier}`: {reason}")


def _nobody(admission: Admission) -> PolicyRefusedError:
    return _refused(
        admission,
        "it needs a person's approval and nobody is there to ask; a gate rule can allow it",
    )
