"""The host's end of one worker's socket."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Mapping

from codemode_host.engine.errors import FrameError
from codemode_host.engine.frames import FrameReader, Kind, encode
from codemode_host.engine.launcher import Child
from codemode_host.engine.stream import Stream
from codemode_host.errors import EngineError

OnFrame = Callable[[int, int, bytes], None]
OnEnd = Callable[[str | None], None]
OnRead = Callable[[], None]

_FROM_WORKER = frozenset(int(kind) for kind in Kind if kind >= Kind.READY)
# Members of an enum take ten times as long to look up, and every frame is compared with these.
_READY, _DONE = int(Kind.READY), int(Kind.DONE)

END_PATIENCE_S = 1.0
"""How long after its socket closed a worker's exit status is waited for."""


class Worker:
    """One worker process, from its start to its end; serves one cell.

    Frames are checked for their framing alone: a payload is as untrusted as the cell's code.
    """

    def __init__(self, child: Child) -> None:
        loop = asyncio.get_running_loop()
        self.pid = child.pid
        self.ready: asyncio.Future[Mapping[str, str]] = loop.create_future()
        self._loop = loop
        self._child = child
        self._reader = FrameReader()
        self._stream = Stream(child.connection, self._take_data, self._note_close)
        self._outgoing: list[bytes] = []
        self._on_frame: OnFrame | None = None
        self._on_end: OnEnd | None = None
        self._on_read: OnRead | None = None
        self._ended = False
        self._reason: str | None = None

    @property
    def alive(self) -> bool:
        """Whether the socket is open, as far as is known."""
        return not self._stream.closed

    @property
    def gone(self) -> asyncio.Future[str]:
        """Done when the process is gone."""
        return self._child.ended

    def attach(self, on_frame: OnFrame, on_end: OnEnd, on_read: OnRead | None = None) -> None:
        """Say who gets the frames, and who is told, once, that there will be no more.

        `on_end` gets None after `DONE`, else the reason in words. `on_read` is called after the
        frames of one read were handed over.
        """
        self._on_frame, self._on_end, self._on_read = on_frame, on_end, on_read
        if self._ended:
            self._loop.call_soon(on_end, self._reason)

    def send(self, kind: int, number: int = 0, payload: bytes = b"") -> None:
        """Send a frame; all of one turn of the event loop go out in one write."""
        if not self._outgoing:
            self._loop.call_soon(self._flush)
        self._outgoing.append(encode(kind, number, payload))

    def write(self, data: bytes) -> None:
        """Send encoded frames now, not in the next turn of the event loop."""
        self._stream.write(data)

    def pause_reading(self) -> None:
        """Read no more; frames that were read already are still delivered."""
        self._stream.pause_reading()

    def resume_reading(self) -> None:
        """Undo `pause_reading`."""
        self._stream.resume_reading()

    def kill(self) -> None:
        """End the process, whatever it is doing; harmless when it has ended."""
        self._child.kill()

    def _take_data(self, data: bytes) -> None:
        try:
            for kind, number, payload in self._reader.feed(data):
                if self._ended:
                    return
                self._receive(kind, number, payload)
        except FrameError as error:
            self._break_off(f"broke the frame protocol: {error}")
        if self._on_read is not None:
            self._on_read()

    def _note_close(self) -> None:
        if self._ended:
            return
        if self._child.ended.done():
            self._end(self._child.ended.result())
        else:
            self._child.ended.add_done_callback(lambda ended: self._end(ended.result()))
            self._loop.call_later(END_PATIENCE_S, self._end, "closed its socket")

    def _receive(self, kind: int, number: int, payload: bytes) -> None:
        if kind not in _FROM_WORKER:
            raise FrameError(f"unexpected frame kind {kind}")
        on_frame = self._on_frame
        if on_frame is not None and kind != _READY:
            on_frame(kind, number, payload)
            if kind == _DONE:
                self._break_off(None)
        elif not self.ready.done():
            self.ready.set_result(_read_layers(kind, payload))
        else:
            raise FrameError(f"unexpected {Kind(kind).name}")

    def _flush(self) -> None:
        self.write(b"".join(self._outgoing))
        self._outgoing.clear()

    def _break_off(self, reason: str | None) -> None:
        """Nothing more is wanted of this worker; a sound one is ending by itself."""
        self._child.kill()
        self._end(reason)
        self._stream.close()

    def _end(self, reason: str | None) -> None:
        if self._ended:
            return
        self._ended, self._reason = True, reason
        if not self.ready.done():
            self.ready.set_exception(EngineError(f"a worker did not get ready: {reason}"))
        if self._on_end is not None:
            self._on_end(reason)


def _read_layers(kind: int, payload: bytes) -> Mapping[str, str]:
    """The hardening report of READY; raises `FrameError`."""
    if kind != Kind.READY:
        raise FrameError(f"{Kind(kind).name} before READY")
    try:
        layers = json.loads(payload)["layers"]
        return {str(name): str(state) for name, state in layers.items()}
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise FrameError("unreadable READY") from error
