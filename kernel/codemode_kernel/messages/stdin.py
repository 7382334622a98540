"""Asks the person a question without blocking the kernel.

The base class's `raw_input` polls in a blocking loop and knows only the newest cell's
`allow_stdin`. Here the question belongs to the request that caused it, also when that cell has
yielded, and other cells run on meanwhile.
"""

from __future__ import annotations

import asyncio
from collections import deque
from typing import Any

import zmq

from codemode_kernel.errors import NobodyToAsk
from codemode_kernel.messages.request import Request
from codemode_kernel.messages.sender import principal_in

POLL_S = 0.02
"""Pause between two looks at the stdin socket, in seconds."""


class Stdin:
    """The kernel's stdin channel. A person's questions queue: the protocol's answers carry no request
    id. Nobody waits for what another person is asked."""

    def __init__(self, session: Any, socket: Any) -> None:
        self._session = session
        self._socket = socket
        self._turns: dict[str | None, asyncio.Lock] = {}
        self._answers: dict[str | None, deque[Any]] = {}
        """Input replies that were not looked at yet, by who is asked something now."""

    async def ask(self, request: Request, prompt: str, *, password: bool = False) -> str:
        """What the person typed below the cell of `request`.

        Raises `NobodyToAsk` at once if that cell's client takes no input. Cancelling withdraws the
        question; an answer that comes later is dropped.
        """
        if not request.allow_stdin:
            raise NobodyToAsk("A question needs a person, but this client takes no input.")
        asked = principal_in(request.message)
        async with self._turns.setdefault(asked, asyncio.Lock()):
            self._take_in()  # what has come so far answers nothing that is still to be asked
            answers = self._answers[asked] = deque()
            try:
                question = self._session.send(
                    self._socket,
                    "input_request",
                    {"prompt": prompt, "password": password},
                    request.message,
                    ident=request.identities,
                )
                # Front ends that fill in the parent of an answer name the question or the cell.
                return await self._answer(answers, {question["header"]["msg_id"], request.id})
            finally:
                del self._answers[asked]

    async def _answer(self, answers: deque[Any], parents: set[str]) -> str:
        while True:
            self._take_in()
            while answers:
                reply = answers.popleft()
                if reply["parent_header"].get("msg_id") in {None, *parents}:
                    return str(reply["content"].get("value", ""))
            await asyncio.sleep(POLL_S)

    def _take_in(self) -> None:
        """Give each reply that has come to whoever is asked; others' words are nobody's answer."""
        while self._socket.poll(0):
            try:
                _, reply = self._session.recv(self._socket, mode=zmq.NOBLOCK)
            except ValueError:
                continue  # not signed with this kernel's key
            if reply and reply["msg_type"] == "input_reply":
                self._answers.get(principal_in(reply), deque()).append(reply)
