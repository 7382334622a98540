"""`read_capture`: lets a script read the whole output of an earlier cell, or of a command."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

from codemode_kernel.captures.captures import SETTLE_S, Captures
from codemode_kernel.captures.merged import Readable
from codemode_kernel.captures.pieces import read_piece
from codemode_kernel.captures.shells import names_shell
from toolbridge import Annotations, CallContext, Source, Tool, ToolCall, ToolError

LIMIT = 64 * 1024
"""Bytes of one answer, unless fewer are asked for."""

READ_CAPTURE = Tool(
    "read_capture",
    source="captures",
    description=(
        "Read the whole output of an earlier cell, or of a shell command, of which only a part was shown, piece by piece: "
        "ask again with `offset` set to `next_offset` until there is none. It runs nothing again."
    ),
    input_schema={
        "type": "object",
        "properties": {
            "cell_id": {
                "type": "string",
                "description": "Id of the cell, or of a shell command's output (`shell-3`).",
            },
            "session_id": {
                "type": "integer",
                "description": "In its place: id of a shell session, of what it printed in all.",
            },
            "stream": {
                "enum": ["stdout", "stderr"],
                "description": "One stream of the command; without it both, as they came.",
            },
            "offset": {"type": "integer", "minimum": 0, "description": "First byte to read."},
            "limit": {
                "type": "integer",
                "minimum": 4,
                "maximum": LIMIT,
                "description": f"Most bytes to read; {LIMIT} by default.",
            },
        },
        "additionalProperties": False,
    },
    output_schema={
        "type": "object",
        "properties": {
            "state": {"enum": ["capturing", "complete", "partial", "unavailable"]},
            "bytes": {"type": "integer", "description": "What there was, media included."},
            "captured_bytes": {"type": "integer", "description": "What of that is kept."},
            "text": {"type": "string"},
            "next_offset": {"type": "integer", "description": "Absent at the end."},
        },
        "required": ["state", "bytes", "captured_bytes", "text"],
    },
    annotations=Annotations(read_only=True, destructive=False),
)


class CaptureSource(Source):
    """Offers the tool once there is a capture in a file. It owns the captures' end."""

    id = "captures"
    description = "Whole outputs of earlier cells."

    def __init__(self, captures: Captures) -> None:
        self._captures = captures
        captures.on_first_file = self._begin_to_offer

    def tools(self) -> Sequence[Tool]:
        return (READ_CAPTURE,) if self._captures.has_files else ()

    async def call(
        self, call: ToolCall, admitted: dict[str, Any], context: CallContext
    ) -> dict[str, Any]:
        capture = self._found(admitted)
        await capture.settled(SETTLE_S)
        offset = int(admitted.get("offset", 0))
        limit = int(admitted.get("limit", LIMIT))
        try:
            return await asyncio.to_thread(_answer, capture, offset, limit)
        except OSError as error:
            raise ToolError(f"the capture cannot be read: {error.strerror or error}") from None

    def _found(self, admitted: dict[str, Any]) -> Readable:
        shells, stream_name = self._captures.shells, admitted.get("stream", "")
        suffix = stream_name and f".{stream_name}"
        match admitted:
            case {"session_id": _, "cell_id": _}:
                raise ToolError("give cell_id or session_id, not both")
            case {"session_id": session_id}:
                shell = shells.of_session(int(session_id))
                found = shell.part(stream_name) if shell else None
                whose = f"shell session {session_id}"
            case {"cell_id": cell_id}:
                name = f"{cell_id}{suffix}"
                found = shells.named(name) or self._captures.of(name)
                whose = name if names_shell(name) else f"cell {name}"
            case _:
                raise ToolError("give the cell_id of a cell or the session_id of a shell session")
        if found is None:
            raise ToolError(f"no output of {whose} is kept")
        return found

    def _begin_to_offer(self) -> None:
        self.changed()  # set by the toolbox, later than this source is made

    async def reset(self) -> None:
        await self._captures.reset()
        self.changed()

    async def close(self) -> None:
        await self._captures.close()


def _answer(capture: Readable, offset: int, limit: int) -> dict[str, Any]:
    piece = read_piece(capture, offset, limit)
    snapshot = capture.snapshot()
    answer: dict[str, Any] = {
        "state": snapshot.state.value,
        "bytes": snapshot.bytes,
        "captured_bytes": snapshot.captured_bytes,
        "text": piece.text,
    }
    return answer if piece.next_offset is None else answer | {"next_offset": piece.next_offset}
