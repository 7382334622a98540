"""A client of protocol V1, for any host: ours, or the Codex CLI's.

Theory of operation. A request has an id and, while it is unanswered, an entry in `_pending`. An
execute is answered twice: `operation/response` says that the cell has started, and
`execute/initialResponse` how its first observation ended; between the two its entry is in
`_initial`. Answers are given to plain callbacks, at once and in the order of the frames, because
what a frame means depends on the frames before it: content that follows a yield belongs to the
next observation. When the connection ends every callback that is still due is called with
`HostGone`, so nobody waits for an answer that cannot come; a callback that finds its answer in
breach of the protocol raises `ProtocolError` and is among them.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, TypeAlias

from codemode_host.client.delegates import DelegateHandler, Delegates
from codemode_host.client.link import Link
from codemode_host.client.process import HostProcess, describe_exit
from codemode_host.errors import HostError, HostGone, ProtocolError, RequestRefused
from codemode_host.handshake import CAPABILITIES, YIELD_OBSERVATION
from codemode_host.launch import LaunchedHost
from codemode_host.wire import (
    CellBegun,
    CellClosed,
    CellContent,
    ClearStored,
    DelegateCancel,
    DelegateRequest,
    DescribeHost,
    Execute,
    ExecutionStarted,
    Failure,
    Hello,
    HostDescription,
    HostMessage,
    InitialResponse,
    ListStored,
    OpenSession,
    OperationCancel,
    OperationRequest,
    OperationResponse,
    OperationValue,
    OperationYield,
    Ready,
    Rejected,
    RuntimeResponse,
    SessionClosed,
    SessionReady,
    SessionRequest,
    ShutdownSession,
    StoredCleared,
    StoredValues,
    Terminate,
    Wait,
    WaitCompleted,
    WaitRequest,
)

HANDSHAKE_S = 30.0
"""Longest time a host may take to answer the hello, in seconds."""

EXIT_STATUS_S = 5.0
"""How long the exit status of a host whose connection ended is waited for, in seconds."""

_ANSWERS: dict[type[SessionRequest], type[OperationValue]] = {
    OpenSession: SessionReady,
    Execute: ExecutionStarted,
    Wait: WaitCompleted,
    Terminate: WaitCompleted,
    ShutdownSession: SessionClosed,
    ListStored: StoredValues,
    ClearStored: StoredCleared,
    DescribeHost: HostDescription,
}

Answer: TypeAlias = Callable[[OperationValue | HostError], None]
InitialAnswer: TypeAlias = Callable[[RuntimeResponse | HostError], None]


class HostListener(DelegateHandler, Protocol):
    """Who is told what a host says unasked. All but `call_tool` are called in order."""

    def begun(self, begun: CellBegun) -> None:
        """A cell's script is about to run (`cell-begun-v1`)."""

    def content(self, content: CellContent) -> None:
        """Items of a cell, as it emits them (`content-stream-v1`)."""

    def closed(self, cell: CellClosed) -> None:
        """The cell is gone; nothing more comes about it but, maybe, the answer to a wait."""

    def lost(self, error: HostGone) -> None:
        """The connection ended although nobody closed it; every pending answer was told."""


@dataclass
class _Pending:
    request: SessionRequest
    answer: Answer
    initial: InitialAnswer | None


