"""Puts a record together within its bound. Sans-I/O.

The parts share the room in a fixed order: the first line and a few notifications always fit; calls
are sure of a part; the model view may have what is left, and what it does not need is the calls'.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from msgspec import UNSET, UnsetType
from msgspec.structs import replace
from toolbridge.media import Slot

from codemode_kernel.record import LIMIT, CallRecord, LeftOut, Record
from codemode_kernel.record import Notification as NotificationRecord
from codemode_kernel.recording.calls import without_values
from codemode_kernel.recording.excerpt import MARK_BYTES, cut_text, json_bytes
from codemode_kernel.recording.model_items import kept_view
from codemode_kernel.session.fates import Fate, fate_in
from codemode_kernel.session.observation import ModelOutput, Notification

NOTIFICATIONS_BYTES = 4 * 1024
"""All notifications of a record."""

CALLS_FLOOR = 12 * 1024
"""What calls may have however large the model view is, if they need it."""

LEFT_OUT_BYTES = 400
"""What `left_out` takes at most."""


@dataclass(frozen=True)
class Gathered:
    """What a record is made of beside its first line."""

    output: ModelOutput
    notifications: Sequence[Notification] = ()
    calls: Sequence[CallRecord] = ()
    calls_left_out: Counter[Fate] = field(default_factory=Counter)
    """Calls that were too many to be gathered."""
    media: Sequence[Slot] = ()
    """The images and sounds of `output`, in its order, as far as they are known."""


def fitted(first_line: Record, gathered: Gathered) -> Record:
    """`first_line` with as much of what was gathered as `LIMIT` allows."""
    notes, notes_left_out, note_characters = _notifications(first_line.cell_id, gathered)
    record = replace(first_line, notifications=notes)
    room = LIMIT - LEFT_OUT_BYTES - json_bytes(record)
    kept = kept_view(
        gathered.output, room - min(_size(gathered.calls), CALLS_FLOOR), gathered.media
    )
    left_out = LeftOut(
        model_view_items=kept.items_left_out,
        model_view_characters=kept.characters_left_out,
        notifications=notes_left_out,
        notification_characters=note_characters,
    )
    record = replace(record, model_view=kept.view, left_out=_unless_nothing(left_out))
    return with_calls(record, gathered.calls, gathered.calls_left_out)


def with_calls(
    record: Record, calls: Sequence[CallRecord], calls_left_out: Counter[Fate]
) -> Record:
    """`record` with as many of `calls` as there is room for, in place of those it has.

    The last ones lose their values first, then themselves. `calls_left_out` are further ones.
    """
    record = replace(record, calls=())
    room = LIMIT - LEFT_OUT_BYTES - json_bytes(record)
    kept = list(calls)
    size = _size(kept)
    for position in reversed(range(len(kept))):
        if size <= room:
            break
        bare = without_values(kept[position])
        size -= json_bytes(kept[position]) - json_bytes(bare)
        kept[position] = bare
    fates = Counter(calls_left_out)
    while size > room:
        last = kept.pop()
        size -= _size([last])
        fates[fate_in(last)] += 1
    counts = record.left_out if isinstance(record.left_out, LeftOut) else LeftOut()
    counts = replace(
        counts,
        calls=fates.total(),
        calls_failed=fates[Fate.FAILED],
        calls_refused=fates[Fate.REFUSED],
        calls_cancelled=fates[Fate.CANCELLED],
        calls_unknown=fates[Fate.UNKNOWN],
    )
    return replace(record, calls=tuple(kept), left_out=_unless_nothing(counts))


def _size(calls: Sequence[CallRecord]) -> int:
    return sum(json_bytes(call) + 1 for call in calls)


def _notifications(
    cell_id: str, gathered: Gathered
) -> tuple[tuple[NotificationRecord, ...], int, int]:
    """The notifications, how many there is no room for, and the characters the others lack."""
    kept: list[NotificationRecord] = []
    room = NOTIFICATIONS_BYTES
    characters = 0
    for note in gathered.notifications:
        sender: dict[str, Any] = {} if note.cell_id == cell_id else {"cell_id": note.cell_id}
        overhead = json_bytes(NotificationRecord("", **sender)) + 1
        if room < overhead + MARK_BYTES:
            break
        text, left_out = cut_text(note.text, room - overhead)
        kept.append(NotificationRecord(text, **sender))
        room -= overhead + json_bytes(text)
        characters += left_out
    return tuple(kept), len(gathered.notifications) - len(kept), characters


def _unless_nothing(left_out: LeftOut) -> LeftOut | UnsetType:
    return UNSET if left_out == LeftOut() else left_out
