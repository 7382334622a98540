"""The record of an exec or a wait, version 1: everything it did, as the notebook keeps it.

It is the data of the MIME type `application/vnd.codemode.cell+json`. Everything but the first line
of `Record` may be absent, and a reader passes over fields that it does not know. The JSON Schema in
`schemas/record.v1.schema.json` is made from these structs.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Any, Literal

import msgspec
from msgspec import UNSET, Meta, UnsetType

from codemode_kernel.session.calls import CallOutcome
from codemode_kernel.session.observation import Status

MIME = "application/vnd.codemode.cell+json"
"""Of the output that holds a record."""

VERSION: Literal[1] = 1

LIMIT = 64 * 1024
"""Bytes of a whole record as JSON in UTF-8, without blanks; none is longer."""

Count = Annotated[int, Meta(ge=0)]
Seconds = Annotated[float, Meta(ge=0)]
Moment = Annotated[str, Meta(extra_json_schema={"format": "date-time"})]
"""ISO 8601 in UTC, to the millisecond: `2026-01-31T12:00:00.000Z`."""


class _Part(msgspec.Struct, frozen=True, omit_defaults=True):
    """Base of everything in a record."""


class RecordKind(StrEnum):
    """Which of a model's two calls it was."""

    EXEC = "exec"
    WAIT = "wait"


class Media(_Part, frozen=True):
    """An image or a sound that an output of the same cell holds."""

    sha256: Annotated[
        str | UnsetType,
        Meta(description="Of the decoded bytes, in hex; absent where the data URL has none."),
    ] = UNSET
    mime_type: Annotated[str, Meta(description="As the data URL declares it.")] = ""
    bytes: Annotated[Count, Meta(description="Decoded size.")] = 0


class ModelText(_Part, frozen=True, tag_field="type", tag="input_text"):
    """A text item as a model got it."""

    text: str


class ModelImage(_Part, frozen=True, tag_field="type", tag="input_image"):
    """An image item; `image` stands for the data URL that the model got."""

    image: Media
    detail: str | UnsetType = UNSET


class ModelAudio(_Part, frozen=True, tag_field="type", tag="input_audio"):
    """A sound item; `audio` stands for the data URL that the model got."""

    audio: Media


ModelItem = ModelText | ModelImage | ModelAudio


class Notification(_Part, frozen=True):
    """One `notify()`, which a model gets as an output of its own."""

    text: str
    cell_id: Annotated[
        str | UnsetType,
        Meta(description="The cell that sent it; absent when it is the record's own."),
    ] = UNSET


class ApprovalDecision(StrEnum):
    """How the gate decided about a call."""

    RULE = "rule"
    """A rule allows it, or the tool says that it changes nothing."""
    ONCE = "once"
    """The person said yes to this call."""
    SAME = "same"
    """The person said yes to this tool with these arguments."""
    SESSION = "session"
    """The person said yes to all calls of this tool."""
    REFUSED = "refused"
    """A rule or the person said no, or nobody was there to ask; nothing ran."""


class CallApproval(_Part, frozen=True):
    """What the gate said about a call."""

    decision: Annotated[
        ApprovalDecision,
        Meta(
            description="`rule`: allowed without a question; `once`, `same`, `session`: a person "
            "said yes; `refused`: a rule or a person said no, or nobody was there to ask."
        ),
    ]
    asked_s: Annotated[Seconds, Meta(description="Seconds a person was being asked.")] = 0.0


class CallRecord(_Part, frozen=True, kw_only=True):
    """One nested tool call."""

    id: Annotated[str, Meta(description="`tool-1`, `tool-2`, ... of its cell.")]
    tool: Annotated[str, Meta(description="Callable identifier: the name after `tools.`.")]
    source: Annotated[str, Meta(description="Id of the source that offers the tool.")] = ""
    arguments: Annotated[
        Any, Meta(description="The first argument; absent when there was none.")
    ] = UNSET
    result: Annotated[
        Any, Meta(description="What it resolved with; absent unless the outcome is `ok`.")
    ] = UNSET
    error: Annotated[
        str | UnsetType,
        Meta(description="What it rejected with; absent unless it is `error` or `unknown`."),
    ] = UNSET
    outcome: Annotated[
        CallOutcome | UnsetType, Meta(description="Absent while the call is in progress.")
    ] = UNSET
    started: Annotated[Moment, Meta(description="ISO 8601 in UTC.")]
    duration_s: Annotated[
        Seconds | UnsetType,
        Meta(description="Seconds to its outcome, the time of questions included."),
    ] = UNSET
    approval: CallApproval | UnsetType = UNSET
    late: Annotated[bool, Meta(description="It settled after the record was first written.")] = (
        False
    )
    secret_fields: Annotated[
        tuple[str, ...],
        Meta(
            description="What was left out as a secret: JSON Pointers that begin with "
            "`/arguments` or `/result`."
        ),
    ] = ()
    cut: Annotated[
        bool,
        Meta(
            description="Arguments, result or error are not whole, because the record is bounded."
        ),
    ] = False


