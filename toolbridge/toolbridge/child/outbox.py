"""What the process has to say, sent by one thread in the order it was said.

Any thread may speak, also one that holds an event loop: nothing here waits for the socket, except
that who prints faster than the other side reads is held up. Pieces of text that wait together go
as one message.
"""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from itertools import groupby
from typing import cast

from toolbridge.child.messages import Message, Printed, Stream, encode

MAX_WAITING_CHARACTERS = 1024 * 1024
"""Printed characters that may wait for the socket before the one who prints is held up."""


class Outbox:
    """The sending half of the channel. After the other side has gone, everything is dropped."""

    def __init__(self, channel: socket.socket) -> None:
        self._channel = channel
        self._changed = threading.Condition()
        self._waiting: list[bytes | Printed] = []
        self._printed = 0
        self._open = True
        self._thread = threading.Thread(target=self._send_all, name="tool channel", daemon=True)

    def start(self) -> None:
        """Start the sending thread."""
        self._thread.start()

    def send(self, message: Message) -> None:
        """Say `message` after everything said before. Raises `ChannelError` if it is too long."""
        frame = encode(message)
        with self._changed:
            if self._open:
                self._waiting.append(frame)
                self._changed.notify_all()

    def print(self, call: int, stream: Stream, text: str) -> None:
        """Say that `call` printed `text`. Waits while too much printed text is under way."""
        for start in range(0, len(text), MAX_WAITING_CHARACTERS):
            piece = text[start : start + MAX_WAITING_CHARACTERS]
            with self._changed:
                self._changed.wait_for(lambda: self._printed < MAX_WAITING_CHARACTERS)
                if not self._open:
                    return
                self._printed += len(piece)
                self._waiting.append(Printed(id=call, stream=stream, text=piece))
                self._changed.notify_all()

    def _send_all(self) -> None:
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._waiting)
                waiting, self._waiting = self._waiting, []
            try:
                self._channel.sendall(b"".join(_frames(waiting)))
            except OSError:
                self._close()
                return
            with self._changed:
                self._printed = sum(len(m.text) for m in self._waiting if isinstance(m, Printed))
                self._changed.notify_all()

    def _close(self) -> None:
        with self._changed:
            self._open = False
            self._waiting.clear()
            self._printed = 0
            self._changed.notify_all()


def _frames(waiting: list[bytes | Printed]) -> Iterator[bytes]:
    """What waits, with neighbouring pieces of one stream of one call put together."""
    for (call, stream), group in groupby(waiting, _call_and_stream):
        if call is None:
            yield from cast("Iterator[bytes]", group)
        else:
            text = "".join(piece.text for piece in cast("Iterator[Printed]", group))
            yield encode(Printed(id=call, stream=stream, text=text))


def _call_and_stream(piece: bytes | Printed) -> tuple[int | None, Stream]:
    return (piece.id, piece.stream) if isinstance(piece, Printed) else (None, "stdout")
