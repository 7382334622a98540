"""The host's state machines without a process and without a clock, described in short lines."""

import json
from collections.abc import Callable, Sequence
from typing import Any

from codemode_host.cell import Cell
from codemode_host.connection import Connection
from codemode_host.effects import Alarm, HangUp, Kill, Send, StartWorker, Tell
from codemode_host.engine.frames import Kind
from codemode_host.engine.report import EngineReport
from codemode_host.errors import EngineError
from codemode_host.wire import (
    AudioItem,
    CellBegun,
    CellClosed,
    CellContent,
    ContentItem,
    DelegateCancel,
    DelegateRequest,
    ExecutionStarted,
    Failure,
    HostDescription,
    HostMessage,
    ImageItem,
    InitialResponse,
    OperationResponse,
    Ready,
    Rejected,
    Result,
    RuntimeResponse,
    SessionClosed,
    SessionReady,
    StoredCleared,
    StoredValues,
    TextItem,
    ToolInvoke,
    WaitCompleted,
    Yielded,
    decode_client_message,
)

MS = 1_000_000
"""Nanoseconds of a millisecond."""


class Stage:
    """A connection, its client and its workers, all played by the test.

    Requests are numbered from 1; with `opened` the first one opened session `s`.
    """

    def __init__(
        self,
        capabilities: Sequence[str] = (),
        opened: bool = True,
        limits: dict[str, int] | None = None,
    ) -> None:
        self.engine = EngineReport("an engine", {"a layer": "active"})
        self.connection = Connection(engine=lambda: self.engine)
        self.now = 1_000_000 * MS
        self.cells: dict[str, Cell] = {}
        self.alarms: dict[str, int] = {}
        self.last_request = 0
        self._sent: list[str] = []
        self._told: list[str] = []
        if opened:
            self.hello(capabilities)
            self.open("s", limits)
            self._sent.clear()

    # The client

    def receive(self, message: dict[str, Any]) -> None:
        payload = json.dumps(message).encode()
        self.connection.receive(decode_client_message(payload), self.now)
        self._settle()

    def hello(self, optional: Sequence[str] = (), required: Sequence[str] = ()) -> None:
        self.receive(
            {
                "type": "connection/hello",
                "supportedVersions": [1],
                "requiredCapabilities": list(required),
                "optionalCapabilities": list(optional),
            }
        )

    def request(self, method: str, session: str = "s", **fields: Any) -> int:
        self.last_request += 1
        request = {"method": method, "sessionId": session, **fields}
        self.receive({"type": "operation/request", "id": self.last_request, "request": request})
        return self.last_request

    def open(self, session: str, limits: dict[str, int] | None = None) -> int:
        return self.request("session/open", session, cellExecutionLimits=limits)

    def execute(
        self,
        yield_time_ms: int | None = 5000,
        session: str = "s",
        ready: bool = True,
        **fields: Any,
    ) -> int:
        """An execute with the tools `t` and `u`; its worker is there at once, if `ready`."""
        definitions = [
            {"name": name, "tool_name": {"name": name}, "description": "", "kind": "function"}
            for name in ("t", "u")
        ]
        request = {
            "tool_call_id": "call",
            "enabled_tools": definitions,
            "source": "",
            "yield_time_ms": yield_time_ms,
            **fields,
        }
        wanted = len(self.cells)
        request_id = self.request("session/execute", session, request=request)
        if ready:
            for key in list(self.cells)[wanted:]:
                self.worker_ready(key)
        return request_id

    def wait(self, cell: str = "1", yield_time_ms: int = 5000, session: str = "s") -> int:
        request = {"cell_id": cell, "yield_time_ms": yield_time_ms}
        return self.request("session/wait", session, request=request)

    def terminate(self, cell: str = "1", session: str = "s") -> int:
        return self.request("session/terminate", session, cellId=cell)

    def shutdown(self, session: str = "s") -> int:
        return self.request("session/shutdown", session)

    def cancel(self, request_id: int) -> None:
        self.receive({"type": "operation/cancel", "id": request_id})

    def preempt(self, request_id: int) -> None:
        self.receive({"type": "operation/yield", "id": request_id})

    def answer(self, delegate_id: int, value: object = None) -> None:
        result = {"status": "ok", "value": {"type": "tool/result", "result": value}}
        self.receive({"type": "delegate/response", "id": delegate_id, "result": result})

    def delivered(self, delegate_id: int) -> None:
        result = {"status": "ok", "value": {"type": "notification/delivered"}}
        self.receive({"type": "delegate/response", "id": delegate_id, "result": result})

    def fail(self, delegate_id: int, message: str) -> None:
        result = {"status": "error", "message": message}
        self.receive({"type": "delegate/response", "id": delegate_id, "result": result})

    # Workers; a cell of the session `s` is called by its id, one of another as `session/id`

    def worker_ready(self, cell: str = "1", begun: bool = True) -> None:
        """A worker takes the cell and, unless told otherwise, begins at once."""
        self.cells[cell].worker_ready(self.now)
        self._settle()
        if begun:
            self.begun(cell)

    def begun(self, cell: str = "1") -> None:
        self.frame(Kind.BEGUN, cell=cell)

    def worker_failed(self, message: str, cell: str = "1") -> None:
        self.cells[cell].worker_failed(message, self.now)
        self._settle()

    def frame(self, kind: int, payload: bytes = b"", number: int = 0, cell: str = "1") -> None:
        """A frame that breaks the rules fails the cell, as the server does it."""
        try:
            self.cells[cell].frame(kind, number, payload, self.now)
        except EngineError as error:
            self.cells[cell].fail(str(error), self.now)
        self._settle()

    def text(self, text: str, cell: str = "1") -> None:
        item = {"type": "input_text", "text": text}
        self.frame(Kind.ITEM, json.dumps(item).encode(), cell=cell)

    def call(self, number: int, argument: object = None, tool: int = 0, cell: str = "1") -> None:
        self.frame(Kind.CALL, json.dumps([tool, argument]).encode(), number, cell)

    def store(self, key: str, value: object, cell: str = "1") -> None:
        self.frame(Kind.STORE, json.dumps([key, json.dumps(value)]).encode(), cell=cell)

    def notify(self, text: str, cell: str = "1") -> None:
        self.frame(Kind.NOTIFY, json.dumps(text).encode(), cell=cell)

    def yield_control(self, cell: str = "1") -> None:
        self.frame(Kind.YIELD, cell=cell)

    def done(self, error: str | None = None, cell: str = "1", ended: bool = True) -> None:
        self.frame(Kind.DONE, json.dumps(error).encode(), cell=cell)
        if ended:
            self.worker_ended(None, cell)

    def worker_ended(self, reason: str | None = "killed by signal 9", cell: str = "1") -> None:
        self.cells[cell].worker_ended(reason, self.now)
        self._settle()

    def end_of_read(self, cell: str = "1") -> None:
        self.cells[cell].flush()
        self._settle()

    # The clock

    def pass_time(self, ms: float) -> None:
        """Time goes by and the alarms that are due ring."""
        self.now += int(ms * MS)
        for cell, at in list(self.alarms.items()):
            if at <= self.now:
                del self.alarms[cell]
                self.cells[cell].alarm(self.now)
        self._settle()

    def alarm_in_ms(self, cell: str = "1") -> float | None:
        at = self.alarms.get(cell)
        return None if at is None else (at - self.now) / MS

    # What came of it

    def sent(self) -> list[str]:
        """What the client got since the last call."""
        sent, self._sent = self._sent, []
        return sent

    def told(self) -> list[str]:
        """What workers got since the last call."""
        told, self._told = self._told, []
        return told

    def _settle(self) -> None:
        for effect in self.connection.effects:
            if isinstance(effect, Send):
                self._sent.append(describe(effect.message))
            elif isinstance(effect, HangUp):
                self._sent.append("hang up")
            elif isinstance(effect, Tell):
                text = effect.payload.decode()
                words = [Kind(effect.kind).name, *([f"{effect.number}"] if effect.number else [])]
                self._told.append(f"{self._key(effect.cell)} {' '.join(words)} {text}")
            elif isinstance(effect, Kill):
                self._told.append(f"{self._key(effect.cell)} killed")
            elif isinstance(effect, StartWorker):
                self.cells[self._key(effect.cell)] = effect.cell
            elif isinstance(effect, Alarm):
                self.alarms.pop(self._key(effect.cell), None)
                if effect.at_ns is not None:
                    self.alarms[self._key(effect.cell)] = effect.at_ns
        self.connection.effects.clear()

    @staticmethod
    def _key(cell: Cell) -> str:
        return cell.id if cell.session_id == "s" else f"{cell.session_id}/{cell.id}"


