"""The worker program: one process, one socket, one cell."""

from __future__ import annotations

import heapq
import json
import os
import resource
import sys
import time
from collections.abc import Callable
from typing import Any, NoReturn

from codemode_host.engine.errors import HostClosed, RealmError
from codemode_host.engine.frames import MAX_NOTIFY_BYTES, Kind
from codemode_host.engine.hardening.layers import (
    ACTIVE,
    close_all_but,
    harden_for_good,
    harden_worker,
    read_time_zone,
    widen_stack,
)
from codemode_host.engine.quickjs.channel import Channel
from codemode_host.engine.quickjs.json_errors import json_complaint
from codemode_host.engine.quickjs.realm import (
    HEAP_BYTES,
    HIDDEN_LINES,
    OUT_OF_MEMORY,
    STACK_BYTES,
    Realm,
)
from codemode_host.engine.quickjs.rust_text import is_blank, quoted
from codemode_host.engine.quickjs.serde import refusal
from codemode_host.engine.quickjs.source_words import SourceWords

STACK_RESERVE_BYTES = 2 * 1024 * 1024
"""What the process needs of its stack when JavaScript has used up its share."""

TELLING_BYTES = 8 * 1024 * 1024
"""A smaller heap can be full without the process growing by it."""

COLUMNS = 1 << 22
"""A place of a frame is its line times this, and its column."""

# Looking up a member of an enum takes ten times as long, and these two are for every tool call.
_CALL, _RESULT = int(Kind.CALL), int(Kind.RESULT)

MAX_WAIT_MS = 2**31 - 1
"""The longest `poll` can wait; a timer beyond it is looked at again."""


def run_worker(fd: int, parent: int, prepared: Cell | None = None) -> NoReturn:
    """Serve one cell on the socket `fd`, as a child of process `parent`; never returns.

    A forked worker has a `prepared` cell, made by its zygote, which has applied the hardening
    that is inherited.
    """
    os.dup2(fd, 0)
    close_all_but(0)
    channel = Channel(0)
    cell = prepared or Cell()
    try:
        cell.serve(channel, harden_worker(parent))
    except HostClosed:
        os._exit(0)
    except (MemoryError, RealmError) as error:
        channel.send(
            Kind.DONE, 0, json.dumps(cell.clear_error(str(error) or OUT_OF_MEMORY)).encode()
        )
        os._exit(0)


def _peak_bytes() -> int:
    """The most memory that this process ever used."""
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else peak * 1024


def _members(layers: dict[str, str]) -> str:
    """A hardening report as members of a JSON object."""
    return ",".join(
        f'"{name}":"{ACTIVE}"' if state == ACTIVE else f"{json.dumps(name)}:{json.dumps(state)}"
        for name, state in layers.items()
    )


