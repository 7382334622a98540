"""What a page may order.

It may end cells and shells as `%terminate` does, without collecting anything, answer a question,
and read a whole output.
"""

from __future__ import annotations

import asyncio

from toolbridge.errors import ToolError

from codemode_kernel.captures.captures import SETTLE_S
from codemode_kernel.captures.pieces import read_piece
from codemode_kernel.control.from_front import (
    AnswerQuestion,
    Command,
    ReadCapture,
    StopShell,
    Terminate,
    TerminateAll,
)
from codemode_kernel.control.from_kernel import CapturePiece, Done
from codemode_kernel.errors import KernelError, StaleCell
from codemode_kernel.questions.board import QuestionGone
from codemode_kernel.rooms import Rooms

PIECE_BYTES = 1024 * 1024
"""Most of an output that one message holds."""


class CommandRefused(KernelError):
    """A command cannot be obeyed; the text says why."""


async def perform(command: Command, rooms: Rooms) -> Done | CapturePiece:
    """Obey, and give the answer. Raises `CommandRefused`.

    The end of a cell is wished for and not waited for. Whoever observes it has its output; else it
    waits to be collected.
    """
    match command:
        case Terminate(cell_id=cell_id):
            _terminate(cell_id, rooms)
        case TerminateAll():
            running = [cell for cell in rooms.session.cells if not cell.over]
            if not running:
                raise CommandRefused("No cell runs.")
            for cell in running:
                rooms.session.stop(cell)
        case StopShell(session_id=session_id):
            await _stop_shell(session_id, rooms)
        case AnswerQuestion():
            _answer(command, rooms)
        case ReadCapture():
            return await _read_capture(command, rooms)
    return Done(command.id)


def _terminate(cell_id: str, rooms: Rooms) -> None:
    try:
        cell = rooms.session.find(cell_id)
    except StaleCell as error:
        raise CommandRefused(str(error)) from None
    if cell is None:
        raise CommandRefused(f"There is no cell {cell_id}: it was collected, or never was.")
    if cell.over:
        raise CommandRefused(f"Cell {cell_id} has ended already; %wait {cell_id} collects it.")
    rooms.session.stop(cell)


def _answer(answer: AnswerQuestion, rooms: Rooms) -> None:
    try:
        rooms.board.answer(answer.question_id, answer.choice, answer.content)
    except QuestionGone as error:
        raise CommandRefused(str(error)) from None


async def _read_capture(command: ReadCapture, rooms: Rooms) -> CapturePiece:
    capture = rooms.captures.in_file(command.file)
    if capture is None:
        raise CommandRefused("This output is not kept any more: its session is over.")
    await capture.settled(SETTLE_S)
    try:
        piece = await asyncio.to_thread(read_piece, capture, command.offset, PIECE_BYTES)
    except OSError as error:
        raise CommandRefused(f"The output cannot be read: {error.strerror or error}.") from None
    return CapturePiece(command.id, piece.text, piece.next_offset)


async def _stop_shell(session_id: int, rooms: Rooms) -> None:
    try:
        exit_code = await rooms.shell.stop(session_id)
    except ToolError:
        raise CommandRefused(f"There is no shell {session_id}.") from None
    if exit_code is None:
        raise CommandRefused(f"Shell {session_id} was told to end but has not ended yet.")
