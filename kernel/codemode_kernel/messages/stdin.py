"""Asks the person a question without blocking the kernel.

The base class's `raw_input` polls in a blocking loop and knows only the newest cell's
`allow_stdin`. Here the question belongs to the request that caused it, also when that cell has
yielded, and other cells run on meanwhile.
"""

from __future__ import annotations

import asyncio
from typing import Any

import zmq

from codemode_kernel.errors import NobodyToAsk
from codemode_kernel.messages.request import Request
from codemode_kernel.messages.sender import principal_in

POLL_S = 0.02
"""Pause between two looks at the stdin socket, in seconds."""


class Stdin:
    """The kernel's stdin channel. Questions queue: the protocol's answers carry no request id."""

    def __init__(self, session: Any, socket: Any) -> None:
        self._session = session
        self._socket = socket
        self._lock = asyncio.Lock()

    async def ask(self, request: Request, prompt: str, *, password: bool = False) -> str:
        """What the person typed below the cell of `request`.

        Raises `NobodyToAsk` at once if that cell's client takes no input. Cancelling withdraws the
        question; an answer that comes later is dropped.
        """
        if not request.allow_stdin:
            raise NobodyToAsk("A question needs a person, but this client takes no input.")
        async with self._lock:
            self._drop_stale_answers()
            question = self._session.send(
                self._socket,
                "input_request",
                {"prompt": prompt, "password": password},
                request.message,
                ident=request.identities,
            )
            # Front ends that fill in the parent of an answer name the question or the cell.
            return await self._answer(request, {question["header"]["msg_id"], request.id})

    async def _answer(self, request: Request, parents: set[str]) -> str:
        while True:
            reply = self._receive()
            if reply is None:
                await asyncio.sleep(POLL_S)
            elif principal_in(reply) != principal_in(request.message):
                continue  # somebody else's word, where the server says who sends what
            elif reply["parent_header"].get("msg_id") in {None, *parents}:
                return str(reply["content"].get("value", ""))

    def _receive(self) -> Any:
        """The next input reply that has come, or None."""
        while self._socket.poll(0):
            try:
                _, reply = self._session.recv(self._socket, mode=zmq.NOBLOCK)
            except ValueError:
                continue  # not signed with this kernel's key
            if reply and reply["msg_type"] == "input_reply":
                return reply
        return None

    def _drop_stale_answers(self) -> None:
        while self._socket.poll(0):
            self._socket.recv_multipart(zmq.NOBLOCK)
