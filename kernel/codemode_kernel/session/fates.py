"""How tool calls end, in the words that sum them up: `2 done, 1 failed, 1 unknown`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from enum import StrEnum

from codemode_kernel.record import ApprovalDecision, CallApproval, CallRecord
from codemode_kernel.session.calls import Call, CallOutcome


class Fate(StrEnum):
    """Where a call is. Summaries keep this order."""

    DONE = "done"
    FAILED = "failed"
    REFUSED = "refused"
    CANCELLED = "cancelled"
    UNKNOWN = "unknown"
    ASKING = "waiting for an answer"
    RUNNING = "running"


_BY_OUTCOME = {
    CallOutcome.OK: Fate.DONE,
    CallOutcome.ERROR: Fate.FAILED,
    CallOutcome.CANCELLED: Fate.CANCELLED,
    CallOutcome.UNKNOWN: Fate.UNKNOWN,
}


def fate(outcome: CallOutcome, *, refused: bool) -> Fate:
    """The end of a call; `refused` by the gate or the person it asked."""
    return Fate.REFUSED if refused else _BY_OUTCOME[outcome]


def fate_of(call: Call) -> Fate:
    """Where `call` is now."""
    if call.outcome is None:
        return Fate.ASKING if call.is_asking else Fate.RUNNING
    return fate(call.outcome, refused=call.refused)


def fate_in(record: CallRecord) -> Fate:
    """Where the call of a record is."""
    if not isinstance(record.outcome, CallOutcome):
        return Fate.RUNNING
    approval = record.approval
    refused = isinstance(approval, CallApproval) and approval.decision is ApprovalDecision.REFUSED
    return fate(record.outcome, refused=refused)


def counted(fates: Iterable[Fate]) -> str:
    """Such as `2 done, 1 failed`; empty when there are none."""
    counts = Counter(fates)
    return ", ".join(f"{counts[fate]} {fate}" for fate in Fate if counts[fate])
