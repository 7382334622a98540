"""What the kernel says on the control comm."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Any, TypeAlias

import msgspec
from msgspec import Meta

from codemode_kernel.control.from_front import CommandId, Count
from codemode_kernel.session.observation import Status

Seconds = Annotated[float, Meta(ge=0, description="When the message was sent.")]


class _Message(msgspec.Struct, frozen=True, tag_field="type"):
    """Base of all messages."""


class _Part(msgspec.Struct, frozen=True):
    """Base of what messages are made of."""


class KernelFacts(_Part, frozen=True):
    """What a page may want to know of the kernel."""

    version: Annotated[str, Meta(description="Of the distribution.")]
    profile: str
    late_output: str
    host: Annotated[
        str, Meta(description="Command line of a host that is not our own, else empty.")
    ]
    host_pid: int | None
    engine: Annotated[str, Meta(description="Empty where the host has not told it.")]


class Stage(StrEnum):
    """Where a cell is in its life."""

    STARTING = "starting"
    RUNNING = "running"
    ENDED = "ended"
    """Its result waits to be collected."""
    COLLECTED = "collected"
    FORGOTTEN = "forgotten"
    """`%reset` or the host's end took it, its result with it."""


class CellFacts(_Part, frozen=True):
    """A cell of the session as it is now."""

    serial: Annotated[int, Meta(description="Unique in the kernel for ever.")]
    cell_id: Annotated[str | None, Meta(description="Its public id; None while it starts.")]
    label: Annotated[str, Meta(description="Where it was written: `In [3]`.")]
    notebook_cell: Annotated[str | None, Meta(description="The id of that notebook cell.")]
    stage: Stage
    observed: Annotated[bool, Meta(description="Its notebook cell, or a wait, has it in hand.")]
    age_s: Seconds
    waiting_items: Annotated[Count, Meta(description="Items for the next wait.")]
    call_count: Annotated[Count, Meta(description="Nested tool calls so far.")]
    open_calls: Annotated[Count, Meta(description="Those in progress.")]
    asking: Annotated[Count, Meta(description="Open questions to a person.")]
    status: Annotated[Status | None, Meta(description="How it ended.")] = None
    error: Annotated[str | None, Meta(description="First line of its error.")] = None


class ShellFacts(_Part, frozen=True):
    """A live shell as it is now."""

    session_id: int
    command: str
    cell_id: Annotated[str | None, Meta(description="The cell whose call started it.")]
    is_over: Annotated[bool, Meta(description="It has ended; its last output waits to be read.")]
    age_s: Seconds


class Snapshot(_Message, frozen=True, tag="snapshot"):
    """The answer to an attach."""

    version: int
    sequence: Annotated[Count, Meta(description="That of the last events; the next are one more.")]
    kernel: KernelFacts
    cells: list[CellFacts]
    shells: list[ShellFacts]


class RunOutputs(_Part, frozen=True):
    """Everything that one run of a notebook cell has shown so far.

    Later messages whose parent is `run` add to it, and updates of its displays come with any parent.
    """

    run: Annotated[str, Meta(description="Message id of its execute request.")]
    notebook_cell: str
    execution_count: int
    in_foreground: Annotated[bool, Meta(description="It still runs; an idle status ends that.")]
    shown_elsewhere: Annotated[bool, Meta(description="The page that ran it is attached, too.")]
    outputs: Annotated[
        list[dict[str, Any]],
        Meta(description="In the notebook format; `transient` holds a display id."),
    ]
    adds: Annotated[
        bool, Meta(description="The page has more than was kept: these come after what it shows.")
    ] = False


class Replay(_Message, frozen=True, tag="replay"):
    """Outputs that a page lacks, or a run that begins and has no page."""

    runs: list[RunOutputs]


class Happened(StrEnum):
    """What can be told of a cell."""

    STARTED = "started"
    YIELDED = "yielded"
    OUTPUT_WAITING = "output_waiting"
    NOTIFIED = "notified"
    CALL_STARTED = "call_started"
    CALL_ENDED = "call_ended"
    ASKING_CHANGED = "asking_changed"
    ENDED = "ended"
    COLLECTED = "collected"
    FORGOTTEN = "forgotten"


class CellEvent(_Part, frozen=True):
    """One cell since the last events."""

    cell: CellFacts
    happened: Annotated[list[Happened], Meta(description="Each once, in order of its first time.")]


class Events(_Message, frozen=True, tag="events"):
    """What has changed in the last moment; a few a second at most."""

    sequence: Annotated[Count, Meta(description="A gap means that events were lost: attach anew.")]
    cells: list[CellEvent] = []
    shells: Annotated[list[ShellFacts] | None, Meta(description="All of them, if changed.")] = None
    host_lost: Annotated[str | None, Meta(description="The host is gone: why.")] = None


class ChoiceFacts(_Part, frozen=True):
    """One of the answers that can be chosen."""

    word: str
    label: str


class QuestionFacts(_Part, frozen=True):
    """A question to the person that is open now; texts are safe to show."""

    question_id: str
    notebook_cell: Annotated[str | None, Meta(description="The notebook cell it belongs to.")]
    title: Annotated[str, Meta(description="Who wants what.")]
    text: Annotated[str, Meta(description="The call or the message; may have many lines.")]
    reason: Annotated[str, Meta(description="Why it is asked; may be empty.")]
    choices: Annotated[list[ChoiceFacts], Meta(description="The buttons, in order.")]
    form: Annotated[
        dict[str, Any] | None,
        Meta(description="JSON Schema of what to fill in with the first choice."),
    ]
    takes_text: Annotated[bool, Meta(description="A text goes with the first choice.")]


class Questions(_Message, frozen=True, tag="questions"):
    """All open questions, at each change, and after a snapshot if there are any.

    One that is missing is settled, and so is each that a page knew before a snapshot.
    """

    questions: list[QuestionFacts]


class Done(_Message, frozen=True, tag="done"):
    """A command was obeyed. A cell that was told to end tells of its end by an event."""

    id: CommandId


class CapturePiece(_Message, frozen=True, tag="capture_piece"):
    """The answer to `read_capture`."""

    id: CommandId
    text: str
    next_offset: Annotated[
        Count | None, Meta(description="Where the next piece begins; null at the end.")
    ] = None


class Refused(_Message, frozen=True, tag="refused"):
    """A command was not obeyed, or an attach (with an empty id)."""

    id: CommandId
    reason: Annotated[str, Meta(description="For the person.")]


class Error(_Message, frozen=True, tag="error"):
    """What came was none of these messages."""

    reason: str


FromKernel: TypeAlias = (
    Snapshot | Replay | Events | Questions | Done | CapturePiece | Refused | Error
)
