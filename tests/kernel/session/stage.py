"""A session under test, what it told, and what a person would have seen."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

from codemode_host.wire import ContentItem, TextItem
from codemode_kernel.session.cells import Cell
from codemode_kernel.session.events import SessionEvent
from codemode_kernel.session.observation import Observation
from codemode_kernel.session.session import Session

from tests.patience import PATIENCE_S
from toolbridge import Toolbox

Event = TypeVar("Event")


class Events:
    """What a session told, and a way to wait for what it has yet to tell."""

    def __init__(self) -> None:
        self.seen: list[SessionEvent] = []
        self._news = asyncio.Event()

    def __call__(self, event: SessionEvent) -> None:
        self.seen.append(event)
        self._news.set()

    def of(self, kind: type[Event]) -> list[Event]:
        return [event for event in self.seen if isinstance(event, kind)]

    async def until(self, holds: Callable[[], object]) -> None:
        """Look at `holds` again after each event, until it does."""
        while not holds():
            self._news.clear()
            async with asyncio.timeout(PATIENCE_S):
                await self._news.wait()

    async def next(self, kind: type[Event], cell: Cell | None = None, number: int = 1) -> Event:
        """The `number`th event of that kind (about `cell`), now or when it comes."""

        def found() -> list[Event]:
            events = self.of(kind)
            return [e for e in events if cell is None or getattr(e, "cell", None) is cell]

        await self.until(lambda: len(found()) >= number)
        return found()[number - 1]


@dataclass
class Shown:
    """A sink: what a person would see of one observation."""

    items: list[ContentItem] = field(default_factory=list)
    _news: asyncio.Event = field(default_factory=asyncio.Event)

    def take(self, items: Sequence[ContentItem]) -> None:
        self.items.extend(items)
        self._news.set()

    @property
    def texts(self) -> list[str]:
        return [item.text for item in self.items if isinstance(item, TextItem)]

    async def text(self, wanted: str) -> None:
        """Return as soon as an item with that text has come."""
        while wanted not in self.texts:
            self._news.clear()
            async with asyncio.timeout(PATIENCE_S):
                await self._news.wait()


@dataclass
class Stage:
    """A session with its events and its toolbox, and the shortest way to run a cell on it."""

    session: Session
    events: Events
    toolbox: Toolbox

    async def run(self, code: str, **options: Any) -> tuple[Observation, list[str]]:
        """Run a cell; its observation and the texts a person saw."""
        shown = Shown()
        observation = await self.session.run(self.session.new_cell(code), shown, **options)
        return observation, shown.texts

    async def wait(self, cell_id: str, **options: Any) -> tuple[Observation, list[str]]:
        """Wait for a cell; as `run`."""
        shown = Shown()
        return await self.session.wait(cell_id, shown, **options), shown.texts

    async def begin(self, code: str, **options: Any) -> Cell:
        """A cell that has yielded at once and goes on."""
        cell = self.session.new_cell(code)
        await self.session.run(cell, Shown(), yield_time_ms=0, **options)
        return cell


MakeStage = Callable[..., Awaitable[Stage]]
