"""One client's connection: its messages in, effects out (contract 11). Sans-I/O.

What comes from workers and from the clock goes to the cells themselves, which share the
connection's list of effects.
"""

from __future__ import annotations

from collections.abc import Callable

from codemode_host.delegates import Delegates
from codemode_host.effects import Effect, HangUp, Send
from codemode_host.engine.report import EngineReport
from codemode_host.errors import ProtocolError
from codemode_host.handshake import HOST_DESCRIPTION, STORED_VALUES, answer_hello
from codemode_host.observation import Observer
from codemode_host.recent import Recent
from codemode_host.requests import Requests
from codemode_host.session import CellPermits, Session
from codemode_host.wire import (
    CellExecutionLimits,
    ClearStored,
    ClientMessage,
    DelegateResponse,
    DescribeHost,
    Execute,
    Hello,
    HostDescription,
    ListStored,
    OpenSession,
    OperationCancel,
    OperationRequest,
    OperationYield,
    Ready,
    SessionReady,
    ShutdownSession,
    StoredCleared,
    StoredValues,
    Terminate,
    Wait,
)


class Connection:
    """Takes decoded messages; what is to be done is appended to `effects`."""

    def __init__(
        self,
        catchable_exit: bool = False,
        engine: Callable[[], EngineReport] = EngineReport,
    ) -> None:
        """`engine` tells what runs the cells, as it is when it is called."""
        self._engine = engine
        self.effects: list[Effect] = []
        self.delegates = Delegates(self.effects)
        self._catchable_exit = catchable_exit
        self._requests = Requests(self.effects)
        self._permits = CellPermits()
        self._sessions: dict[str, Session] = {}
        self._closed_sessions: Recent[str] = Recent()
        self._capabilities: list[str] | None = None

    def receive(self, message: ClientMessage, now: int) -> None:
        """A message came in at `now` (monotonic ns); raises `ProtocolError`."""
        if self._capabilities is None:
            self._shake_hands(message)
        elif isinstance(message, DelegateResponse):
            self._answer_delegation(message, now)
        elif isinstance(message, OperationRequest):
            self._requests.open(message.id)
            self._operate(message, now)
        elif isinstance(message, OperationCancel):
            cell = self._requests.cell_of(message.id)
            if cell is not None:
                cell.cancel(message.id)
        elif isinstance(message, OperationYield):
            cell = self._requests.cell_of(message.id)
            if cell is not None:
                cell.preempt(message.id, now)
        elif isinstance(message, Hello):
            raise ProtocolError("received a second code-mode client hello")

    def _shake_hands(self, message: ClientMessage) -> None:
        answer = answer_hello(message)
        self.effects.append(Send(answer))
        if isinstance(answer, Ready):
            self._capabilities = answer.capabilities
        else:
            self.effects.append(HangUp())

    def _answer_delegation(self, message: DelegateResponse, now: int) -> None:
        delegation = self.delegates.answered(message.id)
        if delegation is not None:
            delegation.cell.delegate_answered(delegation.number, message.result, now)

    def _operate(self, message: OperationRequest, now: int) -> None:
        request = message.request
        if self._requests.full:
            self._requests.refuse(message.id, "code-mode host has too many in-flight requests")
        elif isinstance(request, OpenSession):
            self._open(message.id, request)
        elif (session := self._sessions.get(request.session_id)) is None:
            self._requests.refuse(message.id, f"unknown code-mode session {request.session_id}")
        elif isinstance(request, Execute):
            self._execute(session, message.id, request, now)
        elif isinstance(request, Wait):
            wait = request.request
            session.wait(Observer(message.id, now), wait.cell_id, wait.yield_time_ms, now)
        elif isinstance(request, Terminate):
            session.terminate(Observer(message.id, now), request.cell_id, now)
        elif isinstance(request, ListStored | ClearStored):
            self._serve_stored(session, message.id, request)
        elif isinstance(request, DescribeHost):
            self._describe_host(session, message.id)
        elif isinstance(request, ShutdownSession):
            del self._sessions[session.id]
            self._closed_sessions.add(session.id)
            session.shut_down(message.id, now)

    def _open(self, request_id: int, request: OpenSession) -> None:
        session_id = request.session_id
        if session_id in self._sessions:
            message = f"code-mode session ID `{session_id}` is already open"
            self._requests.refuse(request_id, message)
            return
        if session_id in self._closed_sessions:
            message = f"code-mode session ID `{session_id}` was reused"
            self._requests.refuse(request_id, message)
            return
        assert self._capabilities is not None
        self._sessions[session_id] = Session(
            session_id,
            request.cell_execution_limits or CellExecutionLimits(),
            self._capabilities,
            self._catchable_exit,
            self._requests,
            self.delegates,
            self._permits,
            self.effects,
        )
        self._requests.respond(request_id, SessionReady(session_id))

    def _serve_stored(
        self, session: Session, request_id: int, request: ListStored | ClearStored
    ) -> None:
        assert self._capabilities is not None
        if STORED_VALUES not in self._capabilities:
            raise ProtocolError(f"the client did not ask for {STORED_VALUES}")
        if isinstance(request, ListStored):
            self._requests.respond(request_id, StoredValues(session.id, session.stored_values()))
        else:
            session.clear_stored_values(request.key)
            self._requests.respond(request_id, StoredCleared(session.id))

    def _describe_host(self, session: Session, request_id: int) -> None:
        assert self._capabilities is not None
        if HOST_DESCRIPTION not in self._capabilities:
            raise ProtocolError(f"the client did not ask for {HOST_DESCRIPTION}")
        report = self._engine()
        description = HostDescription(session.id, report.engine, dict(report.layers))
        self._requests.respond(request_id, description)

    def _execute(self, session: Session, request_id: int, request: Execute, now: int) -> None:
        budget = request.request.max_output_tokens
        if budget is not None and budget < 0:
            detail = "number too small to fit in target type"
            self._requests.refuse(request_id, f"invalid code-mode execute request: {detail}")
        else:
            session.execute(Observer(request_id, now, initial=True), request.request, now)