class HostClient:
    """One connection to one host process. Made by `connect`; ends with `close` or by `lost`."""

    def __init__(self, process: HostProcess, listener: HostListener) -> None:
        self._process = process
        self._listener = listener
        self._link = Link(self._on_message, self._on_end)
        self._delegates = Delegates(self._link, listener)
        self._pending: dict[int, _Pending] = {}
        self._initial: dict[int, InitialAnswer] = {}
        self._last_id = 0
        self._ready: asyncio.Future[Ready] = asyncio.get_running_loop().create_future()
        self._ended = asyncio.Event()
        self._closing = False
        self._reason: HostGone | None = None
        self._farewell: asyncio.Task[None] | None = None
        self.capabilities: frozenset[str] = frozenset()
        """What both sides know of what was asked for."""

    @classmethod
    async def connect(
        cls,
        launched: LaunchedHost,
        listener: HostListener,
        *,
        required: Sequence[str] = (),
        optional: Sequence[str] = tuple(sorted(CAPABILITIES)),
    ) -> HostClient:
        """Shake hands with a launched host; raises `HostGone` when that fails, and ends it.

        A host that lacks an `optional` capability works all the same.
        """
        process = HostProcess(launched)
        client = cls(process, listener)
        loop = asyncio.get_running_loop()
        await loop.create_connection(lambda: client._link, sock=launched.connection)
        process.exited.add_done_callback(lambda _: client._on_exit())
        client._link.send(Hello([1], list(required), list(optional)))
        try:
            ready = await asyncio.wait_for(client._ready, HANDSHAKE_S)
        except TimeoutError:
            await client.close()
            raise HostGone(f"code-mode host did not answer within {HANDSHAKE_S:g} s") from None
        except BaseException:
            await client.close()
            raise
        client.capabilities = frozenset(ready.capabilities)
        return client

    @property
    def gone(self) -> bool:
        """Whether the connection has ended or is about to."""
        return self._closing or self._reason is not None or self._ended.is_set()

    @property
    def pid(self) -> int:
        """Process id of the host."""
        return self._process.pid

    # Requests

    def submit(
        self, request: SessionRequest, answer: Answer, initial: InitialAnswer | None = None
    ) -> int:
        """Send a request and give its id. An `Execute` needs `initial` too.

        The callbacks are called once each, with an error when the host refuses (`RequestRefused`)
        or is gone (`HostGone`); `initial` only if `answer` was no error. Raises `HostGone` when
        the connection has ended already and `FrameTooLong` when the request does not fit a frame.
        """
        if self.gone:
            raise self._reason or HostGone("code-mode host is shutting down")
        self._last_id += 1
        self._link.send(OperationRequest(self._last_id, request))
        self._pending[self._last_id] = _Pending(request, answer, initial)
        return self._last_id

    async def call(self, request: SessionRequest) -> OperationValue:
        """Send a request and wait for its answer; raises what `submit` gives to its callback."""
        future: asyncio.Future[OperationValue] = asyncio.get_running_loop().create_future()
        self.submit(request, lambda answer: _resolve(future, answer))
        return await future

    async def execute(self, request: Execute) -> Execution:
        """Start a cell; `Execution.initial` gives how its first observation ended."""
        loop = asyncio.get_running_loop()
        started: asyncio.Future[OperationValue] = loop.create_future()
        initial: asyncio.Future[RuntimeResponse] = loop.create_future()
        request_id = self.submit(
            request,
            lambda answer: _resolve(started, answer),
            lambda answer: _resolve(initial, answer),
        )
        value = await started
        assert isinstance(value, ExecutionStarted)
        return Execution(request_id, value.cell_id, initial)

    def cancel(self, request_id: int) -> None:
        """End a wait, or an execute that has not started; unknown ids are ignored."""
        if not self.gone:
            self._link.send(OperationCancel(request_id))

    def yield_now(self, request_id: int) -> None:
        """Make an execute or a wait yield; needs the capability `yield-observation`."""
        if not self.gone and YIELD_OBSERVATION in self.capabilities:
            self._link.send(OperationYield(request_id))

    # Messages

    def _on_message(self, message: HostMessage) -> None:
        match message:
            case OperationResponse():
                self._on_response(message)
            case InitialResponse():
                self._on_initial(message)
            case CellBegun():
                self._listener.begun(message)
            case CellContent():
                self._listener.content(message)
            case DelegateRequest():
                self._delegates.start(message)
            case DelegateCancel():
                self._delegates.cancel(message.id)
            case CellClosed():
                self._listener.closed(message)
            case Ready() | Rejected():
                self._on_handshake(message)

    def _on_handshake(self, message: Ready | Rejected) -> None:
        if self._ready.done():
            raise ProtocolError("code-mode host answered the handshake twice")
        if isinstance(message, Ready):
            self._ready.set_result(message)
        else:
            self._ready.set_exception(
                HostGone(f"code-mode host refused the connection: {message.reason}")
            )

    def _on_response(self, message: OperationResponse) -> None:
        pending = self._pending.get(message.id)
        if pending is None:
            raise ProtocolError(f"code-mode host answered unknown request ID {message.id}")
        if isinstance(message.result, Failure):
            pending.answer(RequestRefused(message.result.message))
        else:
            _check_answer(pending.request, message.result.value)
            pending.answer(message.result.value)
            if pending.initial is not None:
                self._initial[message.id] = pending.initial
        del self._pending[message.id]

    def _on_initial(self, message: InitialResponse) -> None:
        answer = self._initial.get(message.id)
        if answer is None:
            raise ProtocolError(
                f"code-mode host gave an initial response to unknown request ID {message.id}"
            )
        if isinstance(message.result, Failure):
            answer(RequestRefused(message.result.message))
        else:
            answer(message.result.value)
        del self._initial[message.id]

    # The end

    async def close(self, patience_s: float = 5.0) -> None:
        """End the connection and the host; returns when its process is reaped."""
        self._closing = True
        await self._delegates.cancel_all()
        self._link.close()
        await self._process.end(patience_s)
        if self._farewell is not None:
            await self._farewell

    def kill(self, reason: str) -> None:
        """Give up on a host that does not answer; pending answers are told `reason`."""
        self._reason = self._reason or HostGone(reason)
        self._process.kill()
        self._link.abort(self._reason)

    def _on_exit(self) -> None:
        """The process ended. What it wrote last is still to be read, unless its children keep
        the socket open."""
        if not self._ended.is_set():
            asyncio.get_running_loop().call_later(
                0.1, self._link.abort, HostGone("code-mode host ended")
            )

    def _on_end(self, error: Exception | None) -> None:
        self._ended.set()
        self._farewell = asyncio.get_running_loop().create_task(self._say_farewell(error))

    async def _say_farewell(self, error: Exception | None) -> None:
        """Tell everybody who waits why nothing will come."""
        reason = self._reason or await self._describe_end(error)
        self._reason = reason
        pending, self._pending = list(self._pending.values()), {}
        initial, self._initial = list(self._initial.values()), {}
        for entry in pending:
            entry.answer(reason)
        for answer in initial:
            answer(reason)
        if not self._ready.done():
            self._ready.set_exception(reason)
        elif not self._closing:
            self._listener.lost(reason)
        await self._delegates.cancel_all()
        if not self._closing:
            await self._process.end()

    async def _describe_end(self, error: Exception | None) -> HostGone:
        if self._closing:
            return HostGone("code-mode host is shutting down")
        if isinstance(error, ProtocolError):
            return HostGone(f"failed to read code-mode host message: {error}")
        try:
            status = await asyncio.wait_for(asyncio.shield(self._process.exited), EXIT_STATUS_S)
        except TimeoutError:
            return HostGone("code-mode host closed its stdout")
        said = self._process.last_lines
        return HostGone(
            f"code-mode host exited with status {describe_exit(status)}"
            + (f"\n{said}" if said else "")
        )


@dataclass(frozen=True)
class Execution:
    """A started cell."""

    request_id: int
    cell_id: str
    initial: asyncio.Future[RuntimeResponse]


def _check_answer(request: SessionRequest, value: OperationValue) -> None:
    """An answer must be of the request's kind and about its cell; raises `ProtocolError`."""
    if not isinstance(value, _ANSWERS[type(request)]):
        raise ProtocolError(f"code-mode host gave {type(request).__name__} a wrong kind of answer")
    match request:
        case Wait(request=WaitRequest(cell_id=asked)) | Terminate(cell_id=asked):
            assert isinstance(value, WaitCompleted)
        case _:
            return
    outcome = value.outcome
    response = outcome.live_cell or outcome.missing_cell
    assert isinstance(response, RuntimeResponse)
    if response.body.cell_id != asked:
        raise ProtocolError(
            f"code-mode host answered for cell {response.body.cell_id} instead of {asked}"
        )


def _resolve(future: asyncio.Future[Any], answer: object) -> None:
    if future.done():
        return  # its caller was cancelled
    if isinstance(answer, HostError):
        future.set_exception(answer)
    else:
        future.set_result(answer)
