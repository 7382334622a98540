"""One process from its start to its end, with both ways of talking to it."""

from __future__ import annotations

import asyncio
import socket
from typing import Any

from toolbridge.child.link import Link
from toolbridge.sources.python_child import PythonChildSource

from codemode_kernel.python_child.conversation import Conversation
from codemode_kernel.python_child.errors import PythonStartError
from codemode_kernel.python_child.process import PythonProcess

START_S = 60.0
"""A process that is not ready by then is given up."""

ENDING_GRACE_S = 1.0
"""How long a process may take to end in good order (atexit and the like) before it is killed."""

DYING_S = 5.0
"""How long a process that is heard no more may take to be gone: what ended it is known only then."""


class Life:
    """A process in use. `over` is done when it, and everything below it, has ended."""

    def __init__(self, process: PythonProcess, link: Link, conversation: Conversation) -> None:
        """Use `begin`."""
        self.pid = link.ready.result()
        self.link = link
        self.conversation = conversation
        self._process = process
        self._reason: str | None = None
        self.over: asyncio.Task[str] = asyncio.create_task(self._watch())
        """Why it is over, in words for the person."""

    @classmethod
    async def begin(cls, source: PythonChildSource, cwd: str | None) -> Life:
        """Start a process and connect `source` with it. Raises `PythonStartError`."""
        ours, theirs = socket.socketpair()
        with theirs:
            process = await PythonProcess.start(theirs, cwd)
        link = await source.connect(ours)
        try:
            async with asyncio.timeout(START_S):
                return cls(process, link, await _converse(process, link))
        except BaseException as error:
            process.kill()
            link.close("it did not start")
            if not isinstance(error, TimeoutError):
                raise
            raise PythonStartError(f"Python was not ready after {START_S:.0f} s") from None

    @property
    def is_over(self) -> bool:
        """Whether the process has ended, or is about to."""
        return self.over.done() or self.link.lost.done()

    async def end(self, reason: str) -> None:
        """End the process, in good order if it can; `reason` is what its calls are told."""
        self._reason = reason
        self.link.abandon(reason)
        if not self.over.done():
            self.conversation.request_shutdown()
            await asyncio.wait({self.over}, timeout=ENDING_GRACE_S)
            self._process.kill()
            await asyncio.wait({self.over})

    def kill(self, reason: str) -> None:
        """End the process at once. `over` tells when; `reason` is what it says."""
        self._reason = reason
        self._process.kill()

    async def _watch(self) -> str:
        ended, listening = self._process.ended, self.conversation.listening
        signs: list[asyncio.Future[Any]] = [ended, self.link.lost, listening]
        await asyncio.wait(signs, return_when=asyncio.FIRST_COMPLETED)
        await asyncio.wait({ended}, timeout=DYING_S)  # a dying process loses its links first
        reason = self._reason or self._what_happened()
        self._process.kill()
        await ended
        await self.conversation.close()
        self.link.close(reason)
        return reason

    def _what_happened(self) -> str:
        if self._process.ended.done():
            return f"its process ended ({self._process.ended.result()})"
        if self.link.lost.done():
            return self.link.lost.result()
        return f"its messages could not be read: {self.conversation.listening.exception()}"


async def _converse(process: PythonProcess, link: Link) -> Conversation:
    signs: list[asyncio.Future[Any]] = [link.ready, process.ended]
    await asyncio.wait(signs, return_when=asyncio.FIRST_COMPLETED)
    if not link.ready.done():
        words = process.last_words
        raise PythonStartError(
            f"Python did not start: its process ended ({process.ended.result()})"
            + (f". Its last words:\n{words}" if words else "")
        )
    return await Conversation.open(process.connection)
