"""Keeps one server up: one task owns it from start to end, and starts it again when it is lost.

A server is started when it is first needed (`begin`). One whose first start fails stays down until
it is asked for again by name; one that was there and is lost comes back by itself, with its list
read anew, a few times in a row. Meanwhile its tools stay listed, and calls wait for it.
"""

from __future__ import annotations

import asyncio
import importlib
import time
from collections.abc import Callable
from enum import StrEnum
from typing import TYPE_CHECKING

from toolbridge.errors import ToolUnavailableError, words_of
from toolbridge.mcp.listing import Listing
from toolbridge.mcp.settings import ServerSettings
from toolbridge.mcp.stderr import StderrTail

if TYPE_CHECKING:
    from toolbridge.mcp.link import Link, OnElicit

PAUSES_S = (0.0, 1.0, 4.0)
"""Before each new start of a server that was lost; after the last it is given up."""

REST_S = 10.0
"""Before one that failed is tried again because a cell names it, in seconds."""

LASTING_S = 30.0
"""A server that lived this long has earned all its new starts again, in seconds."""

CLOSING_S = 4.5
"""Longest time that a server gets to end, in seconds; the kernel's own end waits five."""


class Condition(StrEnum):
    """Where a server is."""

    IDLE = "not started"
    STARTING = "starting"
    READY = "ready"
    LOST = "lost, starting again"
    FAILED = "failed"
    CLOSED = "closed"


class Connection:
    """Used on one event loop."""

    def __init__(
        self,
        settings: ServerSettings,
        workdir: str,
        on_elicit: OnElicit,
        on_listing: Callable[[], None],
    ) -> None:
        """`on_listing` is called when `listing` is another one."""
        self.settings = settings
        self.condition = Condition.IDLE
        self.listing = Listing()
        """The last one that was read; empty before the first start."""
        self.stderr = StderrTail()
        self.last_error = ""
        """Why it is not, or was not, there; empty when nothing went wrong yet."""
        self._failed_at = 0.0
        self._workdir = workdir
        self._on_elicit = on_elicit
        self._on_listing = on_listing
        self._link: Link | None = None
        self._life: asyncio.Task[None] | None = None
        self._settled = asyncio.Event()
        self._list_changed = asyncio.Event()
        self._given_up = asyncio.Event()
        self._leave = asyncio.Event()

    @property
    def is_settling(self) -> bool:
        """Whether its list of tools is not known yet and may be soon."""
        return self.condition is Condition.STARTING

    @property
    def may_try_again(self) -> bool:
        """Whether it failed, and long enough ago for another try to make sense."""
        is_down = self.condition is Condition.FAILED
        return is_down and time.monotonic() - self._failed_at > REST_S

    def begin(self) -> None:
        """Start it unless it is up, or coming up, or closed."""
        if self.condition in (Condition.IDLE, Condition.FAILED):
            self.condition = Condition.STARTING
            self._settled.clear()
            self._life = asyncio.get_running_loop().create_task(self._live())

    async def settled(self) -> None:
        """Wait until it is known whether it is there; never longer than a start may take."""
        await self._settled.wait()

    async def link(self) -> Link:
        """The server, started if need be; raises `ToolUnavailableError` when it is not there."""
        self.begin()
        await self._settled.wait()
        if self._link is None:
            name = self.settings.name
            raise ToolUnavailableError(f"MCP server `{name}` is not there: {self.last_error}")
        return self._link

    def give_up(self, link: Link) -> None:
        """A call has found `link` lost: nothing more is sent through it, and another is opened."""
        if self._link is link and not self._leave.is_set():
            self._link = None
            self.condition = Condition.LOST
            self._settled.clear()
            self._given_up.set()

    async def close(self) -> None:
        """End the server, for good. Returns when its process is gone."""
        self.condition = Condition.CLOSED
        self.last_error = self.last_error or "it was closed"
        self._leave.set()
        link, self._link = self._link, None
        if self._life is not None:
            if link is None:
                self._life.cancel()
            await asyncio.wait([self._life], timeout=CLOSING_S)
            self._life.cancel()
            await asyncio.gather(self._life, return_exceptions=True)
        self._settled.set()

    async def _live(self) -> None:
        """One life after the other."""
        starts = 0
        while not self._leave.is_set():
            begun = time.monotonic()
            was_ready = await self._one_life()
            if self._leave.is_set():
                return
            if time.monotonic() - begun > LASTING_S:
                starts = 0
            if (not was_ready and not starts) or starts == len(PAUSES_S):
                self.condition = Condition.FAILED
                self._failed_at = time.monotonic()
                self._settled.set()
                return
            self.condition = Condition.LOST
            self._settled.clear()
            await self._pause(PAUSES_S[starts])
            starts += 1

    async def _pause(self, pause_s: float) -> None:
        try:
            await asyncio.wait_for(self._leave.wait(), pause_s)
        except TimeoutError:
            return

    async def _one_life(self) -> bool:
        """Start the server and stay until it is lost or to be left; whether it was ever ready."""
        link_module = await asyncio.to_thread(importlib.import_module, "toolbridge.mcp.link")
        limit_s = self.settings.start_timeout_s
        was_ready = False
        try:
            async with (
                asyncio.timeout(limit_s) as start,
                link_module.open_link(
                    self.settings,
                    self._workdir,
                    self.stderr,
                    self._on_elicit,
                    self._list_changed.set,
                ) as link,
            ):
                await self._read_listing(link)
                start.reschedule(None)
                was_ready = True
                self._become_ready(link)
                self.last_error = await self._stay(link)
        except TimeoutError:
            self.last_error = f"it did not start within {limit_s:g} s"
        except Exception as error:  # noqa: BLE001 - whatever a server does, it is told of
            self.last_error = _reason(error)
        return was_ready

    def _become_ready(self, link: Link) -> None:
        self._link = link
        self.condition = Condition.READY
        self._settled.set()

    async def _stay(self, link: Link) -> str:
        """Follow its list until it is lost or to be left; gives the reason."""
        limit_s = self.settings.start_timeout_s
        ends = [link.wait_lost(), self._given_up.wait(), self._leave.wait()]
        waits = [asyncio.ensure_future(end) for end in ends]
        try:
            while not any(wait.done() for wait in waits):
                changed = asyncio.ensure_future(self._list_changed.wait())
                await asyncio.wait([*waits, changed], return_when=asyncio.FIRST_COMPLETED)
                changed.cancel()
                if self._list_changed.is_set():
                    self._list_changed.clear()
                    await asyncio.wait_for(self._read_listing(link), limit_s)
            return "it was closed" if self._leave.is_set() else "the connection ended"
        except TimeoutError:
            return f"it did not list its tools anew within {limit_s:g} s"
        finally:
            self.give_up(link)
            self._given_up.clear()
            for wait in waits:
                wait.cancel()

    async def _read_listing(self, link: Link) -> None:
        listing = await link.listing()
        if listing != self.listing:
            self.listing = listing
            self._on_listing()


def _reason(error: BaseException) -> str:
    """The first cause in words: the SDK gives groups in groups."""
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return words_of(error)
