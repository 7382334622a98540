"""What a front end says on the control comm."""

from __future__ import annotations

from typing import Annotated, Any, TypeAlias

import msgspec
from msgspec import Meta

Count = Annotated[int, Meta(ge=0)]
CommandId = Annotated[str, Meta(description="Chosen by the front end; the answer names it.")]


class _Message(msgspec.Struct, frozen=True, tag_field="type"):
    """Base of all messages."""


class SeenCell(msgspec.Struct, frozen=True):
    """What a page shows of one notebook cell."""

    notebook_cell: Annotated[str, Meta(description="The id of the notebook cell.")]
    execution_count: int | None = None
    outputs: Annotated[Count, Meta(description="Number of outputs.")] = 0
    characters: Annotated[Count, Meta(description="Code points of all its stream text.")] = 0


class Attach(_Message, frozen=True, tag="attach"):
    """The first message, and again whenever the page may have missed something."""

    version: Annotated[int, Meta(description="The version of these messages it speaks.")]
    cells: Annotated[
        list[SeenCell], Meta(description="The notebook cells whose outputs it may lack.")
    ] = []
    notebook: Annotated[
        str | None, Meta(description="Path of the notebook, as the server has it now.")
    ] = None


class Alive(_Message, frozen=True, tag="alive"):
    """The page is still there. Due every minute: a page that is closed or reloaded may not say so."""


class Terminate(_Message, frozen=True, tag="terminate"):
    """End a cell. What it has emitted then waits to be collected."""

    id: CommandId
    cell_id: str


class TerminateAll(_Message, frozen=True, tag="terminate_all"):
    """End every cell that runs, likewise."""

    id: CommandId


class StopShell(_Message, frozen=True, tag="stop_shell"):
    """End a live shell."""

    id: CommandId
    session_id: int


class AnswerQuestion(_Message, frozen=True, tag="answer_question"):
    """Answer an open question. The first answer counts, wherever it comes from."""

    id: CommandId
    question_id: str
    choice: Annotated[str, Meta(description="The word of one of its choices.")]
    content: Annotated[
        dict[str, Any] | str | None,
        Meta(description="With its first choice: the filled-in form, or the text."),
    ] = None


class ReadCapture(_Message, frozen=True, tag="read_capture"):
    """Read a piece of the whole output of a cell or a command."""

    id: CommandId
    file: Annotated[
        str, Meta(description="Folder and name of its file, the last two parts of its path.")
    ]
    offset: Annotated[Count, Meta(description="First byte of the text.")] = 0


class Detach(_Message, frozen=True, tag="detach"):
    """Nothing more is wanted; closing the comm says the same."""


Command: TypeAlias = Terminate | TerminateAll | StopShell | AnswerQuestion | ReadCapture
FromFront: TypeAlias = (
    Attach | Alive | Terminate | TerminateAll | StopShell | AnswerQuestion | ReadCapture | Detach
)
