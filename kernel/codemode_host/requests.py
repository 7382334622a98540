"""The requests of a connection: which ids are taken, and their answers (contract 11.4 to 11.7).

Every request gets exactly one answer, and an execute its initial response as well.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from codemode_host.effects import Effect, Send
from codemode_host.errors import FrameTooLong, ProtocolError
from codemode_host.framing import MAX_FRAME_BYTES
from codemode_host.observation import Observer
from codemode_host.recent import Recent
from codemode_host.wire import (
    ExecutionStarted,
    Failure,
    InitialOk,
    InitialResponse,
    OperationOk,
    OperationResponse,
    OperationValue,
    Result,
    RuntimeResponse,
    WaitCompleted,
    WaitOutcome,
)

if TYPE_CHECKING:
    from codemode_host.cell import Cell

MAX_IN_FLIGHT = 4096
"""Requests without their final answer: twice the open cells, so that each of them can be ended."""


class Requests:
    """Knows which requests are in flight, which cell each waits for, and answers them."""

    def __init__(self, effects: list[Effect]) -> None:
        self._effects = effects
        self._in_flight: dict[int, Cell | None] = {}
        self._answered: Recent[int] = Recent()

    @property
    def full(self) -> bool:
        """More are in flight than may be, the newest included."""
        return len(self._in_flight) > MAX_IN_FLIGHT

    def open(self, request_id: int) -> None:
        """A request came in; raises `ProtocolError` when its id is or was in use."""
        if request_id in self._in_flight or request_id in self._answered:
            raise ProtocolError(f"duplicate code-mode request ID {request_id}")
        self._in_flight[request_id] = None

    def assign(self, request_id: int, cell: Cell) -> None:
        """The request waits for news of `cell`."""
        if request_id in self._in_flight:
            self._in_flight[request_id] = cell

    def cell_of(self, request_id: int) -> Cell | None:
        """The cell that the request waits for, while it does."""
        return self._in_flight.get(request_id)

    def respond(self, request_id: int, value: OperationValue) -> None:
        """The answer of everything but an execute."""
        self._settle(request_id)
        self._effects.append(Send(OperationResponse(request_id, OperationOk(value))))

    def refuse(self, request_id: int, message: str) -> None:
        """The answer of a request that fails before it began to observe a cell, or is cancelled."""
        self._settle(request_id)
        self._effects.append(Send(OperationResponse(request_id, Failure(message))))

    def started(self, request_id: int, cell_id: str) -> None:
        """An execute got its cell; it stays in flight until it is `observed`."""
        value = OperationOk(ExecutionStarted(cell_id))
        self._effects.append(Send(OperationResponse(request_id, value)))

    def observed(self, observer: Observer, response: RuntimeResponse) -> None:
        """An observation ended."""
        if observer.initial:
            self._settle(observer.request_id)
            self._effects.append(Send(InitialResponse(observer.request_id, InitialOk(response))))
        else:
            value = WaitCompleted(WaitOutcome(live_cell=response))
            self.respond(observer.request_id, value)

    def overlong(self, observer: Observer, length: int) -> None:
        """An observation ended with `length` bytes, which no frame can carry."""
        error = FrameTooLong(length, MAX_FRAME_BYTES)
        if observer.initial:
            self._settle(observer.request_id)
            failure = initial_too_long(error)
            self._effects.append(Send(InitialResponse(observer.request_id, failure)))
        else:
            self.refuse(observer.request_id, response_too_long(error).message)

    def missing(self, observer: Observer, cell_id: str, now: int) -> None:
        """The answer about a cell that is not there (any more)."""
        duration = now - observer.received_ns
        body = Result(cell_id, [], duration, f"exec cell {cell_id} not found", 0)
        outcome = WaitOutcome(missing_cell=RuntimeResponse(result=body))
        self.respond(observer.request_id, WaitCompleted(outcome))

    def _settle(self, request_id: int) -> None:
        del self._in_flight[request_id]
        self._answered.add(request_id)


def initial_too_long(error: FrameTooLong) -> Failure:
    """What takes the place of an initial response that fits no frame (contract 11.7)."""
    return Failure(f"code-mode initial response exceeds the IPC frame limit: {error}")


def response_too_long(error: FrameTooLong) -> Failure:
    """What takes the place of any other answer that fits no frame (contract 11.7)."""
    return Failure(f"code-mode host response exceeds the IPC frame limit: {error}")
