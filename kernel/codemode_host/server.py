"""The host process's event loop: carries out what the state machines want (`effects.py`).

Everything that comes in, from the client, from workers or from the clock, is handed to the
machines at once. What they want done is carried out at the end of each read, with one write to the
client and to each worker that is concerned. A client that reads slowly stops the workers from being
read, and so in the end the scripts themselves: nothing piles up here.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
from collections.abc import Callable, Iterator
from functools import partial
from time import monotonic_ns
from typing import Any

from codemode_host.cell import Cell
from codemode_host.connection import Connection
from codemode_host.effects import Alarm, HangUp, Kill, Send, StartWorker, Tell
from codemode_host.engine.frames import encode as encode_worker_frame
from codemode_host.engine.workers import Worker, Workers
from codemode_host.errors import EngineError, FrameTooLong, ProtocolError
from codemode_host.framing import FrameReader, frame
from codemode_host.requests import initial_too_long, response_too_long
from codemode_host.stdio import Inlet, Outlet
from codemode_host.wire import (
    HostMessage,
    InitialResponse,
    OperationResponse,
    decode_client_message,
    encode,
)

MAX_UNSENT_BYTES = 128 * 1024 * 1024
"""So many bytes of answers that the client does not read make the host stop reading it."""
GOODBYE_S = 5.0
"""How long the last answers may take when the connection ends (contract 11.7)."""

logger = logging.getLogger(__name__)


class Run:
    """A cell with its worker: what the loop knows about it."""

    __slots__ = ("cell", "dying", "outgoing", "worker")

    def __init__(self, cell: Cell, worker: Worker) -> None:
        self.cell = cell
        self.worker = worker
        self.outgoing: list[bytes] = []
        """Frames for the worker."""
        self.dying = False
        """Killed; what it had sent is still read, whatever the client does."""


class Server:
    """Serves one client until it goes away."""

    def __init__(self, connection: Connection, workers: Workers) -> None:
        self._connection = connection
        self._workers = workers
        self._loop = asyncio.get_running_loop()
        self._frames = FrameReader()
        self._inlet = Inlet(0, self._on_data, self._on_end_of_input)
        self._outlet = Outlet(1, self._on_pressure, self._on_broken_output)
        self._runs: dict[Cell, Run] = {}
        self._alarms: dict[Cell, asyncio.TimerHandle] = {}
        self._told: set[Run] = set()
        """Workers that get frames in this drain."""
        self._held: set[Run] = set()
        """Workers that are not read, because too many of their calls wait for the client."""
        self._starting: set[asyncio.Task[None]] = set()
        self._pressed = False
        self._drain_planned = False
        self._status: asyncio.Future[int] = self._loop.create_future()
        self._chunks: list[bytes] = []
        self._carriers: dict[type, Callable[[Any], None]] = {
            Send: self._send,
            Tell: self._tell,
            Alarm: self._set_alarm,
            Kill: self._kill,
            StartWorker: self._start_worker,
            HangUp: self._hang_up,
        }

    async def serve(self) -> int:
        """Returns the exit status: 0 after a clean end, 1 after a breach of the protocol."""
        self._loop.set_exception_handler(self._on_exception)
        await self._workers.start()
        self._inlet.resume()
        try:
            return await self._status
        finally:
            await self._close()

    def _on_exception(self, loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        """An error in a callback is a fault of ours: better end with a word than hang."""
        loop.default_exception_handler(context)
        if "handle" in context:
            self.stop(1)

    def stop(self, status: int = 0) -> None:
        """End the connection."""
        self._inlet.pause()
        if not self._status.done():
            self._status.set_result(status)

    async def _close(self) -> None:
        """Send what is there, then end everything; nobody is told of what that ends."""
        self._drain()
        for run in self._runs.values():
            run.worker.pause_reading()
        try:
            async with asyncio.timeout(GOODBYE_S):
                await self._outlet.flush()
        except TimeoutError:
            logger.warning("the client did not read the last %d bytes", self._outlet.unsent_bytes)
        self._outlet.close()
        for task in self._starting:
            task.cancel()
        await asyncio.gather(*self._starting, return_exceptions=True)
        await self._workers.close()

    # The client

    def _on_data(self, data: bytes) -> None:
        now = monotonic_ns()
        try:
            for payload in self._frames.feed(data):
                self._connection.receive(decode_client_message(payload), now)
        except ProtocolError as error:
            self._break_off(error)
        self._drain()

    def _on_end_of_input(self) -> None:
        try:
            self._frames.end()
        except ProtocolError as error:
            self._break_off(error)
        self.stop()

    def _break_off(self, error: ProtocolError) -> None:
        logger.error("failed to read code-mode client message: %s", error)
        self.stop(1)

    def _on_broken_output(self) -> None:
        logger.warning("the client closed its end while answers were on their way")
        self.stop()

    def _on_pressure(self, pressed: bool) -> None:
        self._pressed = pressed
        for run in self._runs.values():
            self._regulate(run)
        if not pressed and not self._status.done():
            self._inlet.resume()

    # Workers

    async def _take_worker(self, cell: Cell) -> None:
        try:
            worker = await self._workers.take()
        except EngineError as error:
            cell.worker_failed(str(error), monotonic_ns())
        else:
            self._give_worker(cell, worker)
        self._drain()

    def _give_worker(self, cell: Cell, worker: Worker) -> None:
        run = self._runs[cell] = Run(cell, worker)
        worker.attach(
            partial(self._on_frame, run),
            partial(self._on_worker_end, run),
            partial(self._on_read, run),
        )
        cell.worker_ready(monotonic_ns())
        self._regulate(run)

    def _on_frame(self, run: Run, kind: int, number: int, payload: bytes) -> None:
        now = monotonic_ns()
        try:
            run.cell.frame(kind, number, payload, now)
        except EngineError as error:
            run.cell.fail(f"broke the frame protocol: {error}", now)

    def _on_read(self, run: Run) -> None:
        run.cell.flush()
        if self._connection.delegates.crowded and run not in self._held:
            self._held.add(run)
            self._regulate(run)
        self._drain()

    def _on_worker_end(self, run: Run, reason: str | None) -> None:
        run.cell.worker_ended(reason, monotonic_ns())
        self._runs.pop(run.cell, None)
        self._held.discard(run)
        self._plan_drain()

    def _regulate(self, run: Run) -> None:
        """Read the worker, or leave it waiting in its writes."""
        if (self._pressed or run in self._held) and not run.dying:
            run.worker.pause_reading()
        else:
            run.worker.resume_reading()

    # Effects

    def _plan_drain(self) -> None:
        if not self._drain_planned:
            self._drain_planned = True
            self._loop.call_soon(self._drain)

    def _drain(self) -> None:
        """Carry out every effect."""
        self._drain_planned = False
        effects = self._connection.effects
        for effect in effects:
            self._carriers[type(effect)](effect)
        effects.clear()
        if self._told:
            for run in self._told:
                run.worker.write(b"".join(run.outgoing))
                run.outgoing.clear()
            self._told.clear()
        if self._chunks:
            self._outlet.write(self._chunks)
            self._chunks.clear()
        if self._held and not self._connection.delegates.crowded:
            held, self._held = self._held, set()
            for run in held:
                self._regulate(run)
        if self._outlet.unsent_bytes > MAX_UNSENT_BYTES:
            self._inlet.pause()  # until `_on_pressure` says that the client reads again

    def _send(self, effect: Send) -> None:
        message = effect.message
        try:
            self._chunks.append(frame(encode(message)))
        except FrameTooLong as error:
            self._chunks.append(frame(encode(_shorten(message, error))))

    def _tell(self, effect: Tell) -> None:
        run = self._runs.get(effect.cell)
        if run is not None:
            run.outgoing.append(encode_worker_frame(effect.kind, effect.number, effect.payload))
            self._told.add(run)

    def _set_alarm(self, effect: Alarm) -> None:
        cell, at_ns = effect.cell, effect.at_ns
        if former := self._alarms.pop(cell, None):
            former.cancel()
        if at_ns is not None:
            self._alarms[cell] = self._loop.call_at(at_ns / 1e9, self._on_alarm, cell, at_ns)

    def _on_alarm(self, cell: Cell, at_ns: int) -> None:
        del self._alarms[cell]
        cell.alarm(max(monotonic_ns(), at_ns))  # the loop's clock may be a little ahead
        self._drain()

    def _kill(self, effect: Kill) -> None:
        run = self._runs.get(effect.cell)
        if run is not None:
            run.dying = True
            run.worker.kill()
            self._regulate(run)

    def _start_worker(self, effect: StartWorker) -> None:
        if spare := self._workers.take_spare():
            self._give_worker(effect.cell, spare)
            return
        task = self._loop.create_task(self._take_worker(effect.cell))
        self._starting.add(task)
        task.add_done_callback(self._worker_taken)

    def _worker_taken(self, task: asyncio.Task[None]) -> None:
        self._starting.discard(task)
        if not task.cancelled():
            task.result()  # raises what nobody expected, for `_on_exception`

    def _hang_up(self, effect: HangUp) -> None:
        self.stop()


def _shorten(message: HostMessage, error: FrameTooLong) -> HostMessage:
    """What takes the place of an answer that fits no frame; nothing else can be that long."""
    if isinstance(message, InitialResponse):
        return InitialResponse(message.id, initial_too_long(error))
    assert isinstance(message, OperationResponse)
    return OperationResponse(message.id, response_too_long(error))


async def serve_stdio(workers: Workers, catchable_exit: bool) -> int:
    """Serve the client on stdin and stdout until it, or the parent process, is gone."""
    server = Server(Connection(catchable_exit, workers.report), workers)
    with _parent_watched(server.stop):
        return await server.serve()


@contextlib.contextmanager
def _parent_watched(on_end: Callable[[], None]) -> Iterator[None]:
    """Call `on_end` when the parent process ends, where the system can tell.

    The end of stdin says as much, unless another process holds the other end of it open.
    """
    try:
        handle = os.pidfd_open(os.getppid())
    except (AttributeError, OSError):  # not Linux, or a parent outside of our namespace
        yield
        return
    loop = asyncio.get_running_loop()
    loop.add_reader(handle, on_end)
    try:
        yield
    finally:
        loop.remove_reader(handle)
        os.close(handle)
