"""All pages that are attached to this kernel."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress

from codemode_kernel.control.commands import CommandRefused, perform
from codemode_kernel.control.facts import (
    cell_facts,
    kernel_facts,
    missing_outputs,
    questions_message,
    run_outputs,
    shell_facts,
)
from codemode_kernel.control.from_front import Alive, Attach, Command, Detach, FromFront
from codemode_kernel.control.from_kernel import (
    Events,
    FromKernel,
    Refused,
    Replay,
    RunOutputs,
    ShellFacts,
    Snapshot,
)
from codemode_kernel.control.front import Comm, Front, Message
from codemode_kernel.control.messages import VERSION
from codemode_kernel.control.news import News
from codemode_kernel.pace import PERIOD_S
from codemode_kernel.replay import LoggedRun
from codemode_kernel.rooms import Rooms
from codemode_kernel.session.events import SessionEvent

IDLE_ROUND_S = 1.0
"""How often shells and silent pages are looked at when nothing happens, in seconds."""

LEASE_S = 180.0
"""How long a page may be silent, in seconds. Browsers slow a hidden page's clock to a minute."""

REPLAY_BYTES = 1024 * 1024
"""Kept bytes after which a replay goes on in another message."""


class Fronts:
    """Answers each page, and tells all of them what happens. Owns one task while one is there."""

    def __init__(self, rooms: Rooms) -> None:
        self._rooms = rooms
        self._fronts: list[Front] = []
        self._news = News()
        self._something_happened = asyncio.Event()
        self._rounds: asyncio.Task[None] | None = None

    @property
    def attached(self) -> Sequence[Front]:
        """The pages that are attached now."""
        return [front for front in self._fronts if front.is_attached]

    def admit(self, comm: Comm, opened: Message, waiting: Sequence[Message]) -> None:
        """A comm was opened; `waiting` came on it since. Its opening may be the attach already."""
        front = Front(comm, opened, self._answer, self._gone)
        self._fronts.append(front)
        if self._rounds is None:
            self._rounds = asyncio.get_running_loop().create_task(self._run_rounds())
        if opened["content"].get("data"):
            front.receive(opened)
        for message in waiting:
            front.receive(message)

    def on_event(self, event: SessionEvent) -> None:
        """Note what the session tells, for the next round."""
        if self._fronts:
            self._news.tell(event)
            self._something_happened.set()

    def tell_questions(self) -> None:
        """Tell every page what is to be answered."""
        for front in self.attached:
            front.send(questions_message(self._rooms.board))

    def announce(self, run: LoggedRun) -> None:
        """A run begins: tell every page but its own, if that one is not there (any more).

        Such a run was queued by a page that was reloaded before its turn came.
        """
        if self._is_attached(run.client):
            return
        for front in self.attached:
            front.send(Replay([run_outputs(run, shown_elsewhere=False)]))

    async def close(self) -> None:
        """Close every comm."""
        for front in list(self._fronts):
            front.close()
        if self._rounds is not None:
            self._rounds.cancel()
            with suppress(asyncio.CancelledError):
                await self._rounds

    # Messages

    async def _answer(self, front: Front, message: FromFront) -> None:
        match message:
            case Attach():
                self._attach(front, message)
            case Detach():
                front.close()
            case Alive():
                pass  # It was heard.
            case command:
                front.send(await self._obey(command))

    async def _obey(self, command: Command) -> FromKernel:
        try:
            return await perform(command, self._rooms)
        except CommandRefused as error:
            return Refused(command.id, str(error))

    def _attach(self, front: Front, attach: Attach) -> None:
        if attach.version != VERSION:
            front.send(
                Refused(
                    "",
                    f"This page speaks version {attach.version} of the control messages, the "
                    f"kernel version {VERSION}. Install the same version of codemode-kernel for "
                    "JupyterLab and for the kernel, then reload the page.",
                )
            )
            return
        is_back = front.is_attached
        front.is_attached = True
        if attach.notebook:
            self._rooms.follow_notebook(attach.notebook)
        front.send(self._snapshot())
        if self._rooms.board.open:
            front.send(questions_message(self._rooms.board))
        for runs in self._missing(front, attach, own_too=is_back):
            front.send(Replay(runs))

    def _snapshot(self) -> Snapshot:
        return Snapshot(
            version=VERSION,
            sequence=self._news.sequence,
            kernel=kernel_facts(self._rooms),
            cells=[cell_facts(cell) for cell in self._rooms.session.cells],
            shells=self._shells(),
        )

    def _missing(
        self, front: Front, attach: Attach, *, own_too: bool
    ) -> Iterator[list[RunOutputs]]:
        """What the page lacks, in portions.

        A page has what it ran itself, unless it attaches again: it may have been cut off, and knows
        best whether it was.
        """
        portion: list[RunOutputs] = []
        size = 0
        for seen in attach.cells:
            run = self._rooms.log.newest_run_of(seen.notebook_cell)
            if run is None or (run.client == front.client and not own_too):
                continue
            elsewhere = run.client != front.client and self._is_attached(run.client)
            missing = missing_outputs(run, seen, shown_elsewhere=elsewhere)
            if missing is None:
                continue
            if portion and size + run.size > REPLAY_BYTES:
                yield portion
                portion, size = [], 0
            portion.append(missing)
            size += run.size
        if portion:
            yield portion

    def _is_attached(self, client: str) -> bool:
        return any(front.client == client for front in self.attached)

    def _shells(self) -> list[ShellFacts]:
        return [shell_facts(shell) for shell in self._rooms.shell.shells()]

    # Rounds

    async def _run_rounds(self) -> None:
        while self._fronts:
            with suppress(TimeoutError):
                await asyncio.wait_for(self._something_happened.wait(), IDLE_ROUND_S)
            self._something_happened.clear()
            self._close_silent_ones()
            events = self._news.take(self._shells())
            if events is not None:
                self._tell_all(events)
            await asyncio.sleep(PERIOD_S)
        self._rounds = None

    def _tell_all(self, events: Events) -> None:
        for front in self.attached:
            front.send(events)

    def _close_silent_ones(self) -> None:
        for front in list(self._fronts):
            if time.monotonic() - front.last_heard > LEASE_S:
                front.close()

    def _gone(self, front: Front) -> None:
        self._fronts.remove(front)
