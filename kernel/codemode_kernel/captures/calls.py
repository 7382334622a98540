"""The calls of one cell of which its record has a part, whole but for secrets.

They are lines of JSON in one capture. As the record's bound is what brings a call here, there are no
more of them than a record has calls.
"""

from __future__ import annotations

import json
from typing import Any

import msgspec
from codemode_host.wire import TextItem
from toolbridge.masking import without_secrets

from codemode_kernel.calls import Call, CallOutcome
from codemode_kernel.captures.capture import READ_BYTES, Capture, Snapshot
from codemode_kernel.record import CallRecord


class WholeCalls:
    """Takes calls as they end, and finds them again by their ids."""

    def __init__(self, capture: Capture) -> None:
        """`capture` is theirs alone."""
        self._capture = capture
        self._places: dict[str, tuple[int, int]] = {}
        """Offset and bytes of each call's line."""
        self._size = 0

    def take(self, call: Call) -> None:
        """Keep an ended call. It goes to a file: it is too long for a record."""
        self._take(call.id, _line(call))

    def take_recorded(self, record: CallRecord) -> None:
        """Keep a call as it was recorded whole, before a record had no room for it."""
        if record.id not in self._places:
            self._take(record.id, msgspec.json.encode(record).decode())

    def _take(self, call_id: str, line: str) -> None:
        size = len(line.encode("utf-8", "replace")) + 1
        self._places[call_id] = self._size, size
        self._size += size
        self._capture.take([TextItem(line)])
        self._capture.publish()

    def __contains__(self, call_id: str) -> bool:
        return call_id in self._places

    def __len__(self) -> int:
        return len(self._places)

    def snapshot(self) -> Snapshot:
        """How it stands with all of them."""
        return self._capture.snapshot()

    async def settled(self, timeout_s: float) -> None:
        """Wait for what is being written."""
        await self._capture.settled(timeout_s)

    def read(self, call_id: str) -> str | None:
        """One call as JSON to be read; blocks, raises `OSError`. None where it was lost."""
        offset, size = self._places[call_id]
        line = bytearray()
        while len(line) < size:
            piece = self._capture.read(offset + len(line), min(READ_BYTES, size - len(line)))
            if not piece:
                return None
            line += piece
        return json.dumps(json.loads(line), indent=2, ensure_ascii=False)

    def discard(self) -> None:
        """Nothing is kept any more."""
        self._capture.discard()


def _line(call: Call) -> str:
    tool, hide = call.definition, call.secrets.left_out_of_all
    whole: dict[str, Any] = {"id": call.id, "tool": call.tool, "outcome": call.outcome}
    if call.arguments is not None:
        whole["arguments"] = hide(without_secrets(call.arguments, tool.input_schema))
    if call.outcome is CallOutcome.OK:
        whole["result"] = hide(without_secrets(call.result, tool.output_schema))
    elif call.error is not None:
        whole["error"] = call.error
    try:
        return msgspec.json.encode(whole).decode()
    except ValueError:  # half a surrogate pair, which JSON can escape
        return json.dumps(whole)