def describe(message: HostMessage) -> str:
    """A message in a few words: ``3 yielded [a b]``; requests go by their ids."""
    describe_one = _DESCRIPTIONS[type(message)]
    return describe_one(message)


def _operation(message: OperationResponse) -> str:
    result = message.result
    if isinstance(result, Failure):
        return f"{message.id} refused: {result.message}"
    value = result.value
    if isinstance(value, ExecutionStarted):
        return f"{message.id} started cell {value.cell_id}"
    if isinstance(value, SessionReady):
        return f"{message.id} session {value.session_id} ready"
    if isinstance(value, SessionClosed):
        return f"{message.id} session {value.session_id} closed"
    if isinstance(value, StoredValues):
        stored = [f"{key}: {bytes(text).decode()}" for key, text in value.values.items()]
        return f"{message.id} stored {{{', '.join(stored)}}}"
    if isinstance(value, HostDescription):
        return f"{message.id} described {value.engine} {value.layers}"
    if isinstance(value, StoredCleared):
        return f"{message.id} cleared"
    return f"{message.id} {_outcome(value)}"


def _outcome(value: WaitCompleted) -> str:
    if isinstance(value.outcome.live_cell, RuntimeResponse):
        return _response(value.outcome.live_cell)
    assert isinstance(value.outcome.missing_cell, RuntimeResponse)
    body = value.outcome.missing_cell.body
    assert isinstance(body, Result)
    return f"missing: {body.error_text}"


