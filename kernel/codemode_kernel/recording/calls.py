"""The nested calls of one cell as its record has them. Their size is bounded while they come."""

from __future__ import annotations

import time
from collections import Counter
from enum import StrEnum

from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from codemode_kernel.captures.calls import WholeCalls
from codemode_kernel.record import LIMIT, ApprovalDecision, CallApproval, CallRecord, Record
from codemode_kernel.recording.excerpt import Excerpt, cut_text, json_bytes
from codemode_kernel.recording.faults import harmless
from codemode_kernel.recording.moments import moment
from codemode_kernel.session.calls import Call, CallOutcome
from codemode_kernel.session.fates import Fate, fate_of

VALUE_BYTES = 8 * 1024
"""Arguments and result of one call together, as JSON."""

CALLS_BYTES = LIMIT * 3 // 4
"""All calls of one cell, as JSON; a record may have room for fewer."""

BARE_BYTES = 250
"""About what a call takes without its values."""

LONGEST_NAME = 200
"""Bytes of a tool's or a source's name."""


class Detail(StrEnum):
    """How much of a cell's calls is kept: the values of the trait `record_calls`."""

    FULL = "full"
    NAMES = "names"
    """Without arguments, results and errors."""
    NONE = "none"


class RecordedCalls:
    """Told of each call as it starts and ends."""

    def __init__(self, detail: Detail = Detail.FULL, whole: WholeCalls | None = None) -> None:
        """`whole` takes each ended call that is recorded in part, or not, for want of room."""
        self.is_written = False
        """The record was written: calls that settle from now on are late."""
        self._left_out: Counter[Fate] = Counter()
        self._detail = detail
        self._whole = whole
        self._left = CALLS_BYTES
        self._by_id: dict[str, Call | CallRecord] = {}
        """Those in progress are calls."""

    @harmless
    def started(self, call: Call) -> None:
        """A call came in."""
        if self._detail is Detail.NONE:
            return
        if self._left < BARE_BYTES:
            self._left_out[Fate.RUNNING] += 1
            return
        self._left -= BARE_BYTES
        self._by_id[call.id] = call

    @harmless
    def ended(self, call: Call) -> None:
        """It has its outcome now; its values are held no longer than this."""
        if self._detail is Detail.NONE:
            return
        if call.id not in self._by_id:
            self._left_out[Fate.RUNNING] -= 1
            self._left_out[fate_of(call)] += 1
            self._keep_whole(call)
        elif isinstance(self._by_id[call.id], Call):
            record = self._with_values(call)
            self._left -= max(0, json_bytes(record) - BARE_BYTES)
            self._by_id[call.id] = record
            if record.cut:
                self._keep_whole(call)

    def _keep_whole(self, call: Call) -> None:
        if self._whole is None:
            return
        facts = self._facts(call)
        if self._detail is Detail.FULL:
            self._whole.take(facts, call)
        else:
            self._whole.take_recorded(facts)

    @harmless
    def fitted(self, record: Record) -> None:
        """Their record is made: keep the calls it had no room for."""
        if self._whole is None:
            return
        shown = {call.id for call in record.calls if not call.cut}
        for call_id, full in self._by_id.items():
            if isinstance(full, CallRecord) and not full.cut and call_id not in shown:
                self._whole.take_recorded(full)
        self._whole.write()

    def records(self, *, cell_is_over: bool) -> list[CallRecord]:
        """Every call in the order in which they started.

        Those in progress have no outcome; in a cell that is over they were cut off by its end.
        """
        return [
            slot if isinstance(slot, CallRecord) else self._unfinished(slot, cell_is_over)
            for slot in self._by_id.values()
        ]

    def left_out(self, *, cell_is_over: bool) -> Counter[Fate]:
        """How many calls were too many, by what became of them."""
        counts = +self._left_out
        if cell_is_over:
            counts[Fate.CANCELLED] += counts.pop(Fate.RUNNING, 0)
        return +counts

    def _unfinished(self, call: Call, cell_is_over: bool) -> CallRecord:
        if not cell_is_over:
            return self._with_values(call)
        took = time.time() - call.started if call.duration_s is None else call.duration_s
        return self._with_values(call, CallOutcome.CANCELLED, max(0.0, took))

    def _with_values(
        self,
        call: Call,
        outcome: CallOutcome | UnsetType = UNSET,
        duration_s: float | UnsetType = UNSET,
    ) -> CallRecord:
        facts = self._facts(call, outcome, duration_s)
        if self._detail is not Detail.FULL:
            return facts
        tool, hide = call.definition, call.secrets.left_out_of_all
        excerpt = Excerpt(min(VALUE_BYTES, self._left))
        arguments = result = UNSET
        error: str | UnsetType = UNSET
        if call.arguments is not None:
            arguments = excerpt.of(hide(call.arguments), tool.input_secrets, "arguments")
        if facts.outcome is CallOutcome.OK:
            result = excerpt.of(hide(call.result), tool.output_secrets, "result")
        elif facts.outcome in (CallOutcome.ERROR, CallOutcome.UNKNOWN):
            error = excerpt.text(call.error or "")
        return replace(
            facts,
            arguments=arguments,
            result=result,
            error=error,
            secret_fields=tuple(excerpt.secret_fields),
            cut=excerpt.is_cut,
        )

    def _facts(
        self,
        call: Call,
        outcome: CallOutcome | UnsetType = UNSET,
        duration_s: float | UnsetType = UNSET,
    ) -> CallRecord:
        """The call without its values; outcome and duration are its own where it has them."""
        if call.outcome is not None:
            outcome = call.outcome
        if call.duration_s is not None:
            duration_s = call.duration_s
        return CallRecord(
            id=call.id,
            tool=cut_text(call.tool, LONGEST_NAME)[0],
            source=cut_text(call.definition.source, LONGEST_NAME)[0],
            outcome=outcome,
            started=moment(call.started),
            duration_s=UNSET if duration_s is UNSET else round(duration_s, 6),
            approval=_approval(call),
            late=self.is_written and outcome is not UNSET,
        )


def without_values(record: CallRecord) -> CallRecord:
    """The call without arguments, result and error, for want of room."""
    if record.arguments is record.result is record.error is UNSET:
        return record
    return replace(record, arguments=UNSET, result=UNSET, error=UNSET, secret_fields=(), cut=True)


def _approval(call: Call) -> CallApproval | UnsetType:
    asked_s = round(call.asked_s, 3)
    if call.refused:
        return CallApproval(ApprovalDecision.REFUSED, asked_s)
    if call.approval is None:
        return UNSET
    return CallApproval(ApprovalDecision(call.approval.value), asked_s)