class Cell:
    """What a cell can do to the world, and the loop that runs it.

    To make one locks this process in as far as its children inherit it, and makes a realm: a
    zygote does both once, and every worker finds them done. What workers must not share, the
    sequence of `Math.random`, begins in each with its first number.
    """

    def __init__(self) -> None:
        read_time_zone()
        self._layers = _members(harden_for_good())
        self._stack_bytes = min(STACK_BYTES, widen_stack() - STACK_RESERVE_BYTES)
        self._heap_bytes = HEAP_BYTES
        self._resting_bytes = 0
        """Of the process, when its heap was limited."""
        self._stored: dict[str, str] = {}
        self._timers: list[tuple[float, int]] = []
        self._open_calls = 0
        self._pieces: list[str] = []
        self._words = SourceWords("")
        self._realm = self._make_realm()

    def serve(self, channel: Channel, layers: dict[str, str]) -> NoReturn:
        """Announce readiness, take the cell, run it to its end."""
        self._channel = channel
        self.rehearse()
        self._announce(layers)
        start = self._receive_start()
        source = start["source"]
        if (lines := source.count("\n")) >= HIDDEN_LINES:
            self._realm = self._make_realm(lines + 1)
        self._stored = start["stored"]
        self._words = SourceWords(source)
        self._realm.install(start["tools"], start["catchable_exit"])
        if (limit := start.get("heap_bytes", HEAP_BYTES)) < HEAP_BYTES:
            self._limit_heap(limit)
        self._channel.send(Kind.BEGUN)
        error = self._realm.run(source)
        if error is not None:
            self._end(error)
        while True:
            channel.end_burst()
            self._realm.pump(channel.end_burst)
            self._realm.look()
            if self._timers and self._timers[0][0] <= time.monotonic():
                self._realm.fire_timer(heapq.heappop(self._timers)[1])
                continue
            if not (self._timers or self._open_calls):
                self._realm.look_for_a_lost_end()
            for kind, number, payload in channel.receive(self._patience_ms()):
                self._open_calls -= 1
                self._realm.settle_call(number, kind == _RESULT, payload.decode())

    def _announce(self, layers: dict[str, str]) -> None:
        """Say `READY`, without the JSON encoder: what most workers never use, they need not touch."""
        report = ",".join((self._layers, _members(layers)))
        self._channel.send(Kind.READY, 0, f'{{"pid":{os.getpid()},"layers":{{{report}}}}}'.encode())

    def clear_error(self, error: str) -> str:
        """An out-of-memory error says how much there was."""
        if error == "null" and self._seems_full():
            error = OUT_OF_MEMORY  # the engine throws null where it cannot even make the error
        if not error.startswith(OUT_OF_MEMORY):
            return error
        return self._heap_full + error.removeprefix(OUT_OF_MEMORY)

    @property
    def _heap_full(self) -> str:
        size = self._heap_bytes
        limit = f"{size >> 20} MiB" if size >= 1 << 20 else f"{size} bytes"
        return f"{OUT_OF_MEMORY}: a cell's JavaScript heap is limited to {limit}"

    def _seems_full(self) -> bool:
        used = _peak_bytes() - self._resting_bytes
        return self._heap_bytes < TELLING_BYTES or used > self._heap_bytes * 0.7

    def _limit_heap(self, limit_bytes: int) -> None:
        self._realm.limit_heap(limit_bytes)
        self._heap_bytes = limit_bytes
        self._resting_bytes = _peak_bytes()

    def rehearse(self) -> None:
        """Do once, without effect, what every cell does.

        A forked process pays for each page of memory at its first use, half of a short cell's
        time in all; a spare has that time. What a first use leaves behind for the next, such as
        bytecode specialised by then, is shared by all workers if their zygote rehearses as well.
        """
        start = json.loads('{"source": "", "tools": "[]", "stored": {}, "catchable_exit": false}')
        self._realm.install(start["tools"], start["catchable_exit"])
        self._realm.rehearse()

    def _make_realm(self, lines: int = 0) -> Realm:
        effects = {
            "addText": self._effect(self._add_text),
            "emitText": self._effect(self._emit_text),
            "emitImage": self._effect(self._emit_image),
            "emitAudio": self._effect(self._emit_audio),
            "notify": self._effect(self._notify),
            "inspect": self._effect(refusal),
            "store": self._effect(self._store, nullable=True),
            "load": self._effect(self._load),
            "callTool": self._effect(self._call_tool),
            "startTimer": self._effect(self._start_timer),
            "yieldControl": self._effect(self._yield_control),
            "placeFrame": self._effect(self._place_frame),
            "wordCall": self._effect(self._word_call),
            "wordAssignment": self._effect(self._word_assignment),
            "wordDeclaration": self._effect(self._word_declaration),
            "explainJson": self._effect(self._explain_json),
            "finish": self._effect(self._finish, nullable=True),
        }
        return Realm(effects, self._stack_bytes, lines)

    def _effect(
        self, function: Callable[..., str | float | None], nullable: bool = False
    ) -> Callable[..., Any]:
        """`function` as JavaScript may call it: it never raises into the engine.

        Unless `nullable`, a None among the arguments is a text for which the engine had no memory.
        """

        def call(*arguments: Any) -> str | float | None:
            if None in arguments and not nullable:
                return self._heap_full
            try:
                return function(*arguments)
            except MemoryError:
                return self._heap_full
            except BaseException as error:  # noqa: BLE001 - the engine cannot go on after one
                try:
                    self._end(f"the engine failed: {error!r}")
                finally:
                    os._exit(1)

        return call

    def _receive_start(self) -> dict[str, Any]:
        while True:
            for _, _, payload in self._channel.receive(None):
                start: dict[str, Any] = json.loads(payload)
                return start

    def _patience_ms(self) -> int | None:
        if not self._timers:
            return None
        left_ms = (self._timers[0][0] - time.monotonic()) * 1000
        return int(min(max(left_ms, 0) + 1, MAX_WAIT_MS))

    def _send_json(self, kind: Kind, value: object) -> None:
        self._channel.send(kind, 0, json.dumps(value).encode())

    # Effects. Texts are JSON; a returned text is the reason of a refusal, thrown by the helper.

    def _add_text(self, piece: str, first: bool) -> None:
        """Keep a piece of a text that `_emit_text` will end."""
        if first:
            self._pieces.clear()
        self._pieces.append(piece[1:-1])

    def _emit_text(self, text: str, whole: bool) -> None:
        if not whole:
            text = f'"{"".join(self._pieces)}{text[1:]}'
            self._pieces.clear()
        self._channel.send(Kind.ITEM, 0, f'{{"type":"input_text","text":{text}}}'.encode())

    def _emit_image(self, url: str, detail: str) -> None:
        item = f'{{"type":"input_image","image_url":{url},"detail":{detail}}}'
        self._channel.send(Kind.ITEM, 0, item.encode())

    def _emit_audio(self, url: str) -> None:
        self._channel.send(Kind.ITEM, 0, f'{{"type":"input_audio","audio_url":{url}}}'.encode())

    def _notify(self, text: str) -> str | None:
        if is_blank(json.loads(text)):
            return "notify expects non-empty text"
        payload = text.encode()
        if len(payload) > MAX_NOTIFY_BYTES:
            limit = MAX_NOTIFY_BYTES // 1024**2
            return (
                f"notify expects at most {limit} MiB of text: as JSON, this is {len(payload)} bytes"
            )
        self._channel.send(Kind.NOTIFY, 0, payload)
        return None

    def _store(self, key: str, value: str | None) -> str | None:
        name = json.loads(key)
        if value is None:
            return f"Unable to store {quoted(name)}. Only plain serializable objects can be stored."
        if reason := refusal(value):
            return reason
        self._stored[name] = value
        self._send_json(Kind.STORE, [name, value])
        return None

    def _load(self, key: str) -> str | None:
        return self._stored.get(json.loads(key))

    def _call_tool(self, number: int, tool: int, argument: str) -> str | None:
        if reason := refusal(argument):
            return reason
        self._open_calls += 1
        self._channel.send_in_burst(_CALL, number, f"[{tool},{argument}]".encode())
        return None

    def _start_timer(self, number: int, delay_ms: float) -> None:
        heapq.heappush(self._timers, (time.monotonic() + delay_ms / 1000, number))

    def _yield_control(self) -> None:
        self._channel.send(Kind.YIELD)

    def _place_frame(self, line: int, column: int, callee: str, constructs: bool) -> float:
        """Line and column as one number: a float, since the binding cuts off larger integers."""
        line, column = self._words.place(line, column, json.loads(callee), constructs)
        return float(line * COLUMNS + min(column, COLUMNS - 1))

    def _word_call(self, line: int, column: int) -> str | None:
        return self._words.failed_call(line, column)

    def _word_declaration(self, line: int, column: int) -> str | None:
        return self._words.failed_declaration(line, column)

    def _word_assignment(self, line: int, column: int, name: str) -> str | None:
        return self._words.failed_assignment(line, column, json.loads(name))

    def _explain_json(self, text: str) -> str | None:
        complaint = json_complaint(json.loads(text))
        return None if complaint is None else json.dumps(complaint)

    def _finish(self, failed: bool, error: str | None) -> NoReturn:
        if not failed:
            self._end(None)
        self._end(OUT_OF_MEMORY if error is None else json.loads(error))

    def _end(self, error: str | None) -> NoReturn:
        """The cell is over: nothing of it runs after this."""
        self._send_json(Kind.DONE, None if error is None else self.clear_error(error))
        os._exit(0)