class LeftOut(_Part, frozen=True):
    """What a record does not hold because it is bounded; never what a model did not get."""

    model_view_items: Annotated[
        Count, Meta(description="Items of the model view that are not in it.")
    ] = 0
    model_view_characters: Annotated[
        Count, Meta(description="Characters of the model view's texts that are not in it.")
    ] = 0
    notifications: Annotated[Count, Meta(description="Notifications that are not in it.")] = 0
    notification_characters: Annotated[
        Count, Meta(description="Characters taken from those that are.")
    ] = 0
    calls: Annotated[Count, Meta(description="Calls that are not in it.")] = 0
    calls_failed: Annotated[Count, Meta(description="Of those, the ones that failed.")] = 0
    calls_refused: Annotated[Count, Meta(description="Of those, the ones that were refused.")] = 0
    calls_cancelled: Annotated[
        Count, Meta(description="Of those, the ones that an end of the cell cut off.")
    ] = 0
    calls_unknown: Annotated[
        Count, Meta(description="Of those, the ones whose end nobody knows.")
    ] = 0


class CaptureState(StrEnum):
    """How it stands with the file that holds a cell's whole output."""

    CAPTURING = "capturing"
    """The cell goes on."""
    COMPLETE = "complete"
    PARTIAL = "partial"
    """It holds the beginning: the disk failed, or could not keep up."""
    UNAVAILABLE = "unavailable"


class Capture(_Part, frozen=True):
    """The file that holds the whole of an output of which a model got a part.

    It goes with the kernel's session.
    """

    state: CaptureState
    bytes: Annotated[
        Count, Meta(description="What the cell gave: texts in UTF-8, media decoded.")
    ] = 0
    captured_bytes: Annotated[Count, Meta(description="What of that is kept.")] = 0
    path: Annotated[str, Meta(description="Where it is, relative to Jupyter's runtime folder.")] = (
        ""
    )


class Record(_Part, frozen=True, kw_only=True):
    """Everything one exec or wait did."""

    version: Annotated[Literal[1], Meta(description="Of this format.")]
    cell_id: Annotated[
        str,
        Meta(description="Public id (`3`, `g2:1`); empty for what was refused before it had one."),
    ]
    kind: Annotated[RecordKind, Meta(description="`exec`, or `wait` for a cell that ran already.")]
    status: Annotated[
        Status,
        Meta(
            description="How it ended; `running` when the cell went on. An exec's is brought up to "
            "date when its cell has ended."
        ),
    ]
    started: Annotated[Moment, Meta(description="ISO 8601 in UTC.")]
    wall_time_s: Annotated[
        Seconds,
        Meta(
            description="Seconds without those of questions to a person: up to the end of the cell "
            "for an exec that is over, else of this observation."
        ),
    ]
    tokens: Annotated[
        Count | UnsetType,
        Meta(description="Estimated tokens of the content that a model got, header left out."),
    ] = UNSET
    truncated: Annotated[bool, Meta(description="A model got less than the cell gave.")] = False
    emitted_tokens: Annotated[
        Count | UnsetType,
        Meta(description="Estimated tokens that the cell gave; absent unless it was truncated."),
    ] = UNSET
    model_view: Annotated[
        str | tuple[ModelItem, ...] | UnsetType,
        Meta(
            description="The output exactly as a model got it, a string or items, but that media "
            "are named by their hash. Shortened where `left_out` says so."
        ),
    ] = UNSET
    notifications: Annotated[
        tuple[Notification, ...],
        Meta(description="Those since the previous observation, in order."),
    ] = ()
    calls: Annotated[
        tuple[CallRecord, ...],
        Meta(description="Nested tool calls of an exec in the order in which they started."),
    ] = ()
    left_out: LeftOut | UnsetType = UNSET
    capture: Capture | UnsetType = UNSET
    engine: Annotated[str, Meta(description="Name and version of the JavaScript engine.")] = ""
    host: Annotated[str, Meta(description="Program that ran the cell.")] = ""
    profile: Annotated[str, Meta(description="`codex` or `seed`: the world reproduced.")] = ""