def _initial(message: InitialResponse) -> str:
    if isinstance(message.result, Failure):
        return f"{message.id} failed: {message.result.message}"
    return f"{message.id} {_response(message.result.value)}"


def _response(response: RuntimeResponse) -> str:
    body = response.body
    items = _items(body.content_items)
    if isinstance(body.content_seq, int):
        items += f" to {body.content_seq}"
    if isinstance(body, Result):
        ending = "completed" if body.error_text is None else f"failed ({body.error_text})"
    else:
        ending = "yielded" if response.yielded is body else "terminated"
        assert isinstance(body, Yielded)
    return f"{ending} {items}"


def _items(items: Sequence[ContentItem]) -> str:
    return f"[{' '.join(_item(item) for item in items)}]"


def _item(item: ContentItem) -> str:
    if isinstance(item, TextItem):
        return item.text
    if isinstance(item, ImageItem):
        return f"image:{item.image_url}:{item.detail}"
    assert isinstance(item, AudioItem)
    return f"audio:{item.audio_url}"


def _delegate(message: DelegateRequest) -> str:
    request = message.request
    if isinstance(request, ToolInvoke):
        invocation = request.invocation
        argument = bytes(invocation.input).decode()
        name = invocation.tool_name.name
        return f"call {message.id}: {invocation.runtime_tool_call_id} {name}({argument})"
    return f"notify {message.id}: {request.text}"


def _content(message: CellContent) -> str:
    return f"content {message.seq}: {_items(message.items)}"


def _begun(message: CellBegun) -> str:
    return f"begun {message.cell_id}"


def _cancel(message: DelegateCancel) -> str:
    return f"cancel {message.id}"


def _closed(message: CellClosed) -> str:
    return f"closed {message.cell_id}"


def _ready(message: Ready) -> str:
    return f"ready {message.selected_version} {message.capabilities}"


def _rejected(message: Rejected) -> str:
    return f"rejected {type(message.reason).__name__}"


_DESCRIPTIONS: dict[type, Callable[[Any], str]] = {
    OperationResponse: _operation,
    InitialResponse: _initial,
    DelegateRequest: _delegate,
    DelegateCancel: _cancel,
    CellBegun: _begun,
    CellContent: _content,
    CellClosed: _closed,
    Ready: _ready,
    Rejected: _rejected,
}
