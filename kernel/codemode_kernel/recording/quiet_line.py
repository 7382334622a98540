"""The one line that a record shows where nothing draws it, if a person should know something.

Sans-I/O. It speaks of what neither the cell's own outputs nor a hint tell: that a model got less
than is on the screen, and of calls whose end went unheard. An ordinary cell shows nothing.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable

from toolbridge.masking import SECRET

from codemode_kernel.record import (
    CallRecord,
    Capture,
    CaptureState,
    LeftOut,
    ModelText,
    Record,
)
from codemode_kernel.session.calls import CallOutcome
from codemode_kernel.session.fates import Fate, counted, fate_in
from codemode_kernel.session.observation import Status

LONGEST_CLUE = 60
"""Characters of an error that are looked for in what the cell showed."""

MOST_TOOLS = 3
"""Tools that are named."""

_BREAKS = re.compile(rf'["\\]|{re.escape(SECRET)}')
"""Where what a cell showed of an error may differ from the record: JSON writes quotes and
backslashes in another way, and the script has the secrets."""


def quiet_line(record: Record, *, has_hint: bool) -> str | None:
    """What to say of `record`; `has_hint` is whether a hint speaks of the cell already."""
    said = []
    if record.truncated:
        got = f"a model got {record.tokens:,} of {record.emitted_tokens:,} tokens of this"
        said.append(got + _where_all_of_it_is(record))
    fates = _fates(record)
    if record.status in (Status.FAILED, Status.TERMINATED) and _is_worth_a_sum(fates):
        total = fates.total()
        said.append(f"{total:,} tool call{'s' * (total > 1)}: {counted(fates.elements())}")
    if not has_hint and record.status is Status.COMPLETED:
        unheard = [call for call in record.calls if _is_unheard(call, record)]
        if unheard:
            said.append(f"{_calls(unheard)} failed, and the cell shows nothing of it")
        cut_off = [call for call in record.calls if call.outcome is CallOutcome.CANCELLED]
        if fates[Fate.CANCELLED]:
            more = fates[Fate.CANCELLED] - len(cut_off)
            said.append(f"the end of the cell cut off {_calls(cut_off, more)}")
    if not said:
        return None
    line = " · ".join(said)
    return line[0].upper() + line[1:]


def _is_worth_a_sum(fates: Counter[Fate]) -> bool:
    """One call's end is told by the cell's own, unless nobody knows it."""
    return fates.total() > 1 or fates[Fate.UNKNOWN] > 0


def _fates(record: Record) -> Counter[Fate]:
    """What became of all calls, those that the record has no room for included."""
    fates = Counter(map(fate_in, record.calls))
    left_out = record.left_out
    if isinstance(left_out, LeftOut):
        others = {
            Fate.FAILED: left_out.calls_failed,
            Fate.REFUSED: left_out.calls_refused,
            Fate.CANCELLED: left_out.calls_cancelled,
            Fate.UNKNOWN: left_out.calls_unknown,
        }
        fates.update(others)
        fates[Fate.DONE] += left_out.calls - sum(others.values())
    return fates


def _where_all_of_it_is(record: Record) -> str:
    capture = record.capture
    if not isinstance(capture, Capture):
        return ""
    if capture.state is CaptureState.UNAVAILABLE:
        return "; all of it could not be written to a file"
    what = "its beginning" if capture.state is CaptureState.PARTIAL else "all of it"
    return f"; `%view {record.cell_id} --full` shows {what}"


def _is_unheard(call: CallRecord, record: Record) -> bool:
    """A call failed, and nothing that the cell showed repeats its error."""
    if call.outcome is not CallOutcome.ERROR or not isinstance(call.error, str):
        return False
    clue = max(_BREAKS.split(call.error.split("\n", 1)[0]), key=len)[:LONGEST_CLUE]
    return not any(clue in text for text in _shown(record))


def _shown(record: Record) -> Iterable[str]:
    yield from (note.text for note in record.notifications)
    if isinstance(record.model_view, tuple):
        yield from (item.text for item in record.model_view[1:] if isinstance(item, ModelText))


def _calls(calls: list[CallRecord], more: int = 0) -> str:
    """`1 tool call (NAME)`, or `3 tool calls (NAME, OTHER)`; of `more` the names are not known."""
    names = [name for name, _ in Counter(call.tool for call in calls).most_common()]
    named = ", ".join(f"`{name}`" for name in names[:MOST_TOOLS])
    others = ", …" if len(names) > MOST_TOOLS else ""
    total = len(calls) + more
    which = f" ({named}{others})" if names else ""
    return f"{total:,} tool call{'s' * (total > 1)}{which}"
