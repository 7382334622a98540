"""The life of one cell, sans-I/O: frames of its worker and requests in, effects out.

    STARTING --worker--> RUNNING --DONE--> FINISHING --notified--> BUFFERED --collected--> CLOSED
                            |                  |          \\--observed------------------------^
                            +---- terminate ---+--> TERMINATING --worker gone----------------^

The client hears of a cell at once, before it has a worker. A worker that is gone before the script
began has done nothing: the cell is STARTING again, and gets another. An observation belongs to
STARTING and RUNNING: it ends by a deadline, `yield_control()`, `operation/yield`, the result or a
termination. Once the script is done (FINISHING) nothing but the outstanding notifications holds
the result back; who asks meanwhile (`late`) is answered when they are delivered. A termination
still beats the result then, and not any more once it is BUFFERED (contract 3.2, 7.3 to 7.5; orders
of messages as measured on the reference).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import Enum, auto
from typing import Protocol

import msgspec
from msgspec import Struct

from codemode_host.delegates import Delegates
from codemode_host.effects import Alarm, Effect, Kill, Send, StartWorker, Tell
from codemode_host.engine.frames import Kind
from codemode_host.errors import EngineError, FrameTooLong
from codemode_host.framing import MAX_FRAME_BYTES
from codemode_host.observation import Observer, yield_after_ms
from codemode_host.output import Output, Taken
from codemode_host.requests import Requests
from codemode_host.stored import MAX_STORED_BYTES, Stored
from codemode_host.wire import (
    CellBegun,
    DelegateOk,
    Failure,
    Invocation,
    NotificationSend,
    Result,
    RuntimeResponse,
    Terminated,
    ToolDefinition,
    ToolInvoke,
    ToolResult,
    Yielded,
)
from codemode_host.worker_payloads import (
    read_call,
    read_error_text,
    read_item,
    read_notification,
    read_store,
)

NS_PER_MS = 1_000_000
SET_UP_NS = 1000 * NS_PER_MS
"""A worker that does not say `BEGUN` so long after `START` is taken to have begun."""

MAX_WORKERS = 8
"""More than there are spares, which may all be dead before the host has heard of it."""

MAX_ARGUMENT_BYTES = MAX_FRAME_BYTES - 1024 * 1024
"""Longest argument of a tool call: a frame less what is around it."""

CANCELLED = "code-mode request cancelled"
NOT_TOOL_RESULT = "code-mode client returned an invalid tool result"
NOT_STORED = (
    f"Nothing was stored: a session keeps at most {MAX_STORED_BYTES // 1024**2} MiB of values."
)
RUNTIME_ENDED = "exec runtime ended unexpectedly"


class Phase(Enum):
    STARTING = auto()
    RUNNING = auto()
    FINISHING = auto()
    BUFFERED = auto()
    TERMINATING = auto()
    CLOSED = auto()


# Looking up a member of an enum takes ten times as long, and these two are for every frame.
_RUNNING = Phase.RUNNING
_RESULT = Kind.RESULT

_LIVE = (Phase.STARTING, Phase.RUNNING)
"""The script is not done: observations come and go."""


class CellSpec(Struct, frozen=True):
    """What an execute asks for; `call_id` is its `tool_call_id`, `cap_ms` its session's limit.

    With `tells_begin` the client is told when the script begins.
    """

    session_id: str
    cell_id: str
    call_id: str
    tools: list[ToolDefinition]
    source: str
    yield_time_ms: int | None
    cap_ms: int | None
    tells_begin: bool


class CellOwner(Protocol):
    """The session of a cell."""

    def start_payload(self, cell: Cell) -> bytes:
        """The `START` frame's payload for `cell`."""

    def commit(self, writes: Stored) -> bool:
        """The cell ended by itself, having stored `writes`; False when they are too much."""

    def closed(self, cell: Cell) -> None:
        """The cell was answered for and is over."""


