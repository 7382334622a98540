"""The way to a command's stdin: bytes go in verbatim and in order, nothing waits for the reader.

What a call has sent stays counted against the bounds until the pipe has taken it or broken, and the
call has ended. That the pipe has taken it says nothing about what the command did with it.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass

MAX_WAITING = 262_144
"""Bytes that calls may have under way to one command (seed 004, 5.6)."""

MAX_CALLS = 16
"""Calls that may have bytes under way to one command."""

END_OF_INPUT = b"\x04"
"""What a terminal takes as the end of input, when a line begins."""


class StdinOverloadError(Exception):
    """Too much is under way already; nothing was sent."""


class StdinClosedError(Exception):
    """Stdin was closed before; nothing was sent."""


class StdinBrokenError(Exception):
    """The command has closed its stdin; how much it read before is not known."""


@dataclass(eq=False, slots=True)
class Delivery:
    """What one call has sent."""

    size: int
    """Bytes."""
    end: int
    """Bytes that will have gone into the pipe when the last of these has."""
    is_over: bool = False
    """The call has ended; set by `InputPipe.forget`."""


class InputPipe:
    """The writing end. Owns the descriptor."""

    def __init__(
        self, descriptor: int, on_break: Callable[[], None], *, is_terminal: bool = False
    ) -> None:
        """`on_break` is called when it turns out that the command reads no more."""
        os.set_blocking(descriptor, False)
        self._descriptor = descriptor
        self._on_break = on_break
        self._is_terminal = is_terminal
        self._loop = asyncio.get_running_loop()
        self._waiting = bytearray()
        self._sent = 0
        self._deliveries: list[Delivery] = []
        self.is_finished = False
        """Whether `finish` was called."""
        self._is_closed = False
        self._is_broken = False

    def send(self, data: bytes) -> Delivery:
        """Send `data` after what waits already; pass the result to `forget` when the call ends.

        Raises `StdinOverloadError`, `StdinClosedError`, and `StdinBrokenError` once the command
        reads no more.
        """
        if self._is_closed or self.is_finished:
            raise StdinClosedError
        self._forget_settled()
        under_way = sum(delivery.size for delivery in self._deliveries)
        if under_way + len(data) > MAX_WAITING or len(self._deliveries) >= MAX_CALLS:
            raise StdinOverloadError
        self._waiting += data
        delivery = Delivery(len(data), self._sent + len(self._waiting))
        self._deliveries.append(delivery)
        self._flush()
        if self._is_broken:
            delivery.is_over = True
            raise StdinBrokenError
        return delivery

    def has_arrived(self, delivery: Delivery) -> bool:
        """Whether the pipe has taken all of it."""
        return self._sent >= delivery.end

    def has_failed(self, delivery: Delivery) -> bool:
        """Whether the pipe broke before it had taken all of it."""
        return self._is_broken and not self.has_arrived(delivery)

    def forget(self, delivery: Delivery) -> None:
        """The call that sent it has ended."""
        delivery.is_over = True
        self._forget_settled()

    def finish(self) -> None:
        """End the input after what waits. Once it has an end, another one changes nothing."""
        if self._is_closed or self.is_finished:
            return
        self.is_finished = True
        if self._is_terminal:
            # In the middle of a line the first only hands over what was typed so far.
            self._waiting += END_OF_INPUT * 2
        self._flush()

    def close(self) -> None:
        """Close the pipe; what waits is dropped."""
        if not self._is_closed:
            self._is_closed = True
            self._loop.remove_writer(self._descriptor)
            os.close(self._descriptor)
            self._waiting.clear()

    def _flush(self) -> None:
        self._loop.remove_writer(self._descriptor)
        try:
            with suppress(BlockingIOError):
                while self._waiting:
                    sent = os.write(self._descriptor, self._waiting)
                    del self._waiting[:sent]
                    self._sent += sent
        except OSError:  # EPIPE: nobody reads any more
            self._is_broken = True
            self.close()
            self._on_break()
            return
        if self._waiting:
            self._loop.add_writer(self._descriptor, self._flush)
        elif self.is_finished:
            self.close()

    def _forget_settled(self) -> None:
        self._deliveries = [
            delivery
            for delivery in self._deliveries
            if not (delivery.is_over and (self._is_closed or self.has_arrived(delivery)))
        ]
