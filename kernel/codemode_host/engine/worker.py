"""The worker program: one process, one socket, one cell."""

from __future__ import annotations

import contextlib
import heapq
import json
import os
import time
from typing import NoReturn

from codemode_host.engine.channel import Channel, HostGone
from codemode_host.engine.frames import Kind
from codemode_host.engine.hardening import close_all_but
from codemode_host.engine.realm import Realm


def run_worker(fd: int, parent: int) -> NoReturn:
    """Serve one cell on the socket `fd`, as a child of process `parent`; never returns."""
    os.dup2(fd, 0)
    close_all_but(0)
    with contextlib.suppress(HostGone):
        _Cell(Channel(0)).serve()
    os._exit(0)


class _Cell:
    """The cell's effects and its event loop."""

    def __init__(self, channel: Channel) -> None:
        self._channel = channel
        self._timers: list[tuple[float, int]] = []
        self._realm = Realm(self)

    # Effects: called from JavaScript, so nothing here may raise.

    def emitText(self, text: str | None) -> str | None:
        if text is None:
            return "out of memory"
        self._channel.send(Kind.ITEM, 0, f'{{"type":"input_text","text":{text}}}'.encode())
        return None

    def callTool(self, number: int, tool: int, argument: str | None) -> str | None:
        self._channel.send(Kind.CALL, number, f"[{tool},{argument or 'null'}]".encode())
        return None

    def startTimer(self, number: int, delay_ms: float) -> None:
        heapq.heappush(self._timers, (time.monotonic() + delay_ms / 1000, number))

    def yieldControl(self) -> None:
        self._channel.send(Kind.YIELD)

    def exit(self) -> NoReturn:
        self.finish(None)

    def finish(self, error: str | None) -> NoReturn:
        self._channel.send(Kind.DONE, 0, (error or "null").encode())
        os._exit(0)

    # The loop

    def serve(self) -> NoReturn:
        ready = {"pid": os.getpid(), "layers": {}}
        self._channel.send(Kind.READY, 0, json.dumps(ready).encode())
        frames: list[tuple[int, int, bytes]] = []
        while not frames:
            frames = self._channel.receive(None)
        start = json.loads(frames[0][2])
        self._realm.begin(json.dumps(start["tools"]))
        error = self._realm.run(start["source"])
        if error is not None:
            self.finish(json.dumps(error))
        while True:
            self._realm.pump()
            self._realm.look()
            if self._timers and self._timers[0][0] <= time.monotonic():
                self._realm.fire(heapq.heappop(self._timers)[1])
                continue
            for kind, number, payload in self._channel.receive(self._patience_ms()):
                self._realm.resolve(number, kind == Kind.RESULT, payload.decode())

    def _patience_ms(self) -> int | None:
        if not self._timers:
            return None
        left = self._timers[0][0] - time.monotonic()
        return max(0, min(int(left * 1000) + 1, 2**31 - 1))