class Cell:
    """One cell; `now` is always the monotonic time in nanoseconds."""

    def __init__(
        self,
        spec: CellSpec,
        owner: CellOwner,
        output: Output,
        requests: Requests,
        delegates: Delegates,
        effects: list[Effect],
    ) -> None:
        self.spec = spec
        self.session_id = spec.session_id
        self.id = spec.cell_id
        self.phase = Phase.STARTING
        self._output = output
        self._owner = owner
        self._requests = requests
        self._delegates = delegates
        self._effects = effects
        self._observer: Observer | None = None
        self._deadline_ns: int | None = None
        self._terminator: Observer | None = None
        self._late: list[Observer] = []
        self._calls = 0
        self._notifying = 0
        self._writes = Stored()
        self._overfull = False
        self._error_text: str | None = None
        self._buffered_ns: int | None = None
        self._workers = 0
        self._worker_gone = False
        self._begun = False

    # Requests

    def begin(self, observer: Observer, now: int) -> None:
        """The execute came in; `observer` is its own."""
        self._observer = observer
        self._requests.assign(observer.request_id, self)
        self._requests.started(observer.request_id, self.id)
        self._effects.append(StartWorker(self))
        if yield_after_ms(self.spec.yield_time_ms, self.spec.cap_ms) == 0:
            self._yield(now)

    def observe(self, observer: Observer, yield_time_ms: int, now: int) -> None:
        """A wait."""
        if self.phase is Phase.FINISHING:
            self._late.append(observer)
            self._requests.assign(observer.request_id, self)
        elif self.phase is Phase.BUFFERED:
            self._answer_result(observer, now)
            self._close()
        elif self.phase not in _LIVE:
            self._requests.missing(observer, self.id, now)
        elif self._observer is not None:
            message = f"exec cell {self.id} already has an active observer"
            self._requests.refuse(observer.request_id, message)
        else:
            self._observer = observer
            self._requests.assign(observer.request_id, self)
            self._set_deadline(yield_time_ms, now)

    def preempt(self, request_id: int, now: int) -> None:
        """`operation/yield`: end the observation of that request, if it is this cell's."""
        if self.phase in _LIVE and self._is_observed_by(request_id):
            self._yield(now)

    def cancel(self, request_id: int) -> None:
        """`operation/cancel`: a wait ends with an error, its output stays for the next one."""
        observer = self._observer
        if observer is not None and observer.request_id == request_id:
            if self.phase in _LIVE and not observer.initial:
                self._end_observation()
                self._requests.refuse(request_id, CANCELLED)
            return
        for late in self._late:
            if late.request_id == request_id:
                self._late.remove(late)
                self._requests.refuse(request_id, CANCELLED)
                return

    def terminate(self, terminator: Observer | None, now: int) -> None:
        """End the cell from outside; without a `terminator` nobody is told but its observer."""
        if self.phase is Phase.BUFFERED:
            if terminator is not None:
                self._answer_result(terminator, now)
            self._close()
        elif self.phase is Phase.TERMINATING:
            if terminator is not None:
                message = f"exec cell {self.id} is already terminating"
                self._requests.refuse(terminator.request_id, message)
        else:
            worker_gone = self._worker_gone or self.phase is Phase.STARTING
            self._terminator = terminator
            self._clear_deadline()
            self._output.flush()
            self._delegates.cancel(self)
            self.phase = Phase.TERMINATING
            self._effects.append(Kill(self))
            if worker_gone:
                self._terminated(now)

    # The clock

    def alarm(self, now: int) -> None:
        """The time of the last `Alarm` has come."""
        if self._deadline_ns is None:
            if self.phase is Phase.RUNNING:
                self._begin(now)
        elif now >= self._deadline_ns:
            self._yield(now)

    # The worker

    def worker_ready(self, now: int) -> None:
        """A worker is there: it sets the script up, and says when it begins."""
        if self.phase is not Phase.STARTING:
            self._effects.append(Kill(self))
            return
        self.phase = Phase.RUNNING
        self._workers += 1
        self._worker_gone = False
        self._effects.append(Tell(self, Kind.START, 0, self._owner.start_payload(self)))
        if self._deadline_ns is None:
            self._effects.append(Alarm(self, now + SET_UP_NS))

    def worker_failed(self, reason: str, now: int) -> None:
        """There is no worker to be had."""
        if self.phase is Phase.STARTING:
            self._error_text = f"failed to initialize code mode runtime: {reason}"
            self._clear_deadline()
            self._finish(now)

    def frame(self, kind: int, number: int, payload: bytes, now: int) -> None:
        """A frame of the worker; raises `EngineError` when it breaks the rules."""
        if self.phase is _RUNNING:
            # The deadline beats what is still in the queue (contract 4.1).
            if self._deadline_ns is not None and now >= self._deadline_ns:
                self._yield(now)
            handler = _HANDLERS.get(kind)
            if handler is None:
                raise EngineError(f"unexpected frame of kind {kind}")
            handler(self, number, payload, now)
        elif self.phase is Phase.TERMINATING and kind == Kind.ITEM:
            self._on_item(number, payload, now)

    def worker_ended(self, reason: str | None, now: int) -> None:
        """The worker is gone and everything it sent was read; `reason` is None after `DONE`."""
        self._worker_gone = True
        if self.phase is Phase.RUNNING and not self._begun and self._workers < MAX_WORKERS:
            self.phase = Phase.STARTING
            self._effects.append(StartWorker(self))
        elif self.phase is Phase.RUNNING:
            self.fail(reason, now)
        elif self.phase is Phase.TERMINATING:
            self._terminated(now)

    def flush(self) -> None:
        """A read of the worker's socket is over: send the output that it brought."""
        self._output.flush()

    def fail(self, reason: str | None, now: int) -> None:
        """The worker ended, or has to, before the script did: what it stored is lost."""
        if self.phase is not Phase.RUNNING:
            return
        self._error_text = f"{RUNTIME_ENDED}: {reason}" if reason else RUNTIME_ENDED
        self._effects.append(Kill(self))
        self._clear_deadline()
        self._output.flush()
        self._finish(now)

    def _on_begun(self, number: int, payload: bytes, now: int) -> None:
        self._begin(now)

    def _begin(self, now: int) -> None:
        """The script is about to run, and with it the clock of the execute (contract 4.1)."""
        if self._begun:
            return
        self._begun = True
        if self.spec.tells_begin:
            self._effects.append(Send(CellBegun(self.session_id, self.id)))
        if self._observer is not None and self._observer.initial:
            self._set_deadline(self.spec.yield_time_ms, now)
        elif self._deadline_ns is None:
            self._effects.append(Alarm(self, None))

    def _on_item(self, number: int, payload: bytes, now: int) -> None:
        self._output.add(read_item(payload), len(payload))

    def _on_call(self, number: int, payload: bytes, now: int) -> None:
        index, argument = read_call(payload)
        self._calls += 1
        if number != self._calls:
            raise EngineError(f"tool call {number} where {self._calls} was due")
        if not 0 <= index < len(self.spec.tools):
            raise EngineError(f"no tool has the index {index}")
        if len(payload) > MAX_ARGUMENT_BYTES:
            error = FrameTooLong(len(payload), MAX_FRAME_BYTES)
            message = f"code-mode delegate request exceeds the IPC frame limit: {error}"
            self._reject_call(number, message)
            return
        tool = self.spec.tools[index]
        invocation = Invocation(self.id, f"tool-{number}", tool.tool_name, tool.kind, argument)
        self._output.flush()
        self._delegates.call(self, number, ToolInvoke(invocation), len(payload))

    def _on_store(self, number: int, payload: bytes, now: int) -> None:
        key, text = read_store(payload)
        self._overfull = self._overfull or not self._writes.put(key, text, len(payload))

    def _on_notify(self, number: int, payload: bytes, now: int) -> None:
        text = read_notification(payload)
        self._notifying += 1
        self._output.flush()
        request = NotificationSend(self.spec.call_id, self.id, text)
        self._delegates.call(self, None, request, len(payload))

    def _on_yield(self, number: int, payload: bytes, now: int) -> None:
        if self._observer is not None:
            self._yield(now)

    def _on_done(self, number: int, payload: bytes, now: int) -> None:
        self._error_text = read_error_text(payload)
        self._effects.append(Kill(self))  # a worker that does not end by itself
        self._clear_deadline()
        self._output.flush()
        if self._notifying:
            self.phase = Phase.FINISHING
        else:
            self._complete(now)

    # The client

    def delegate_answered(self, number: int | None, result: DelegateOk | Failure, now: int) -> None:
        """The client answered tool call `number`, or a notification."""
        if number is None:
            self._notifying -= 1
            if self.phase is Phase.FINISHING and not self._notifying:
                self._complete(now)
        elif isinstance(result, Failure):
            self._reject_call(number, result.message)
        elif isinstance(result.value, ToolResult):
            value = bytes(result.value.result)
            self._effects.append(Tell(self, _RESULT, number, value))
        else:
            self._reject_call(number, NOT_TOOL_RESULT)

    def _reject_call(self, number: int, message: str) -> None:
        payload = msgspec.json.encode(message)
        self._effects.append(Tell(self, Kind.FAILURE, number, payload))

    # Ends

    def _complete(self, now: int) -> None:
        """The script ended by itself and its notifications are delivered."""
        stored = not self._overfull and self._owner.commit(self._writes)
        if not stored and self._error_text is None:
            self._error_text = NOT_STORED
        self._finish(now)

    def _finish(self, now: int) -> None:
        self._delegates.cancel(self)
        waiting = ([self._observer] if self._observer else []) + self._late
        if not waiting:
            self.phase = Phase.BUFFERED
            self._buffered_ns = now
            return
        self._answer_result(waiting[0], now)
        for observer in waiting[1:]:
            self._requests.missing(observer, self.id, now)
        self._close()

    def _terminated(self, now: int) -> None:
        taken = self._output.take()
        for observer in (self._terminator, self._observer):
            if observer is not None:
                body = Terminated(self.id, taken.items, now - observer.received_ns, taken.seq)
                self._answer(observer, RuntimeResponse(terminated=body), taken)
        for observer in self._late:
            self._requests.missing(observer, self.id, now)
        self._close()

    def _close(self) -> None:
        self.phase = Phase.CLOSED
        self._owner.closed(self)

    # Observations

    def _is_observed_by(self, request_id: int) -> bool:
        return self._observer is not None and self._observer.request_id == request_id

    def _set_deadline(self, yield_time_ms: int | None, now: int) -> None:
        after_ms = yield_after_ms(yield_time_ms, self.spec.cap_ms)
        if after_ms == 0:
            self._yield(now)
        else:
            self._deadline_ns = now + after_ms * NS_PER_MS
            self._effects.append(Alarm(self, self._deadline_ns))

    def _clear_deadline(self) -> None:
        if self._deadline_ns is not None:
            self._deadline_ns = None
            self._effects.append(Alarm(self, None))

    def _end_observation(self) -> None:
        self._observer = None
        self._clear_deadline()

    def _yield(self, now: int) -> None:
        observer = self._observer
        assert observer is not None, "a deadline exists only while somebody observes"
        self._end_observation()
        taken = self._output.take()
        body = Yielded(self.id, taken.items, now - observer.received_ns, taken.seq)
        self._answer(observer, RuntimeResponse(yielded=body), taken)

    def _answer_result(self, observer: Observer, now: int) -> None:
        taken = self._output.take()
        body = Result(
            self.id,
            taken.items,
            now - observer.received_ns,
            self._error_text,
            0 if self._buffered_ns is None else now - self._buffered_ns,
            taken.seq,
        )
        self._answer(observer, RuntimeResponse(result=body), taken)

    def _answer(self, observer: Observer, response: RuntimeResponse, taken: Taken) -> None:
        if taken.overlong_bytes:
            self._requests.overlong(observer, taken.overlong_bytes)
        else:
            self._requests.observed(observer, response)


_HANDLERS: Mapping[int, Callable[[Cell, int, bytes, int], None]] = {
    Kind.BEGUN: Cell._on_begun,
    Kind.ITEM: Cell._on_item,
    Kind.CALL: Cell._on_call,
    Kind.STORE: Cell._on_store,
    Kind.NOTIFY: Cell._on_notify,
    Kind.YIELD: Cell._on_yield,
    Kind.DONE: Cell._on_done,
}
