"""The calls of one cell that its record has in part, or has no room for, whole but for secrets.

They are lines of JSON in one capture, as the calls of a record but that nothing is cut. A cell may
make any number of calls, so no place of any is kept: one that is asked for is looked for.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import msgspec
from codemode_host.wire import TextItem
from toolbridge.masking import without_secrets

from codemode_kernel.captures.capture import READ_BYTES, Capture, Snapshot
from codemode_kernel.record import CallRecord
from codemode_kernel.session.calls import Call, CallOutcome

BATCH = 64 * 1024
"""Characters that are written together."""


class WholeCalls:
    """Takes calls as they end, and finds them again by their ids."""

    def __init__(self, capture: Capture) -> None:
        """`capture` is theirs alone."""
        self._capture = capture
        self._batch: list[str] = []
        self._batch_characters = 0
        self._count = 0
        self._recorded: set[str] = set()
        """Ids of those that were recorded whole; no more than a record has room for."""

    def take(self, facts: CallRecord, call: Call) -> None:
        """Keep an ended call; `facts` is its record without values."""
        self._take(_line(facts, call))

    def take_recorded(self, record: CallRecord) -> None:
        """Keep a call as it was recorded, which its cell's record has no room for."""
        if record.id not in self._recorded:
            self._recorded.add(record.id)
            self._take(msgspec.json.encode(record).decode())

    def _take(self, line: str) -> None:
        self._count += 1
        self._batch.append(line)
        self._batch_characters += len(line)
        if self._batch_characters > BATCH:
            self.write()

    def write(self) -> None:
        """Write what waits for more."""
        if self._batch:
            self._capture.take([TextItem("\n".join(self._batch))])
            self._capture.publish()
            self._batch.clear()
            self._batch_characters = 0

    def __len__(self) -> int:
        return self._count

    def snapshot(self) -> Snapshot:
        """How it stands with all of them."""
        return self._capture.snapshot()

    async def settled(self, timeout_s: float) -> None:
        """Write everything, and wait for that."""
        self.write()
        await self._capture.settled(timeout_s)

    def read(self, call_id: str) -> str | None:
        """One call as JSON to be read; blocks, raises `OSError`. None where there is none."""
        begin = f'{{"id":{json.dumps(call_id)},'.encode()
        for line in self._lines():
            if line.startswith(begin):
                return json.dumps(json.loads(line), indent=2, ensure_ascii=False)
        return None

    def _lines(self) -> Iterator[bytes]:
        """Those that were written to their end."""
        offset, rest = 0, b""
        while self._capture.is_published and (piece := self._capture.read(offset, READ_BYTES)):
            offset += len(piece)
            *lines, rest = (rest + piece).split(b"\n")
            yield from lines

    def discard(self) -> None:
        """Nothing is kept any more."""
        self._batch.clear()
        self._capture.discard()


def _line(facts: CallRecord, call: Call) -> str:
    tool, hide = call.definition, call.secrets.left_out_of_all
    whole: dict[str, Any] = msgspec.to_builtins(facts)
    if call.arguments is not None:
        whole["arguments"] = hide(without_secrets(call.arguments, tool.input_secrets))
    if call.outcome is CallOutcome.OK:
        whole["result"] = hide(without_secrets(call.result, tool.output_secrets))
    elif call.error is not None:
        whole["error"] = call.error
    try:
        return msgspec.json.encode(whole).decode()
    except ValueError:  # half a surrogate pair, which JSON can escape
        return json.dumps(whole, separators=(",", ":"))
